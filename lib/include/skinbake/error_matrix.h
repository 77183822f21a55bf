// Every error of a run: the distance of each vertex from the reference, in each frame.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "skinbake/output_file.h"

namespace skinbake {

// A NumPy array of float32, [frame][vertex], metres, on its way to the disk. Takes its space at
// once and holds none of it in memory. All members throw Error (kOutput).
class ErrorMatrix {
 public:
  ErrorMatrix(const std::string& path, std::int64_t frame_count, std::int64_t vertex_count);

  // The distances of one frame, `position` counted from the run's first. By any thread, in any
  // order.
  void write(std::int64_t position, std::span<const float> distances);
  void sync() { file_.sync(); }
  void commit() { file_.commit(); }
  const std::string& path() const { return file_.path(); }

 private:
  std::string head_;
  std::uint64_t row_bytes_ = 0;
  OutputFile file_;
};

}  // namespace skinbake
