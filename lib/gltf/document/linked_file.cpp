#include "gltf/document/linked_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "base/paths.h"
#include "gltf/document/uri.h"

namespace skinbake::gltf {

namespace {

// Whether a path of a URI, whose ".." are all at its beginning, leads above its first folder.
bool climbs_out(const std::string& path) {
  return path == ".." || path.starts_with("../");
}

// The folder of a path with its slash, or an empty text.
std::string folder_prefix(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

// An open file, or the reason (errno) why it could not be opened.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor), error_(descriptor < 0 ? errno : 0) {}
  File(File&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), error_(other.error_) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  static File refused(int error) { return errno = error, File(-1); }

  int descriptor() const { return descriptor_; }
  int error() const { return error_; }
  std::string link() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_, error_;
};

// O_NONBLOCK: opening a pipe without a writer must not wait.
constexpr int kToRead = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

// Opens a path relative to a folder if no link of it leads out of the folder.
File open_by_kernel(const File& folder, const std::string& path) {
  open_how how{};
  how.flags = kToRead;
  how.resolve = RESOLVE_BENEATH;
  return File(
      static_cast<int>(syscall(SYS_openat2, folder.descriptor(), path.c_str(), &how, sizeof how)));
}

// The same for kernels without openat2. O_PATH: a file outside the folder is found, not opened.
File open_by_place(const File& folder, const std::string& path) {
  const File found(openat(folder.descriptor(), path.c_str(), O_PATH | O_CLOEXEC));
  if (found.error() != 0) return File::refused(found.error());
  std::error_code unknown;
  const auto place = std::filesystem::read_symlink(found.link(), unknown);
  const auto outer = std::filesystem::read_symlink(folder.link(), unknown);
  if (unknown) return File::refused(EXDEV);
  const auto rest = std::mismatch(outer.begin(), outer.end(), place.begin(), place.end());
  if (rest.first != outer.end()) return File::refused(EXDEV);
  return File(open(found.link().c_str(), kToRead));
}

// Opens a path relative to a folder. The error EXDEV: it leads out of the folder.
File open_below(const std::string& folder_path, const std::string& path) {
  const File folder(open(folder_path.empty() ? "." : folder_path.c_str(), O_PATH | O_CLOEXEC));
  if (folder.error() != 0) return File::refused(folder.error());
  File file = open_by_kernel(folder, path);
  // EXDEV: perhaps an absolute link to a file in the folder. EAGAIN: a folder was renamed
  // meanwhile. ENOSYS, EPERM: the kernel does not have the call, or a container forbids it.
  const int error = file.error();
  const bool is_decided = error != EXDEV && error != EAGAIN && error != ENOSYS && error != EPERM;
  return is_decided ? std::move(file) : open_by_place(folder, path);
}

FileContent problem(std::string text) {
  return {{}, std::move(text)};
}

FileContent cannot_be_read(int error) {
  FileContent content = problem(std::string("cannot be read: ") + strerror(error));
  if (error == ENOENT) content.problem = "does not exist";
  content.is_missing = error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
  return content;
}

FileContent content_of(const File& file, std::uint64_t limit) {
  if (file.error() != 0) return cannot_be_read(file.error());
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) return cannot_be_read(errno);
  if (!S_ISREG(status.st_mode)) return problem("is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) return {{}, "is larger than the limit", size};
  FileContent content{Bytes(size), ""};
  std::size_t done = 0;
  while (done < size) {
    // A signal waits for the end of a read.
    constexpr std::size_t kAtOnce = std::size_t{4} << 20;
    const std::size_t part = std::min(kAtOnce, size - done);
    const ssize_t n = read(file.descriptor(), content.bytes.data() + done, part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return cannot_be_read(errno);
    if (n == 0) return problem("was truncated while it was read");
    done += static_cast<std::size_t>(n);
  }
  return content;
}

std::string joined(const std::string& folder, const std::string& path) {
  return path.starts_with('/') ? path : folder + path;
}

// Reads one of the paths that a URI can mean.
LinkedFile read_path(const std::string& folder, const std::string& path, bool allow_outside) {
  const std::string full_path = joined(folder, path);
  if (allow_outside) return {full_path, "", false, read_file(full_path)};
  if (path.starts_with('/')) return {"", "is an absolute path", true, {}};
  if (climbs_out(path)) return {"", "is outside the glTF's folder", true, {}};
  const File file = open_below(folder, path);
  if (file.error() == EXDEV) {
    return {"", "is a symbolic link to a file outside the glTF's folder", true, {}};
  }
  return {full_path, "", false, content_of(file, UINT64_MAX)};
}

}  // namespace

FileContent read_file(const std::string& path, std::uint64_t limit) {
  return content_of(File(open(path.c_str(), kToRead)), limit);
}

std::string named_file(const std::string& document_path, const std::string& uri) {
  if (is_data_uri(uri)) return "";
  const UriPaths named = paths_of_uri(uri);
  if (!named.refusal.empty()) return "";
  const std::string folder = folder_prefix(document_path);
  for (const std::string& path : named.paths) {
    if (is_regular_file(joined(folder, path))) return joined(folder, path);
  }
  return joined(folder, named.paths.front());
}

LinkedFile read_linked(const std::string& document_path, const std::string& uri,
                       bool allow_outside) {
  const UriPaths named = paths_of_uri(uri);
  if (!named.refusal.empty()) return {"", named.refusal, false, {}};
  const std::string folder = folder_prefix(document_path);
  LinkedFile likeliest = read_path(folder, named.paths.front(), allow_outside);
  if (!likeliest.content.is_missing) return likeliest;
  for (std::size_t i = 1; i < named.paths.size(); ++i) {
    LinkedFile other = read_path(folder, named.paths[i], allow_outside);
    if (other.refusal.empty() && !other.content.is_missing) return other;
  }
  if (named.if_missing.empty()) return likeliest;
  return {"", named.if_missing, false, {}};
}

InputFile input_record(const char* role, const std::string& shown_as, ByteSpan bytes) {
  Xxh128 hash;
  hash.update(bytes.data(), bytes.size());
  return {role, shown_as, bytes.size(), hash.hex()};
}

}  // namespace skinbake::gltf
