// A block of frames in the making.

#pragma once

#include <algorithm>
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

// A block in flight: its joints, its positions if a sink needs them whole, its sinks' states.
struct Slot {
  struct Run {
    AlignedArray<float> whole;    // [vertex][axis][frame]; empty: tiles are enough
    AlignedArray<float> normals;  // likewise, skinned; empty: nobody reads them, or there are none
    AlignedArray<float> geometric;                     // likewise
    AlignedArray<float> tangents, geometric_tangents;  // beside each, likewise
    std::vector<std::unique_ptr<BlockState>> states;
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
  Slot(const Job& job, const SinksOfRuns& sinks_of_runs)
      : joints(job), relaxed(job.methods.size()) {
    if (job.corners.count > 0) {
      corner_sums = AlignedArray<double>(job.corners.count * kGroupScratch);
      sides = AlignedArray<double>(job.plan.rig->joints.size() * kFramesPerBlock);
    }
    const std::size_t numbers = std::size_t{job.plan.rig->mesh->vertex_count()} * kNumbersPerVertex;
    if (job.plan.reference.kind == Reference::Kind::kFrames) reference_rows.resize(numbers);
    for (const std::vector<FrameSink*>& sinks : sinks_of_runs) {
      Run& mine = runs.emplace_back();
      const std::size_t r = runs.size() - 1;
      const bool has_geometric = job.makes_normals(r, sinks, NormalKind::kGeometric);
      if (has_geometric) {
        mine.geometric = AlignedArray<float>(numbers);
        std::fill_n(mine.geometric.data(), numbers, 0.0F);  // of vertices without triangles
      }
      if (job.methods[r].sweep_count() > 0) {
        for (const FrameSink* sink : sinks) mine.states.push_back(sink->new_state());
        continue;  // its mesh is whole anyway
      }
      const bool needs_whole =
          has_geometric || std::any_of(sinks.begin(), sinks.end(),
                                       [](FrameSink* s) { return s->needs_whole_block(); });
      if (needs_whole) mine.whole = AlignedArray<float>(numbers);
      const bool has_tangents = job.makes_tangents(r, sinks, NormalKind::kSkinned);
      const bool has_geometric_tangents = job.makes_tangents(r, sinks, NormalKind::kGeometric);
      // Tangents are moved where normals are.
      if (has_geometric_tangents || job.makes_normals(r, sinks, NormalKind::kSkinned)) {
        mine.normals = AlignedArray<float>(numbers);
      }
      if (has_tangents) mine.tangents = AlignedArray<float>(numbers);
      if (has_geometric_tangents) mine.geometric_tangents = AlignedArray<float>(numbers);
      for (const FrameSink* sink : sinks) mine.states.push_back(sink->new_state());
    }
  }

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
