#include "skinbake/bake.h"

#include "bake/bake_loop.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

// Stores the positions of a bake of one frame. Tiles write to disjoint ranges.
class OneFrame final : public FrameSink {
 public:
  explicit OneFrame(std::vector<double>& positions) : positions_(positions) {}

  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }
  void consume(const FrameBlock& tile, BlockState&) override {
    double* const to = positions_.data() + std::size_t{tile.vertices.first} * 3;
    for (std::size_t i = 0; i < std::size_t{tile.vertices.count} * 3; ++i) {
      to[i] = double{tile.positions[i * kFramesPerBlock]};
    }
  }
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock&, BlockState&) override {}

 private:
  std::vector<double>& positions_;  // [vertex][axis]
};

}  // namespace

void bake(const BakePlan& plan) {
  validate(plan);
  in_arena(plan.threads, [&](int threads) {
    const Job job(plan);
    SinksOfRuns sinks;
    for (const MethodRun& run : plan.runs) sinks.push_back(run.sinks);
    for_each_pass(sinks, [&](Pass pass, const SinksOfRuns& sinks_of_pass) {
      BakeLoop(job, threads, pass, sinks_of_pass).run();
    });
  });
}

std::vector<double> pose_positions(const Rig& rig, const Clip* clip, double time_s,
                                   const Method& method, const JointParameters& joint_parameters) {
  BakePlan plan;
  plan.rig = &rig;
  plan.clip = clip;
  // At the rate 1 / time_s, frame 1 is at time_s. At any rate, frame 0 is at time 0.
  plan.frames = {time_s > 0 ? 1 / time_s : 1, time_s > 0 ? 1 : 0, 1, 1};
  plan.runs = {{method, {}}};
  plan.reference.kind = Reference::Kind::kExact;
  plan.joint_parameters = joint_parameters;
  validate(plan);
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
    bool is_finite = true;
    whole = relaxed_positions(job, joints, 0, buffers, is_finite);
  } else {
    lanes = AlignedArray<double>(std::size_t{vertex_count} * kNumbersPerVertex);
    SkinTask<double> task = joints.skin_task<double>(job, 0, {0, vertex_count});
    task.positions = lanes.data();
    kernels<double>(method).skin(task);
    whole = lanes.data();
  }
  std::vector<double> positions(std::size_t{vertex_count} * 3);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = whole[i * kFramesPerBlock];
  return positions;
}

std::vector<double> first_frame_positions(BakePlan plan) {
  std::vector<double> positions(std::size_t{plan.rig->mesh->vertex_count()} * 3);
  OneFrame frame(positions);
  plan.frames.frame_count = 1;
  plan.runs.resize(1);
  plan.runs.front().sinks = {&frame};
  plan.reference = {};
  plan.progress = {};
  bake(plan);
  return positions;
}

}  // namespace skinbake
