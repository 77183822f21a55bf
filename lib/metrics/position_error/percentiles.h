// Percentiles of errors, and the errors of every vertex and frame from which they are taken.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"

namespace skinbake {

// ---- The errors of a run as an array: the distance of each vertex from the reference in each
// frame.

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

// ---- Percentiles of distances, without sorting.

// Selects percentiles from rows of distances, reusing its memory. Not thread-safe.
class PercentileSelector {
 public:
  static constexpr std::array<int, 3> kPercents{50, 95, 99};

  // Returns the nearest-rank percentiles kPercents: the k-th smallest of n distances with
  // k = (p n + 99) div 100, at least 1.
  // Preconditions: `distances` is not empty, and no element is negative.
  std::array<float, 3> select(std::span<const float> distances);

 private:
  // The bin that contains a rank. `below`: number of distances in lower bins.
  struct Found {
    std::uint32_t bin = 0;
    std::size_t below = 0;
  };

  void count(std::span<const float> distances, std::uint32_t first, std::uint32_t last);
  std::size_t size_of(std::uint32_t bin) const;
  void collect(std::span<const float> distances, const std::array<Found, 3>& found);
  float nth_in(const Found& found, std::size_t k);

  std::vector<std::uint32_t> histograms_;  // [histogram][bin]
  std::vector<float> candidates_;          // distances in the bins of all ranks
  std::vector<float> picked_;              // distances in the bin of one rank
};

}  // namespace skinbake
