#include "base/random_access_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kHashedAtOnce = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw Error(ErrorKind::kInput, "FILE_UNREADABLE", message, {path, ""});
}

}  // namespace

RandomAccessFile::RandomAccessFile(std::string path) : path_(std::move(path)) {
  // O_NONBLOCK: opening a pipe without a writer must not wait; a pipe is refused below.
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    if (errno == ENOENT) fail(path_, "does not exist; check the path");
    fail(path_, std::string("cannot be read: ") + std::strerror(errno) + "; check its permissions");
  }
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (known && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  ::close(descriptor_);
  fail(path_, "is not a regular file; name one");
}

RandomAccessFile::~RandomAccessFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RandomAccessFile::RandomAccessFile(RandomAccessFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

void RandomAccessFile::read_at(void* data, std::size_t size, std::uint64_t offset) const {
  char* to = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = ::pread(descriptor_, to, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path_, std::string("cannot be read: ") + std::strerror(errno) + "; try again");
    if (n == 0) fail(path_, "was truncated while it was read; write it again");
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

}  // namespace skinbake
