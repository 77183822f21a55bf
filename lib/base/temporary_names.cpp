#include "base/temporary_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/output_file.h"
#include "base/parent_folders.h"
#include "base/paths.h"

namespace skinbake {

class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
  ~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;  // -1: the folder cannot be read
};

namespace {

// Never destroyed, as the registry below.
struct FolderLocks {
  std::mutex mutex;
  std::map<std::pair<dev_t, ino_t>, std::weak_ptr<const FolderLock>> locks;
};

FolderLocks& folder_locks() {
  static auto* const the_locks = new FolderLocks;
  return *the_locks;
}

// Returns null if the folder cannot be locked. Sets the folder's status.
std::shared_ptr<const FolderLock> lock_of(const std::string& folder, struct stat& status) {
  auto lock = std::make_shared<const FolderLock>(folder);
  if (::fstat(lock->descriptor(), &status) != 0) return {};
  FolderLocks& known = folder_locks();
  const std::lock_guard guard(known.mutex);
  std::erase_if(known.locks, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const FolderLock>& shared = known.locks[{status.st_dev, status.st_ino}];
  if (auto held = shared.lock()) return held;
  rlimit limit{};
  const bool is_allowed =
      ::getrlimit(RLIMIT_NOFILE, &limit) == 0 && known.locks.size() <= limit.rlim_cur / 8;
  // The process does not wait for the lock: another program may keep it for ever.
  if (!is_allowed || ::flock(lock->descriptor(), LOCK_SH | LOCK_NB) != 0) return {};
  shared = lock;
  return lock;
}

constexpr std::size_t kDigits = 16;

std::string digits_of(const void* data, std::size_t size) {
  Xxh128 hash;
  hash.update(data, size);
  return hash.hex().substr(0, kDigits);
}

// What stands between the target's name and the random number. Network file systems lock a folder
// for one machine and one mount alone, so the mark names both. Empty: the kernel is not known.
std::string mark_of(const struct stat& folder) {
  static const std::string kernel = [] {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return id;
  }();
  if (kernel.empty()) return "";
  const std::string mount = kernel + ' ' + std::to_string(folder.st_dev);
  return ".tmp-skinbake-" + digits_of(mount.data(), mount.size()) + '-';
}

}  // namespace

std::string shortened_name(const std::string& path) {
  constexpr std::size_t kMostOfName = 200;
  const std::size_t size = std::filesystem::path(path).filename().string().size();
  return path.substr(0, path.size() - size + std::min(size, kMostOfName));
}

std::string unused_name(const std::string& target) {
  std::random_device random;  // process numbers would repeat on a shared file system
  return shortened_name(target) + ".tmp" + std::to_string(random()) + std::to_string(random());
}

OwnedName owned_name(const std::string& target) {
  struct stat folder {};
  std::shared_ptr<const FolderLock> lock = lock_of(folder_of(target), folder);
  const std::string mark = lock ? mark_of(folder) : "";
  if (mark.empty()) return {unused_name(target), {}};
  std::random_device random;
  const std::array number{random(), random(), random(), random()};
  return {shortened_name(target) + mark + digits_of(number.data(), sizeof number), std::move(lock)};
}

void remove_orphans_in(const std::string& folder,
                       const std::function<bool(const std::string& target)>& is_ours) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return;
  const int descriptor = ::dirfd(entries.get());
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return;
  const std::string mark = mark_of(status);
  if (mark.empty()) return;
  while (const dirent* const entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name.size() < mark.size() + kDigits) continue;
    const std::size_t number = name.size() - kDigits, end = number - mark.size();
    if (name.substr(end, mark.size()) != mark) continue;
    if (name.find_first_not_of("0123456789abcdef", number) != std::string_view::npos) continue;
    if (is_ours(std::string(name.substr(0, end)))) ::unlinkat(descriptor, entry->d_name, 0);
  }
}

namespace {

// Never destroyed: a thread may end the process while another one runs the destructors.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const FolderLock>> names;
};

Registry& registry() {
  static auto* const the_registry = new Registry;
  return *the_registry;
}

}  // namespace

TemporaryNames::TemporaryNames() : lock_(registry().mutex) {}

void TemporaryNames::add(const OwnedName& name) {
  registry().names.insert_or_assign(name.path, name.lock);
}

void TemporaryNames::remove(const std::string& name) noexcept {
  registry().names.erase(name);
}

void TemporaryNames::unlink(const std::string& name) noexcept {
  if (::unlink(name.c_str()) == 0 || errno == ENOENT) return remove(name);
  try {
    add({name, {}});
  } catch (const std::bad_alloc&) {
    // No message can name the file: it would need memory, too.
  }
}

std::vector<std::string> kept_temporary_files() {
  const std::lock_guard guard(registry().mutex);
  std::vector<std::string> kept;
  for (const auto& [name, lock] : registry().names) kept.push_back(name);
  return kept;
}

void abandon_output_files() {
  registry().mutex.lock();  // and is never unlocked
  for (const auto& [name, lock] : registry().names) ::unlink(name.c_str());
  abandon_created_folders();
}

}  // namespace skinbake
