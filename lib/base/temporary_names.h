// The names of temporary files: a signal that ends a process removes those of the process, and a
// later run those that a killed process has left, its orphans.
//
// A temporary file "run.pc2.tmp-skinbake-0123456789abcdef-0123456789abcdef" has an owner: a process
// that has a shared lock (flock) on the folder as long as the file has this name. The first number
// stands for the file system and the running kernel, within which such a lock is seen; the second
// one is random. A run that gets the exclusive lock of the folder knows that such files do not have
// an owner. The kernel frees the locks of a killed process.

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace skinbake {

class FolderLock;

struct OwnedName {
  std::string path;
  std::shared_ptr<const FolderLock> lock;  // keep it as long as the file has the name
};

// A name beside the target. It is an unused_name() without a lock where the folder cannot be
// locked, such as while a run looks for orphans in it, or if the locks of other folders take an
// eighth of the process's descriptors (RLIMIT_NOFILE). Files of one folder share a lock.
OwnedName owned_name(const std::string& target);

// A random name beside the target, which no run takes for the name of an orphan.
std::string unused_name(const std::string& target);

// The path with at most 200 bytes of its name, to which temporary files append the rest of theirs.
std::string shortened_name(const std::string& path);

// Removes the files of a folder that have lost their owner and that `is_ours`, called with the
// shortened name of the target. Removes nothing while a process has a temporary file there, or if
// the file system does not have locks. Files of another machine stay.
void remove_orphans_in(const std::string& folder,
                       const std::function<bool(const std::string& target)>& is_ours);

// Exists while a temporary file gets or loses its name, one at a time: a second one waits for the
// first, and for ever after abandon_output_files().
class TemporaryNames {
 public:
  TemporaryNames();

  void add(const OwnedName& name);  // call before the file gets the name: it may throw
  void remove(const std::string& name) noexcept;  // with its lock

  // Removes the file too. If that fails, kept_temporary_files() has the name.
  void unlink(const std::string& name) noexcept;

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace skinbake
