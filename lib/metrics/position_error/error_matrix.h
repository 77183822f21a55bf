// The errors of a run as an array: the distance of each vertex from the reference in each frame.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/output_file.h"

namespace skinbake {

// Writes a NumPy array of float32, [frame][vertex], metres. The constructor allocates the disk
// space; no part of the array is kept in memory. All members throw Error (kOutput).
class ErrorMatrix {
 public:
  ErrorMatrix(const std::string& path, std::int64_t frame_count, std::int64_t vertex_count);

  // Writes the distances of one frame, [vertex]; `position` counts frames from the run's first.
  // Thread-safe; frames may come in any order.
  void write(std::int64_t position, std::span<const float> distances);
  OutputFile& file() { return file_; }  // for the commit
  const std::string& path() const { return file_.path(); }

 private:
  std::string head_;
  std::uint64_t row_bytes_ = 0;
  OutputFile file_;
};

}  // namespace skinbake
