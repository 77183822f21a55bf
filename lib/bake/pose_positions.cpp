#include "bake/relax.h"
#include "math/scalar.h"
#include "skinbake/bake.h"

namespace skinbake {

std::vector<double> pose_positions(const Rig& rig, const Clip* clip, double time_s,
                                   const Method& method) {
  BakePlan plan;
  plan.rig = &rig;
  plan.clip = clip;
  // Frame 1 of a rate that puts it there; a time of zero is frame 0 of any rate.
  plan.frames = {time_s > 0 ? 1 / time_s : 1, time_s > 0 ? 1 : 0, 1, 1};
  plan.runs = {{method, {}}};
  plan.reference.kind = Reference::Kind::kExact;
  const Job job(plan);
  BlockJoints joints(job);
  std::vector<TrackedJoints> tracked;
  if (job.needs_tracking()) {
    JointTracker tracker(job.rigid_factors, job.sampler, plan.frames.fps, nullptr);
    tracked.push_back(tracker.advance(plan.frames.frame(0)));
  }
  joints.sample(job, 0, 1, tracked);
  const VertexIndex vertex_count = rig.mesh->vertex_count();
  AlignedArray<double> lanes;
  RelaxBuffers<double> buffers;
  const double* whole = nullptr;
  if (job.methods[0].sweep_count() > 0) {
    whole = relaxed(job, joints, 0, buffers);
  } else {
    lanes = AlignedArray<double>(std::size_t{vertex_count} * 3 * kFramesPerBlock);
    SkinTask<double> task = joints.exact_task(job, 0, {0, vertex_count});
    task.positions = lanes.data();
    double_kernels(method).skin(task);
    whole = lanes.data();
  }
  std::vector<double> positions(std::size_t{vertex_count} * 3);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = whole[i * kFramesPerBlock];
  return positions;
}

}  // namespace skinbake
