// A file in memory that has a path.

#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace skinbake::test {

class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("skinbake-test", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("no file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // Replaces the content.
  void write(std::string_view bytes) {
    if (::ftruncate(descriptor_, static_cast<off_t>(bytes.size())) != 0 ||
        ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) !=
            static_cast<ssize_t>(bytes.size())) {
      throw std::runtime_error("cannot write a file in memory");
    }
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace skinbake::test
