#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/issue.h"
#include "base/parent_folders.h"
#include "base/paths.h"
#include "base/random_access_file.h"
#include "base/temporary_names.h"
#include "skinbake/error.h"

namespace skinbake {

// The descriptor during one access: held by the file, or opened for the access.
class OutputFile::Access {
 public:
  explicit Access(const OutputFile& file) : file_(file), descriptor_(file.descriptor_) {
    if (descriptor_ >= 0) return;
    descriptor_ = opened_ = ::open(file.temporary_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_output(file.path_, "open for writing", errno);
  }
  ~Access() {
    if (opened_ >= 0) ::close(opened_);
  }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

  int descriptor() const { return descriptor_; }

  // Ends an access that has written. Some file systems report a full disk only now.
  void end() {
    if (opened_ >= 0 && ::close(std::exchange(opened_, -1)) != 0)
      fail_output(file_.path_, "write", errno);
  }

 private:
  const OutputFile& file_;
  int descriptor_;
  int opened_ = -1;
};

namespace {

// The open descriptor that a path names, such as 1 of /dev/stdout; -1: none.
int descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const char* const end = path.data() + path.size();
    int number = -1;
    const auto [rest, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error == std::errc() && rest == end) return number;
  }
  return -1;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  require_own_links(path_);
  struct stat status {};
  const bool replaces = ::stat(path_.c_str(), &status) == 0;
  if (!replaces && errno == ELOOP) fail_output(path_, "write", ELOOP);
  if (replaces) {
    if (S_ISDIR(status.st_mode)) fail_output(path_, "write", EISDIR);
    is_device_ = !S_ISREG(status.st_mode);
  }
  if (const int named = descriptor_of(path_); named >= 0 && !is_device_) {
    // The shell has opened the file, perhaps to append to it, and other text goes there too.
    is_device_ = true;
    descriptor_ = ::fcntl(named, F_DUPFD_CLOEXEC, 3);
    if (descriptor_ < 0) fail_output(path_, "open for writing", errno);
    return;
  }
  bool is_held = true;
  if (is_device_) {
    // Links are not resolved: /dev/stdout can lead to a pipe, which does not have a path.
    // O_NONBLOCK: a pipe without a reader is an error instead of a wait.
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ >= 0) ::fcntl(descriptor_, F_SETFL, 0);
  } else {
    permission_ = std::make_unique<DescriptorPermission>(DescriptorPermission::request());
    is_held = static_cast<bool>(*permission_);
    open_temporary(!is_held);
  }
  if (descriptor_ < 0) fail_output(path_, "open for writing", errno);
  // The new file gets the permissions of the file that it replaces.
  if (replaces && !is_device_) {
    const mode_t permissions = status.st_mode & 0777;
    if (!is_held && (permissions & S_IWUSR) == 0) permissions_ = permissions;
    if (::fchmod(descriptor_, permissions | (permissions_ ? S_IWUSR : 0)) != 0) {
      const int cause = errno;
      discard();  // the destructor does not run
      fail_output(path_, "set the permissions", cause);
    }
  }
  if (!is_held) ::close(std::exchange(descriptor_, -1));
}

void OutputFile::open_temporary(bool is_named) {
  target_ = resolved_links(path_);
  // Checked here, because O_TMPFILE would fail only in commit(), which names the file.
  const std::size_t length = std::filesystem::path(target_).filename().string().size();
  if (length > NAME_MAX) fail_output(path_, "write", ENAMETOOLONG);
  create_parents_of(target_);
  if (!is_named) {
    // O_TMPFILE: the file does not have a name, so a killed process leaves nothing behind.
    descriptor_ = ::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return;
    // prepare() names the file by its path in /proc, which a container may not have.
    if (descriptor_ >= 0 && ::access(readable_path().c_str(), F_OK) == 0) return;
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }
  OwnedName name = owned_name(target_);
  TemporaryNames names;
  names.add(name);
  descriptor_ = ::open(name.path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) {
    temporary_ = std::move(name.path);
  } else {
    const int cause = errno;
    names.remove(name.path);
    errno = cause;
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      permission_(std::move(other.permission_)),
      is_device_(other.is_device_),
      is_committed_(other.is_committed_),
      permissions_(other.permissions_),
      appended_(other.appended_) {}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) TemporaryNames().unlink(temporary_);
}

void OutputFile::reserve(std::uint64_t size) {
  if (is_device_ || size == 0) return;
  const Access file(*this);
  // posix_fallocate would write zeros where the file system does not support the call.
  while (::fallocate(file.descriptor(), 0, 0, static_cast<off_t>(size)) != 0) {
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
      fail_output(path_, "reserve space", errno);
    if (errno != EINTR) return;
  }
}

void OutputFile::reserve_at_most(std::uint64_t size) {
  if (is_device_ || size == 0) return;
  const Access file(*this);
  while (::fallocate(file.descriptor(), 0, 0, static_cast<off_t>(size)) != 0 && errno == EINTR) {
  }
}

void OutputFile::truncate(std::uint64_t size) {
  if (is_device_) return;
  const Access file(*this);
  if (::ftruncate(file.descriptor(), static_cast<off_t>(size)) != 0)
    fail_output(path_, "end", errno);
}

void OutputFile::write(const void* data, std::size_t size) {
  if (!is_device_) {
    write_at(data, size, appended_);
    appended_ += size;
    return;
  }
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_output(path_, "write", errno);
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void OutputFile::write_at(const void* data, std::size_t size, std::uint64_t offset) {
  Access file(*this);
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(file.descriptor(), next, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_output(path_, "write", errno);
    next += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
  file.end();
}

void OutputFile::copy(int descriptor, std::uint64_t size) {
  off_t from = 0;
  {
    const Access file(*this);
    off_t to = 0;
    while (static_cast<std::uint64_t>(from) < size) {
      const ssize_t n = ::copy_file_range(descriptor, &from, file.descriptor(), &to,
                                          size - static_cast<std::uint64_t>(from), 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
        fail_output(path_, "write", errno);
      }
      if (n <= 0) break;  // such as between file systems: the bytes pass through memory
    }
  }
  std::vector<char> chunk(std::size_t{1} << 20);
  for (auto done = static_cast<std::uint64_t>(from); done < size;) {
    const std::size_t part = std::min<std::uint64_t>(chunk.size(), size - done);
    const ssize_t n = ::pread(descriptor, chunk.data(), part, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_output(path_, "copy", n < 0 ? errno : EIO);
    write_at(chunk.data(), static_cast<std::size_t>(n), done);
    done += static_cast<std::uint64_t>(n);
  }
}

void OutputFile::sync() {
  if (is_device_ || is_committed_) return;
  const Access file(*this);
  // A process ends only when its system calls do, and fsync may write for seconds: part by part, it
  // has little left to do. Where a file system does not support that, it has all.
  constexpr off_t kPart = off_t{8} << 20;
  struct stat status {};
  const off_t size = ::fstat(file.descriptor(), &status) == 0 ? status.st_size : 0;
  for (off_t at = 0; at < size; at += kPart) {
    ::sync_file_range(file.descriptor(), at, kPart,
                      SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  }
  if (::fsync(file.descriptor()) != 0) fail_output(path_, "sync", errno);
}

std::string OutputFile::readable_path() const {
  if (is_device_) return path_;
  return temporary_.empty() ? "/proc/self/fd/" + std::to_string(descriptor_) : temporary_;
}

void OutputFile::prepare() {
  if (!is_device_ && temporary_.empty()) name_temporary();
  if (permissions_ && ::chmod(temporary_.c_str(), *permissions_) != 0) {
    fail_output(path_, "set the permissions", errno);
  }
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) {
    fail_output(path_, "close", errno);
  }
  permission_.reset();
}

void OutputFile::name_temporary() {
  // linkat cannot replace a file, but rename can: the file first gets a name beside the target,
  // then the final name.
  const std::string self = readable_path();
  const auto link = [&] {  // returns 0, or errno
    OwnedName name = owned_name(target_);
    TemporaryNames names;
    names.add(name);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      const int cause = errno;
      names.remove(name.path);
      return cause;
    }
    temporary_ = std::move(name.path);  // does not allocate: the name would stay if it failed
    return 0;
  };
  int cause = link();
  if (cause == ENOENT) {
    // Another run that created the folder has failed and removed it, as it seemed to be empty.
    create_parents_of(target_);
    cause = link();
  }
  if (cause != 0) fail_output(path_, "name", cause);
}

void OutputFile::rename() {
  is_committed_ = true;
  if (is_device_) return;
  TemporaryNames names;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_output(path_, "rename", errno);
  names.remove(temporary_);
  temporary_.clear();
}

void OutputFile::commit() {
  commit_together({this});
}

// Gives several files their names, all or none.
//
// No file system renames several files at once. Each older file first gets a second name beside it;
// if a rename fails, the older files get their names back. The last rename needs no second name:
// either it succeeds, or the older file is still there. The files are closed before the first
// rename, because a network file system may report a full disk only then.

namespace {

// The file that an output replaces, under its second name.
class OlderFile {
 public:
  // Throws Error (kOutput) if the file cannot be replaced.
  OlderFile(const std::string& path, std::string target) : target_(std::move(target)) {
    OwnedName name = owned_name(target_);
    if (::link(target_.c_str(), name.path.c_str()) != 0) {
      if (errno == ENOENT) return;  // the output is new
      struct stat status {};
      if (::lstat(target_.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
        fail_output(path, "replace the older file", EISDIR);
      }
      // Some file systems do not have links, and Linux refuses links to another user's file. No run
      // may take for an orphan what is then the only name of the file.
      name = {unused_name(target_), {}};
      if (::rename(target_.c_str(), name.path.c_str()) != 0) {
        fail_output(path, "replace the older file", errno);
      }
    }
    name_ = std::move(name);
  }

  // Undoes the output's rename. Returns whether the path is as before.
  bool restore() {
    if (name_.path.empty()) return ::unlink(target_.c_str()) == 0 || errno == ENOENT;
    if (::rename(name_.path.c_str(), target_.c_str()) != 0) return false;
    // Both may name one file, as the output was not renamed; rename() then leaves both.
    discard();
    return true;
  }

  // A failure leaves a file behind, but the outputs are complete.
  void discard() {
    if (!name_.path.empty()) TemporaryNames().unlink(name_.path);
  }

  std::string where() const { return name_.path.empty() ? target_ : name_.path; }

 private:
  std::string target_;
  OwnedName name_;  // empty: there is no older file
};

// The end of the message of a failed rename: what became of the outputs before it.
std::string restore_all(std::vector<OlderFile>& older) {
  std::string lost;
  for (auto file = older.rbegin(); file != older.rend(); ++file) {
    if (!file->restore()) lost += (lost.empty() ? "" : ", ") + file->where();
  }
  if (!lost.empty()) return "; these files could not be restored: " + lost;
  return older.empty() ? "" : "; the other outputs are as before the run";
}

// A file is listed once for each mesh and clip that it holds.
void remove_repeats(std::vector<OutputFile*>& files) {
  std::unordered_set<const OutputFile*> known;
  std::erase_if(files, [&](const OutputFile* file) { return !known.insert(file).second; });
}

}  // namespace

void commit_together(std::vector<OutputFile*> files) {
  std::erase_if(files, [](const OutputFile* file) { return file->is_committed(); });
  remove_repeats(files);
  for (OutputFile* file : files) file->prepare();
  std::vector<OlderFile> older;
  older.reserve(files.size());
  try {
    for (OutputFile* file : files) {
      if (file != files.back() && !file->target_.empty()) {
        older.emplace_back(file->path_, file->target_);
      }
      file->rename();
    }
  } catch (const Error& error) {
    const std::string restored = restore_all(older);  // first: the message needs memory
    throw Error(error.code(), error.message() + restored, error.location());
  } catch (...) {
    restore_all(older);
    throw;
  }
  for (OlderFile& file : older) file.discard();
}

}  // namespace skinbake
