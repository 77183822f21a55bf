// Goldens: the choice of the sample, and the verdicts of the check (skinbake/caches.h has the
// rest).

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/caches.h"
#include "skinbake/rig.h"

namespace skinbake {

// The number of vertices of a sample: one of a hundred, at least 8 and at most 64.
std::int64_t golden_sample_size(std::int64_t vertices);

// Chooses `count` vertices by the joints that move them most, in turn: first, ends of the joint's
// region along the axes, then the vertices farthest from the chosen ones of the region. Positions
// are at rest. `rig`: null if it is unknown; then all vertices are one region. The result depends
// on the arguments alone. Preconditions: positions [vertex][axis]; the rig has as many vertices.
GoldenSample stratified_sample(std::span<const float> positions, const Rig* rig,
                               std::int64_t count);

// The hash of a cache by its sidecar. None: there is no sidecar.
std::optional<std::string> claimed_hash(const std::string& cache_path);

// The hashes of the blocks of a cache, as a golden has them. Throws Error (kInput) if the cache
// cannot be read.
std::vector<std::string> block_hashes(const CacheReader& cache);

// The check of one cache.
struct GoldenResult {
  enum class Status {
    kIdentical,
    kWithin,   // the sample is within the limit, and shows that every other block has moved
    kDiffers,  // the sample is farther, or without a limit any position differs
    kUnseen,   // the sample is within the limit, but a block has changed outside it
    kMissing,  // there is no cache
    kNew,      // there is no golden
    kRenamed,  // there is none of this name, but a golden without a cache has its positions
    kFailed,   // the cache or the golden cannot be compared
  };
  std::string name, mesh, clip;  // empty: unknown
  Status status = Status::kIdentical;
  GoldenDifference difference = {};
  std::int64_t all_blocks = 0, sampled = 0;  // blocks of the cache, vertices of the sample
  std::string message = {};                  // of kFailed
  std::string renamed_from = {};             // of kRenamed: the name that the golden has

  bool passed() const { return status == Status::kIdentical || status == Status::kWithin; }
  // Whether positions were compared, and some differ.
  bool is_compared() const {
    return status == Status::kWithin || status == Status::kDiffers || status == Status::kUnseen;
  }
};
std::string_view to_string(GoldenResult::Status status);

// Sets the status by a difference. `limit_m`: of the sample; none: every position must be
// identical.
void judge(const GoldenDifference& difference, std::optional<double> limit_m, GoldenResult& result);

// JSON: schema "skinbake.golden.check", version 1.0.
std::string golden_results_json(std::span<const GoldenResult> results);

}  // namespace skinbake
