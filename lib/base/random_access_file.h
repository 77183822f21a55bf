// Files that are read, and the descriptors that files may hold.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace skinbake {

// The permission to hold one descriptor. At most half of the limit (RLIMIT_NOFILE) is held, so that
// the rest of the process can open files; beyond it, permissions are false. Thread-safe.
class DescriptorPermission {
 public:
  DescriptorPermission() = default;  // false
  static DescriptorPermission request();
  ~DescriptorPermission();
  DescriptorPermission(DescriptorPermission&& other) noexcept;
  DescriptorPermission& operator=(DescriptorPermission&& other) noexcept;

  explicit operator bool() const { return is_given_; }

 private:
  bool is_given_ = false;
};

// A file that several threads can read at the same time, each at its own offset. A file beyond the
// descriptors that may be held is opened anew for each read; one that has been replaced meanwhile
// is an error.
//
// All members throw Error (kInput, FILE_UNREADABLE) with the path, the cause and a remedy. The file
// is not mapped into memory: if another program truncates it, reading fails with an error instead
// of a signal.
class RandomAccessFile {
 public:
  explicit RandomAccessFile(std::string path);
  ~RandomAccessFile();
  RandomAccessFile(RandomAccessFile&& other) noexcept;
  RandomAccessFile& operator=(RandomAccessFile&&) = delete;

  // Reads exactly `size` bytes; throws if the file has become shorter.
  void read_at(void* data, std::size_t size, std::uint64_t offset) const;

  std::uint64_t size() const { return size_; }  // at the time of opening
  const std::string& path() const { return path_; }
  std::string xxh128() const;  // hash of the content; reads the whole file

 private:
  std::string path_;  // as the caller passed it
  DescriptorPermission permission_;
  int descriptor_ = -1;  // -1: the file is opened for each read
  std::uint64_t device_ = 0, inode_ = 0;
  std::uint64_t size_ = 0;
};

// The content of a regular file. Throws Error, too, if the file has more than `limit` bytes.
std::string text_of_file(const std::string& path, std::uint64_t limit);

// The first bytes of a regular file, at most 4096; none if it cannot be read.
std::string head_of_file(const std::string& path);

}  // namespace skinbake
