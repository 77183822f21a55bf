// Goldens: signatures of caches that fit into a repository. A golden has the exact hash of every
// block of 16 frames, and the positions of a few vertices in every frame, about 1 % of the cache.
// lib/batch/README.md describes the file.

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

// Vertices that stand for a mesh.
struct GoldenSample {
  std::vector<VertexIndex> vertices;  // ascending
  std::vector<std::string> joints;    // [vertex] with the largest weight; empty: unknown
};

// The number of vertices of a sample: one of a hundred, at least 8 and at most 64.
std::int64_t golden_sample_size(std::int64_t vertices);

// Chooses `count` vertices by the joints that move them most, in turn: those at the ends of the
// joint's region along the axes, then those farthest from the chosen ones of the region. Positions
// are at rest. `rig`: null if it is unknown; then all vertices are one region. The result depends
// on the arguments alone. Preconditions: positions [vertex][axis]; the rig has as many vertices.
GoldenSample stratified_sample(std::span<const float> positions, const Rig* rig,
                               std::int64_t count);

struct Golden {
  std::string format;  // of the cache
  std::uint64_t bytes = 0;
  std::string xxh128;              // of the file
  std::string mesh, clip, method;  // by its sidecar; empty: unknown
  std::int64_t vertex_count = 0;
  FrameRange frames;
  std::vector<std::string>
      blocks;  // [block] XXH128 of its positions, float32 [frame][vertex][axis]
  GoldenSample sample;
  double quantum_m = 0;          // positions are multiples of it; 0: as in the cache
  std::vector<float> positions;  // [sample][frame][axis], metres, y up
  // [block] XXH128 of the positions of the sample as in the cache, [sample][frame][axis]; empty
  // without a quantum. They tell whether the sample has moved by less than a quantum; if a golden
  // with a quantum lacks them, every block that differs has changed outside the sample.
  std::vector<std::string> sample_blocks = {};
  // By the sidecar; none: unknown, as in goldens of older versions.
  std::optional<Space> space = {};
  std::vector<CacheClip> clips = {};  // of a cache of several; empty: it has one, or unknown ones
};

struct GoldenOptions {
  std::int64_t vertices = 0;  // of the sample; 0: golden_sample_size
  double quantum_m = 0;
};

// Signs a cache. `rig`: the mesh that was baked, or null. Throws Error: kInput if the cache cannot
// be read or has a position that is not a number (NON_FINITE_POSITION);
// kNotComparable if the rig has another number of vertices; kUsage (QUANTUM_INVALID) if a position
// is not within 2^22 quanta.
Golden make_golden(const CacheReader& cache, const Rig* rig, const GoldenOptions& options);

std::string golden_text(const Golden& golden);
// Parses an untrusted golden. `name` stands for the file in messages. Throws Error (kInput):
// GOLDEN_INVALID.
Golden parse_golden(std::string_view text, const std::string& name);
Golden read_golden(const std::string& path);

// How a cache differs from its golden.
struct GoldenDifference {
  bool identical = false;   // every position, by the hashes
  bool by_sidecar = false;  // the sidecar says so; the cache is missing
  std::int64_t blocks = 0;  // that differ
  // Of those, blocks whose sample is equal, bit by bit: they have changed outside the sample, by an
  // unknown distance.
  std::int64_t unseen_blocks = 0;
  std::optional<std::int64_t> first_block;
  // Of the sample, metres; infinite if any position of the cache that differs is not a number.
  double max_m = 0;
  std::int64_t frame = 0;  // number of the frame of the largest distance
  VertexIndex vertex = 0;
  std::string joint;
  // All vertices of the sample are in the cache in every frame, but some at other indices.
  bool is_reordered = false;
};

// The hash of a cache by its sidecar. None: there is no sidecar.
std::optional<std::string> claimed_hash(const std::string& cache_path);

// The hashes of the blocks of a cache, as a golden has them. Throws Error (kInput) if the cache
// cannot be read.
std::vector<std::string> block_hashes(const CacheReader& cache);

// Compares a cache with its golden. Throws Error: kInput if the cache cannot be read;
// kNotComparable if the counts differ.
GoldenDifference compare_with_golden(const Golden& golden, const CacheReader& cache);

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
