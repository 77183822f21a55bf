#include "skinbake/tool/parent_folders.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <vector>

#include "base/files/created_folders.h"
#include "base/files/output_path.h"

namespace skinbake {

namespace {

struct CreatedFolder {
  std::string path;
  const ParentFolders* owner;
};

// Never destroyed: a thread may end the process while another one runs the destructors.
struct FolderRegistry {
  std::mutex mutex;
  const ParentFolders* of_process = nullptr;
  std::vector<CreatedFolder> folders;  // each after those that contain it
};

FolderRegistry& folder_registry() {
  static auto* const the_registry = new FolderRegistry;
  return *the_registry;
}

thread_local const ParentFolders* of_thread = nullptr;

// Creates one folder and registers it. Returns 0, or errno.
int create(FolderRegistry& all, const std::string& path, const ParentFolders* owner) {
  all.folders.push_back({path, owner});  // first, because it may throw
  if (::mkdir(path.c_str(), 0777) == 0) return 0;
  const int cause = errno;
  all.folders.pop_back();
  return cause == EEXIST ? 0 : cause;  // another process was faster, or a file has the name
}

// A folder with files is not empty, and stays.
void remove_empty(const std::vector<CreatedFolder>& folders, const ParentFolders* owner) {
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
    if (owner == nullptr || folder->owner == owner) ::rmdir(folder->path.c_str());
  }
}

}  // namespace

ParentFolders::ParentFolders(Scope scope) : scope_(scope) {
  const std::lock_guard lock(folder_registry().mutex);
  (scope_ == Scope::kThread ? of_thread : folder_registry().of_process) = this;
}

ParentFolders::~ParentFolders() {
  FolderRegistry& all = folder_registry();
  const std::lock_guard lock(all.mutex);
  (scope_ == Scope::kThread ? of_thread : all.of_process) = nullptr;
  remove_empty(all.folders, this);
  std::erase_if(all.folders, [&](const CreatedFolder& folder) { return folder.owner == this; });
}

void create_parents_of(const std::string& path) {
  FolderRegistry& all = folder_registry();
  const std::lock_guard lock(all.mutex);
  const ParentFolders* const owner = of_thread != nullptr ? of_thread : all.of_process;
  if (owner == nullptr) return;
  struct stat status {};
  if (::stat(folder_of(path).c_str(), &status) == 0) return;
  std::filesystem::path folder;
  for (const std::filesystem::path& name : std::filesystem::path(folder_of(path))) {
    folder /= name;
    if (::stat(folder.c_str(), &status) == 0) continue;
    const int cause = create(all, folder.string(), owner);
    if (cause != 0) fail_output(path, "create its folder", cause);
  }
}

void abandon_created_folders() {
  folder_registry().mutex.lock();  // and is never unlocked
  remove_empty(folder_registry().folders, nullptr);
}

}  // namespace skinbake
