// A block of frames in the making.

#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "bake/relax.h"
#include "frames/corner_normals.h"

namespace skinbake {

inline constexpr std::size_t kNumbersPerVertex = 3 * kFramesPerBlock;

// A position that is not finite: the first in the order of frames, then vertices.
struct BadPosition {
  std::int64_t frame = -1;
  VertexIndex vertex = 0;

  void take(std::int64_t f, VertexIndex v) {
    if (frame < 0 || std::pair(f, v) < std::pair(frame, vertex)) *this = {f, v};
  }
};

using SinksOfRuns = std::vector<std::vector<FrameSink*>>;

// Where tiles are evaluated that nobody needs afterwards. One per thread.
struct TileScratch {
  AlignedArray<float> positions{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<float> reference{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<float> normals{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<float> tangents{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<double> exact;
};

// A block in flight: its joints, its positions if a sink needs them whole, its sinks' states.
struct Slot {
  // One of a run's sinks that wants normals.
  struct Reader {
    NormalReader* sink;
    BlockState* state;
    NormalKind kind;
    bool takes_whole;
    bool wants_tangents;
  };
  struct Run {
    AlignedArray<float> whole;  // [vertex][axis][frame]; empty: tiles are enough
    // Whether skinned normals, and tangents beside them, are made, tile by tile.
    bool has_skinned = false, has_tangents = false;
    AlignedArray<float> normals, tangents;  // of the whole mesh, likewise
    // Those of the triangles; empty: nobody reads them, or there are none. Their tangents are moved
    // tile by tile, and wait for the normals.
    AlignedArray<float> geometric, geometric_tangents;
    std::vector<std::unique_ptr<BlockState>> states;
    std::vector<Reader> readers;
  };
  // The whole mesh of a method that relaxes, made before the tiles; null of others.
  struct Relaxed {
    RelaxBuffers<float> buffers;
    RelaxBuffers<double> exact_buffers;
    const float* positions = nullptr;
    const double* exact = nullptr;
    bool finite = true;
  };

  // `sinks_of_runs`: those that are fed, of each of the plan's runs.
  Slot(const Job& job, const SinksOfRuns& sinks_of_runs);

  FrameBlock block;
  BlockJoints joints;
  std::vector<TrackedJoints> tracked;  // [lane], if a method wants them
  std::vector<float> reference_rows;   // [frame][vertex][axis], if the reference is frames
  std::vector<Run> runs;
  std::vector<Relaxed> relaxed;      // [method]
  AlignedArray<double> corner_sums;  // for geometric normals, as CornerNormalTask has them
  AlignedArray<double> sides;
  std::mutex bad_mutex;
  BadPosition bad;
};

}  // namespace skinbake
