#include "bake/block/baked_block.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bake/normals.h"

namespace skinbake {

BakedBlock::BakedBlock(const Job& job) : joints(job), relaxed(job.methods.size()) {
  if (job.corners.count > 0) {
    corner_sums = AlignedArray<double>(job.corners.count * kGroupScratch);
    sides = AlignedArray<double>(job.plan.rig->joints.size() * kFramesPerBlock);
  }
  if (job.has_reference_frames()) reference.emplace(*job.plan.reference.frames);
}

void BakedBlock::add_runs(const Job& job, const SinksOfRuns& sinks) {
  for (std::size_t r = 0; r < sinks.size(); ++r) {
    Run& run = runs.emplace_back();
    add_room_for_normals(job, r, sinks[r], states[r], run);
    const bool needs_whole = run.geometric.size() > 0 ||
                             std::any_of(sinks[r].begin(), sinks[r].end(),
                                         [](const FrameSink* s) { return s->needs_whole_block(); });
    const bool has_whole = job.methods[r].sweep_count() > 0;
    if (needs_whole && !has_whole) {
      run.whole = AlignedArray<float>(job.plan.rig->mesh->vertex_count() * kNumbersPerVertex);
    }
  }
}

void BakedBlock::find_bad(const char* name, VertexRange of, const float* points) {
  const std::lock_guard lock(bad_mutex);
  for (VertexIndex i = 0; i < of.count; ++i) {
    for (std::size_t n = 0; n < kNumbersPerVertex; ++n) {
      if (std::isfinite(points[i * kNumbersPerVertex + n])) continue;
      const auto frame = static_cast<std::int64_t>(n % kFramesPerBlock);
      const VertexIndex vertex = of.first + i;
      if (bad.frame >= 0 && std::pair(bad.frame, bad.vertex) <= std::pair(frame, vertex)) continue;
      bad = {name, frame, vertex};
    }
  }
}

}  // namespace skinbake
