#include "bake/slot.h"

#include <algorithm>

#include "bake/block_normals.h"

namespace skinbake {

namespace {

Slot::Run room_for_run(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks) {
  Slot::Run run;
  for (const FrameSink* sink : sinks) run.states.push_back(sink->new_state());
  add_room_for_normals(job, r, sinks, run);
  const bool is_whole_anyway = job.methods[r].sweep_count() > 0;
  const bool needs_whole = run.geometric.size() > 0 ||
                           std::any_of(sinks.begin(), sinks.end(),
                                       [](const FrameSink* s) { return s->needs_whole_block(); });
  if (needs_whole && !is_whole_anyway) {
    run.whole = AlignedArray<float>(job.plan.rig->mesh->vertex_count() * kNumbersPerVertex);
  }
  return run;
}

}  // namespace

Slot::Slot(const Job& job, const SinksOfRuns& sinks_of_runs)
    : joints(job), relaxed(job.methods.size()) {
  if (job.corners.count > 0) {
    corner_sums = AlignedArray<double>(job.corners.count * kGroupScratch);
    sides = AlignedArray<double>(job.plan.rig->joints.size() * kFramesPerBlock);
  }
  if (job.plan.reference.kind == Reference::Kind::kFrames) {
    reference_rows.resize(job.plan.rig->mesh->vertex_count() * kNumbersPerVertex);
  }
  for (std::size_t r = 0; r < sinks_of_runs.size(); ++r) {
    runs.push_back(room_for_run(job, r, sinks_of_runs[r]));
  }
}

}  // namespace skinbake
