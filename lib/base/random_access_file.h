// A file that is read at any place, by any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace skinbake {

// All members throw Error (kInput, FILE_UNREADABLE) with the path, the cause and a remedy. Not
// mapped: a file that another program cuts off is then an error, not a signal.
class RandomAccessFile {
 public:
  explicit RandomAccessFile(std::string path);
  ~RandomAccessFile();
  RandomAccessFile(RandomAccessFile&& other) noexcept;
  RandomAccessFile& operator=(RandomAccessFile&&) = delete;

  // All of the bytes asked for: a file that has become shorter is an error.
  void read_at(void* data, std::size_t size, std::uint64_t offset) const;

  std::uint64_t size() const { return size_; }  // when it was opened
  const std::string& path() const { return path_; }
  std::string xxh128() const;  // of its content; reads all of it

 private:
  std::string path_;  // as the user typed it
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace skinbake
