// Errors per vertex in files beside the report: NumPy arrays of float32 [row][vertex] with the rows
// rms, max and max_frame (frame numbers, exact below 2^24). write_per_vertex() in
// skinbake/report.h writes them.

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "skinbake/memory.h"

namespace skinbake {

struct LoadedArrays {
  std::uint64_t memory = 0;          // largest number of bytes that the arrays take
  std::vector<std::string> missing;  // files that do not exist
  std::vector<std::string> files;    // paths of the files that were read
};

// Replaces every reference to a file in `report` by the arrays themselves, in the form of
// PerVertex::kJson. `path`: the report's path. Throws Error (kInput): REPORT_INVALID,
// PER_VERTEX_INVALID if a file differs from the one that was written with the report, MEMORY_LIMIT.
LoadedArrays load_per_vertex(nlohmann::json& report, const std::string& path,
                             const MemoryShare& share);

// The largest number of bytes that load_per_vertex takes for a report. Throws as it does, but for
// MEMORY_LIMIT.
std::uint64_t memory_of_arrays(nlohmann::json& report, const std::string& path);

// The bytes that the arrays take, and of these the ones that a parsed report keeps.
constexpr std::uint64_t kept_of_arrays(std::uint64_t bytes) {
  return bytes / 6;  // of three numbers as bytes and as JSON, one double
}

// The double nearest to the shortest decimal of a float: the number that a JSON report yields.
// NaN if `value` is not finite.
double as_json_reads(float value);

}  // namespace skinbake
