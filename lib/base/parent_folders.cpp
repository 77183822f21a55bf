#include "base/parent_folders.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <vector>

#include "base/paths.h"

namespace skinbake {

namespace {

// Never destroyed: a thread may end the process while another one runs the destructors.
struct CreatedFolders {
  std::mutex mutex;
  std::vector<std::string> paths;  // absolute, each after those that contain it
};

CreatedFolders& created() {
  static auto* const the_folders = new CreatedFolders;
  return *the_folders;
}

// Creates one folder. Returns 0, or errno.
int create(const std::string& path) {
  std::vector<std::string>& paths = created().paths;
  std::error_code unknown;
  paths.push_back(std::filesystem::absolute(path, unknown).string());  // first: it may throw
  if (::mkdir(path.c_str(), 0777) == 0) return 0;
  const int cause = errno;
  paths.pop_back();
  return cause == EEXIST ? 0 : cause;  // another process was faster, or a file has the name
}

// A folder with files is not empty, and stays.
void remove_empty() {
  std::vector<std::string>& paths = created().paths;
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) ::rmdir(path->c_str());
  paths.clear();
}

}  // namespace

void create_parents_of(const std::string& path) {
  struct stat status {};
  if (::stat(folder_of(path).c_str(), &status) == 0) return;
  const std::lock_guard lock(created().mutex);
  std::filesystem::path folder;
  for (const std::filesystem::path& name : std::filesystem::path(folder_of(path))) {
    folder /= name;
    if (::stat(folder.c_str(), &status) == 0) continue;
    const int cause = create(folder.string());
    if (cause != 0) fail_output(path, "create its folder", cause);
  }
}

void remove_empty_folders() {
  const std::lock_guard lock(created().mutex);
  remove_empty();
}

void abandon_created_folders() {
  created().mutex.lock();  // and is never unlocked
  remove_empty();
}

}  // namespace skinbake
