#include "bake/block/baked_block.h"

#include <algorithm>

#include "bake/normals/block_normals.h"

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

}  // namespace skinbake
