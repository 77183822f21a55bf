// The sections of a run, from the sections of its parts.

#pragma once

#include <cstdint>
#include <optional>

#include "report/merge/error_parts.h"
#include "report/merge/part.h"

namespace skinbake {

// Not nested in RunParts: Clang 14 rejects std::optional of a nested struct with default member
// initialisers.
struct DihedralSums {
  std::int64_t edges = 0;
  std::int64_t frames = 0;
  double square = 0;  // over edges and frames
};

class RunParts {
 public:
  // Takes the run of the first part, in place: it becomes that of the whole. Throws Error (kInput):
  // PART_INVALID for a metric that cannot be put together, REPORT_INVALID.
  RunParts(const std::string& path, const nlohmann::json& run, std::int64_t vertices);

  // Adds the run of the next part. Throws Error (kInput) also PARTS_DIFFER.
  void add(const PartSection& run);

  void finish(nlohmann::json& run, double diagonal_m) const;

 private:
  void add_sums(const std::string& path, const nlohmann::json& run);

  std::int64_t vertices_;
  std::optional<ErrorParts> error_;
  std::optional<DihedralSums> dihedral_;
};

}  // namespace skinbake
