// Errors per vertex in a file of their own beside the report: a NumPy array of float32
// [row][vertex] with the rows rms, max and max_frame (frame numbers, exact below 2^24).

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace skinbake {

struct LoadedArrays {
  std::uint64_t memory = 0;          // bytes that they take at most
  std::vector<std::string> missing;  // files that are not there
};

// Puts the arrays that a report names where it would have them as JSON. `path`: of the report.
// Throws Error (kInput): REPORT_INVALID, PER_VERTEX_INVALID if a file is not the one that was
// written with the report, MEMORY_LIMIT.
LoadedArrays load_per_vertex(nlohmann::json& report, const std::string& path,
                             std::uint64_t max_memory);

}  // namespace skinbake
