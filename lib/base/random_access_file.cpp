#include "base/random_access_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

std::atomic<rlim_t> held_descriptors{0};

}  // namespace

DescriptorPermission DescriptorPermission::request() {
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
  DescriptorPermission permission;
  permission.is_given_ = true;
  if (held_descriptors.fetch_add(1) >= limit.rlim_cur / 2 && is_limited) return {};
  return permission;
}

DescriptorPermission::~DescriptorPermission() {
  if (is_given_) held_descriptors.fetch_sub(1);
}

DescriptorPermission::DescriptorPermission(DescriptorPermission&& other) noexcept
    : is_given_(std::exchange(other.is_given_, false)) {}

DescriptorPermission& DescriptorPermission::operator=(DescriptorPermission&& other) noexcept {
  std::swap(is_given_, other.is_given_);
  return *this;
}

namespace {

constexpr std::size_t kHashedAtOnce = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw Error("FILE_UNREADABLE", message, {path, ""});
}

int open_to_read(const std::string& path) {
  // O_NONBLOCK: opening a pipe without a writer must not wait; the caller refuses a pipe.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0) return descriptor;
  if (errno == ENOENT) fail(path, "does not exist");
  fail(path, std::string("cannot be read: ") + std::strerror(errno));
}

// A descriptor that is closed unless it is held elsewhere.
struct ReadDescriptor {
  int descriptor;
  bool is_held;
  ~ReadDescriptor() {
    if (!is_held) ::close(descriptor);
  }
};

}  // namespace

RandomAccessFile::RandomAccessFile(std::string path) : path_(std::move(path)) {
  ReadDescriptor file{open_to_read(path_), false};
  struct stat status {};
  const bool known = ::fstat(file.descriptor, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) fail(path_, "is not a regular file");
  size_ = static_cast<std::uint64_t>(status.st_size);
  device_ = status.st_dev;
  inode_ = status.st_ino;
  permission_ = DescriptorPermission::request();
  if (!permission_) return;
  file.is_held = true;
  descriptor_ = file.descriptor;
}

RandomAccessFile::~RandomAccessFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RandomAccessFile::RandomAccessFile(RandomAccessFile&& other) noexcept
    : path_(std::move(other.path_)),
      permission_(std::move(other.permission_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      device_(other.device_),
      inode_(other.inode_),
      size_(other.size_) {}

void RandomAccessFile::read_at(void* data, std::size_t size, std::uint64_t offset) const {
  const bool is_held = descriptor_ >= 0;
  const ReadDescriptor file{is_held ? descriptor_ : open_to_read(path_), is_held};
  struct stat status {};
  if (!is_held && (::fstat(file.descriptor, &status) != 0 || status.st_dev != device_ ||
                   status.st_ino != inode_)) {
    fail(path_, "was replaced while it was read");
  }
  char* to = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = ::pread(file.descriptor, to, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path_, std::string("cannot be read: ") + std::strerror(errno));
    if (n == 0) fail(path_, "was truncated while it was read");
    to += n;
    size -= static_cast<std::size_t>(n);
    offset += static_cast<std::uint64_t>(n);
  }
}

std::string RandomAccessFile::xxh128() const {
  Xxh128 hash;
  std::vector<char> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size_, kHashedAtOnce)));
  for (std::uint64_t done = 0; done < size_;) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), size_ - done));
    read_at(bytes.data(), part, done);
    hash.update(bytes.data(), part);
    done += part;
  }
  return hash.hex();
}

namespace {

std::string first_bytes(const RandomAccessFile& file, std::uint64_t count) {
  std::string text(static_cast<std::size_t>(count), '\0');
  file.read_at(text.data(), text.size(), 0);
  return text;
}

}  // namespace

std::string text_of_file(const std::string& path, std::uint64_t limit) {
  const RandomAccessFile file(path);
  if (file.size() <= limit) return first_bytes(file, file.size());
  fail(path, "has " + std::to_string(file.size()) + " bytes, more than the limit of " +
                 std::to_string(limit));
}

std::string head_of_file(const std::string& path) {
  constexpr std::uint64_t kBytes = 4096;
  try {
    const RandomAccessFile file(path);
    return first_bytes(file, std::min(kBytes, file.size()));
  } catch (const Error&) {
    return "";
  }
}

}  // namespace skinbake
