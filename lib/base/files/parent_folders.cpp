#include "base/files/parent_folders.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "base/files/created_folders.h"
#include "base/files/output_path.h"

namespace skinbake {

namespace {

// The tasks of a batch may need the same folder: it stays until the last of them has ended.
struct CreatedFolder {
  std::string path;
  std::vector<const ParentFolders*> users;
};

using FileId = std::pair<dev_t, ino_t>;

FileId id_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

// Never destroyed: a thread may end the process while another one runs the destructors.
struct FolderRegistry {
  std::mutex mutex;
  const ParentFolders* of_process = nullptr;
  std::map<std::uint64_t, CreatedFolder> folders;  // by age: each after those that contain it
  std::map<FileId, std::uint64_t> ages;
  std::uint64_t next_age = 0;
};

FolderRegistry& folder_registry() {
  static auto* const the_registry = new FolderRegistry;
  return *the_registry;
}

thread_local const ParentFolders* of_thread = nullptr;

// Creates one folder and registers it. Returns 0, or errno.
int create(FolderRegistry& all, const std::string& path, const ParentFolders* user) {
  const std::uint64_t age = all.next_age++;
  all.folders.emplace(age, CreatedFolder{path, {user}});  // first, because it may throw
  if (::mkdir(path.c_str(), 0777) == 0) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) all.ages[id_of(status)] = age;
    return 0;
  }
  const int cause = errno;
  all.folders.erase(age);
  return cause == EEXIST ? 0 : cause;  // another process was faster, or a file has the name
}

// Registers a further user of a folder, if this process has created the folder.
void use(FolderRegistry& all, const struct stat& folder, const ParentFolders* user) {
  const auto age = all.ages.find(id_of(folder));
  if (age == all.ages.end()) return;
  std::vector<const ParentFolders*>& users = all.folders.at(age->second).users;
  if (std::find(users.begin(), users.end(), user) == users.end()) users.push_back(user);
}

// A folder with files is not empty, and stays.
void remove_unused(FolderRegistry& all) {
  for (auto folder = all.folders.rbegin(); folder != all.folders.rend(); ++folder) {
    if (folder->second.users.empty()) ::rmdir(folder->second.path.c_str());
  }
}

void forget_unused(FolderRegistry& all) {
  const auto is_unused = [](const auto& folder) { return folder.second.users.empty(); };
  std::erase_if(all.folders, is_unused);
  std::erase_if(all.ages, [&](const auto& age) { return !all.folders.contains(age.second); });
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
  for (auto& [age, folder] : all.folders) std::erase(folder.users, this);
  remove_unused(all);
  forget_unused(all);
}

void create_parents_of(const std::string& path) {
  FolderRegistry& all = folder_registry();
  const std::lock_guard lock(all.mutex);
  const ParentFolders* const owner = of_thread != nullptr ? of_thread : all.of_process;
  if (owner == nullptr) return;
  struct stat status {};
  if (all.folders.empty() && ::stat(folder_of(path).c_str(), &status) == 0) return;
  std::filesystem::path folder;
  for (const std::filesystem::path& name : std::filesystem::path(folder_of(path))) {
    folder /= name;
    if (::stat(folder.c_str(), &status) == 0) {
      use(all, status, owner);
      continue;
    }
    const int cause = create(all, folder.string(), owner);
    if (cause != 0) fail_output(path, "create its folder", cause);
  }
}

void abandon_created_folders() {
  FolderRegistry& all = folder_registry();
  all.mutex.lock();  // and is never unlocked
  for (auto& [age, folder] : all.folders) folder.users.clear();
  remove_unused(all);
}

}  // namespace skinbake
