// A file that appears whole or not at all.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skinbake {

// Writes beside the final name and takes it only in commit(). Destroyed without commit(), it leaves
// nothing, and an older file under the name is untouched. A device (/dev/stdout, /dev/full) is
// written to directly. All members throw Error (kOutput) with the path, the cause and a remedy.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  // Takes the disk's space for a file of so many bytes now: a full disk is found before the work,
  // not after it, and writing into space that is there is faster. All of it must be written before
  // commit(). Where the file system cannot, nothing happens.
  void reserve(std::uint64_t size);

  // The same for a file of which only the greatest size is known. No error: less may do. cut()
  // gives back what was not written.
  void reserve_at_most(std::uint64_t size);
  void cut(std::uint64_t size);

  // Appends. Not to be mixed with write_at.
  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }

  // Positional; may be called from several threads, in any order.
  void write_at(const void* data, std::size_t size, std::uint64_t offset);

  void sync();    // fsync: survives a power cut
  void commit();  // renames into place

  const std::string& path() const { return path_; }

  // Before commit(): a path of this process under which what was written can be read.
  std::string readable_path() const;

 private:
  std::string path_;       // as the user typed it
  std::string target_;     // what is renamed to: links resolved
  std::string temporary_;  // empty: the file has no name yet, or needs none
  int descriptor_ = -1;
  bool is_device_ = false;
  std::uint64_t appended_ = 0;
};

}  // namespace skinbake
