// A block of frames that is being computed.

#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "bake/block/block_joints.h"
#include "bake/block/block_loop.h"
#include "bake/relax.h"
#include "frames/corner_normals.h"

namespace skinbake {

// The first position or normal that is not finite, by frame, then by vertex.
struct BadPoint {
  const char* name = "";    // "position" or "normal"
  std::int64_t frame = -1;  // lane; -1: all are finite
  VertexIndex vertex = 0;
};

struct BakedBlock final : BlockInFlight {
  // A sink that reads normals.
  struct Reader {
    NormalReader* sink;
    BlockState* state;
    NormalKind kind;
    bool needs_whole;
    bool wants_tangents;
  };
  struct Run {
    AlignedArray<float> whole;  // [vertex][axis][frame]; empty unless a sink needs the whole mesh
    // Whether skinned normals, and their tangents, are computed tile by tile.
    bool has_skinned = false, has_tangents = false;
    // Skinned normals and tangents of the whole mesh; empty unless a sink needs them whole.
    AlignedArray<float> normals, tangents;
    // Normals of the triangles, and their tangents; empty unless a sink reads them and the mesh has
    // them. The tangents are transformed tile by tile, and made perpendicular to the normals
    // afterwards.
    AlignedArray<float> geometric, geometric_tangents;
    std::vector<Reader> readers;
  };
  // The whole mesh of a method that relaxes, computed before the tiles; null for other methods.
  struct Relaxed {
    RelaxBuffers<float> buffers;
    RelaxBuffers<double> exact_buffers;
    const float* positions = nullptr;
    const double* exact = nullptr;
    bool is_finite = true;
  };

  explicit BakedBlock(const Job& job);

  // Allocates the arrays that the sinks of each run need. Precondition: `states` are set.
  void add_runs(const Job& job, const SinksOfRuns& sinks);

  // Updates `bad`. name: "position" or "normal"; points: [vertex][axis][frame]. Thread-safe.
  void find_bad(const char* name, VertexRange of, const float* points);

  BlockJoints joints;
  std::vector<TrackedJoints> tracked;   // [lane]; empty unless a method needs them
  std::optional<SourceRows> reference;  // if the reference is frames
  std::vector<Run> runs;
  std::vector<Relaxed> relaxed;      // [method]
  AlignedArray<double> corner_sums;  // scratch and sides of CornerNormalTask, for geometric normals
  AlignedArray<double> sides;
  std::mutex bad_mutex;
  BadPoint bad;
};

}  // namespace skinbake
