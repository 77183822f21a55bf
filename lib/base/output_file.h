// Output files that appear complete or not at all, one at a time or together.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/paths.h"

namespace skinbake {

class DescriptorPermission;

// Writes a temporary file beside the final path and renames it in commit(). Destroyed without
// commit(), it leaves no file, and an older file at the path stays unchanged. A device
// (/dev/stdout, /dev/full) is written directly. All members throw Error (kOutput) with the path,
// the cause and a remedy.
//
// The open files share half of the process's descriptors (RLIMIT_NOFILE). A file beyond these is
// opened anew for each access, so any number of outputs may be unfinished at the same time.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  // Allocates disk space for a file of `size` bytes, so that a full disk fails before the work and
  // not after it. Writing into allocated space is also faster. All `size` bytes must be written
  // before commit(). Does nothing where the file system does not support it.
  void reserve(std::uint64_t size);

  // Allocates disk space for at most `size` bytes; a full disk is not an error here. truncate()
  // frees the space beyond its `size`, the number of bytes that were written.
  void reserve_at_most(std::uint64_t size);
  void truncate(std::uint64_t size);

  // Appends. A file is written either by write or by write_at.
  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }

  // Writes at an offset. Thread-safe; writes may come in any order.
  void write_at(const void* data, std::size_t size, std::uint64_t offset);

  // Writes the first `size` bytes of an open file. The file systems that can share blocks between
  // files do so. Throws if the file is shorter.
  void copy(int descriptor, std::uint64_t size);

  void sync();    // fsync: the content survives a power cut
  void commit();  // gives the file its final path; it then does nothing
  bool is_committed() const { return is_committed_; }

  const std::string& path() const { return path_; }

  // A path under which this process can read the written bytes. Precondition: commit() has not been
  // called.
  std::string readable_path() const;

 private:
  friend void commit_together(std::vector<OutputFile*> files);
  class Access;

  // Opens the temporary file, under a name only if `is_named` or if the file system requires one.
  void open_temporary(bool is_named);
  void discard();  // closes the file and removes its temporary name

  // The steps of a commit. prepare() gives the file a name beside its final path and closes it.
  void prepare();
  void name_temporary();
  void rename();

  std::string path_;       // as the caller named it
  std::string target_;     // the final path, symbolic links resolved
  std::string temporary_;  // path of the temporary file; empty: it is unnamed, or a device
  int descriptor_ = -1;    // -1: the file is opened for each access, or committed
  std::unique_ptr<DescriptorPermission> permission_;  // to hold the descriptor; null: none
  bool is_device_ = false;
  bool is_committed_ = false;
  // Given at commit() to a file that is opened for each access; until then it can be written.
  std::optional<unsigned> permissions_;
  std::uint64_t appended_ = 0;
};

// Gives all files their final paths, or none: after a failure, the paths are as before, which the
// message says. A file may be listed twice. Throws Error (kOutput).
// Only a process that is killed between two renames leaves some of the files.
void commit_together(std::vector<OutputFile*> files);

// The temporary files that could not be removed, such as in a folder for appending alone (chattr
// +a). Call when no OutputFile exists.
std::vector<std::string> kept_temporary_files();

// Removes the temporary files of all OutputFiles that are not committed. For a process that then
// ends at once: a thread that creates, commits or destroys an OutputFile afterwards waits for ever.
void abandon_output_files();

}  // namespace skinbake
