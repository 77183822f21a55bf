// The stream of computed frames, and bakes, which send it to sinks.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "bake/bake_loop.h"
#include "bake/normals.h"
#include "clip/poses/skinning.h"
#include "math/scalar.h"
#include "rig/joint_tree.h"
#include "rig/validate.h"
#include "skinbake/bake.h"

namespace skinbake {

BakeLoop::BakeLoop(const Job& job, int threads, Pass pass, const SinksOfRuns& sinks)
    : BlockLoop({job.plan.frames.frame_count, job.plan.rig->mesh->vertex_count(), threads,
                 job.plan.cancelled, job.plan.progress},
                pass, sinks),
      plan_(job.plan),
      job_(job) {
  if (job.needs_tracking()) {
    tracker_.emplace(job.rigid_factors, job.sampler, plan_.frames.fps, plan_.cancelled);
  }
}

std::unique_ptr<BlockInFlight> BakeLoop::new_block() {
  auto baked = std::make_unique<BakedBlock>(job_);
  add_states(*baked);
  baked->add_runs(job_, sinks());
  return baked;
}

void BakeLoop::start(BlockInFlight& in_flight) {
  auto& baked = static_cast<BakedBlock&>(in_flight);
  baked.bad = {};
  baked.tracked.clear();
  for (int lane = 0; tracker_ && lane < baked.block.frame_count; ++lane) {
    const std::int64_t frame = plan_.frames.frame(baked.block.first_frame + lane);
    baked.tracked.push_back(tracker_->advance(frame));
  }
}

void BakeLoop::evaluate(BlockInFlight& in_flight) {
  auto& baked = static_cast<BakedBlock&>(in_flight);
  const FrameBlock& block = baked.block;
  if (has_reference_frames()) baked.reference->read(block);
  baked.joints.sample(job_, block.first_frame, block.frame_count, baked.tracked);
  for (std::size_t m = 0; m < baked.relaxed.size(); ++m) relax(baked, m);
  for_each_tile(block.vertices.count,
                [&](VertexRange vertices) { evaluate_tile(baked, vertices); });
  if (baked.bad.frame >= 0) {
    baked.failure = non_finite_point(baked);
    return;
  }
  for (std::size_t r = 0; r < baked.runs.size(); ++r) {
    finish_normals(job_, baked, r, whole_block(baked, r));
  }
}

void BakeLoop::relax(BakedBlock& baked, std::size_t m) const {
  if (job_.methods[m].sweep_count() == 0) return;
  const bool is_run = m < plan_.runs.size();
  if (is_run ? is_idle(m) : is_prepass()) return;
  BakedBlock::Relaxed& relaxed = baked.relaxed[m];
  relaxed.positions = relaxed_positions(job_, baked.joints, m, relaxed.buffers, relaxed.is_finite);
  if (has_exact() && is_run) {
    bool ignored = true;
    relaxed.exact = relaxed_positions(job_, baked.joints, m, relaxed.exact_buffers, ignored);
  }
}

void BakeLoop::evaluate_tile(BakedBlock& baked, VertexRange vertices) {
  TileScratch& scratch = this->scratch();
  FrameBlock tile = baked.block;
  tile.vertices = vertices;
  if (has_method_reference()) {
    tile.reference = positions_of(baked, job_.reference, vertices, scratch.reference.data());
  }
  if (has_reference_frames()) {
    baked.reference->to_lanes(tile, scratch.reference.data());
    tile.reference = scratch.reference.data();
  }
  for (std::size_t r = 0; r < plan_.runs.size(); ++r) {
    if (is_idle(r)) continue;
    const bool is_reference = has_method_reference() && r == job_.reference;
    tile.positions =
        is_reference ? tile.reference : positions_of(baked, r, vertices, scratch.positions.data());
    if (has_exact()) tile.exact = exact_positions_of(baked, r, vertices, scratch);
    consume(baked, r, tile);
    stream_skinned_normals(job_, baked, r, tile, scratch);
  }
}

// Returns the positions of some vertices. They are in `scratch` unless the positions of the whole
// mesh are kept.
const float* BakeLoop::positions_of(BakedBlock& baked, std::size_t m, VertexRange vertices,
                                    float* scratch) const {
  const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
  const BakedBlock::Relaxed& relaxed = baked.relaxed[m];
  if (relaxed.positions != nullptr) {
    if (!relaxed.is_finite) baked.find_bad("position", vertices, relaxed.positions + first);
    return relaxed.positions + first;
  }
  const bool is_kept = m < baked.runs.size() && baked.runs[m].whole.size() > 0;
  SkinTask<float> task = baked.joints.skin_task<float>(job_, m, vertices);
  task.positions = is_kept ? baked.runs[m].whole.data() + first : scratch;
  const bool is_finite = kernels<float>(job_.methods[m].method).skin(task);
  if (!is_finite) baked.find_bad("position", vertices, task.positions);
  return task.positions;
}

const double* BakeLoop::exact_positions_of(const BakedBlock& baked, std::size_t r,
                                           VertexRange vertices, TileScratch& scratch) const {
  if (baked.relaxed[r].exact != nullptr) {
    return baked.relaxed[r].exact + std::size_t{vertices.first} * kNumbersPerVertex;
  }
  if (scratch.exact.size() == 0) {
    scratch.exact = AlignedArray<double>(kVerticesPerTile * kNumbersPerVertex);
  }
  SkinTask<double> task = baked.joints.skin_task<double>(job_, r, vertices);
  task.positions = scratch.exact.data();
  kernels<double>(plan_.runs[r].method).skin(task);
  return scratch.exact.data();
}

namespace {

// The joints that move any vertex. Methods that smooth bring a joint's overflow to vertices that do
// not have the joint.
std::vector<JointIndex> moving_joints(const Rig& rig) {
  std::vector<JointIndex> joints;
  for (const Influence& i : rig.influences) joints.push_back(i.joint);
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

// The node, among the mesh's node and those above it, that scales volumes most towards zero.
NodeIndex flattest_node(const Rig& rig, const NodeSampler& sampler) {
  NodeIndex flattest = rig.node;
  double least = std::numeric_limits<double>::infinity();
  for (NodeIndex n = rig.node; n >= 0; n = rig.skeleton->base_of(n)) {
    const std::optional<Affine<double>>& matrix =
        rig.skeleton->nodes[static_cast<std::size_t>(n)].matrix;
    const Vec3<double>& scale = sampler.local(n).scale;
    const double volume = std::abs(matrix ? determinant(*matrix) : scale.x * scale.y * scale.z);
    if (!(volume < least)) continue;
    least = volume;
    flattest = n;
  }
  return flattest;
}

// Why positions relative to the mesh's node do not exist at an instant; empty: they do.
std::string why_no_mesh_space(const Rig& rig, const Clip* clip, double time_s) {
  NodeSampler sampler(*rig.skeleton, clip, {rig.node});
  sampler.sample(time_s);
  SampledPose pose{{kIdentity}, {}, sampler.scene_from_node(rig.node)};
  to_mesh_space(pose);
  if (is_finite(pose.posed_from_rest.front().x)) return "";
  const NodeIndex flat = flattest_node(rig, sampler);
  const Vec3<double>& scale = sampler.local(flat).scale;
  std::array<char, 128> text;
  std::snprintf(text.data(), text.size(), "the scale (%.4g, %.4g, %.4g)", scale.x, scale.y,
                scale.z);
  const Node& node = rig.skeleton->nodes[static_cast<std::size_t>(flat)];
  return "positions relative to the mesh's node do not exist, because node '" +
         (node.name.empty() ? "#" + std::to_string(flat) : node.name) + "' has " +
         (node.matrix ? "a matrix" : text.data()) + ", which cannot be inverted";
}

}  // namespace

Error BakeLoop::non_finite_point(const BakedBlock& baked) const {
  const Rig& rig = *plan_.rig;
  const std::int64_t position = baked.block.first_frame + baked.bad.frame;
  const std::int64_t frame = plan_.frames.frame(position);
  if (plan_.space == Space::kMesh) {
    const std::string why =
        why_no_mesh_space(rig, plan_.clip, plan_.frames.sample_time_s(position));
    const std::string place = "mesh '" + rig.id + "', frame " + std::to_string(frame) + ": ";
    if (!why.empty()) return Error("MESH_SPACE_SINGULAR", place + why);
  }
  std::vector<JointIndex> joints;
  for (const Influence& i : rig.influences_of(baked.bad.vertex)) joints.push_back(i.joint);
  std::string huge = huge_value(rig, baked.bad.vertex, joints);
  if (huge.empty()) huge = huge_value(rig, baked.bad.vertex, moving_joints(rig));
  return Error("NON_FINITE_POSITION",
               "mesh '" + rig.id + "', frame " + std::to_string(frame) + ", vertex " +
                   std::to_string(baked.bad.vertex) + ": the " + baked.bad.name +
                   " is not a finite number; " +
                   (huge.empty() ? "look for huge or infinite transforms in joint '" +
                                       joint_id(rig, joints.front()) +
                                       "', which moves the vertex most, and above it"
                                 : huge + ", export it again"));
}

FrameBlock BakeLoop::whole_block(const BlockInFlight& in_flight, std::size_t r) const {
  const auto& baked = static_cast<const BakedBlock&>(in_flight);
  FrameBlock block = baked.block;
  if (baked.runs[r].whole.size() > 0) block.positions = baked.runs[r].whole.data();
  if (baked.relaxed[r].positions != nullptr) block.positions = baked.relaxed[r].positions;
  return block;
}

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

std::vector<double> pose_positions(const Rig& rig, const ClipInstant& instant, const Method& method,
                                   const JointParameters& joint_parameters) {
  const double time_s = instant.time_s;
  BakePlan plan;
  plan.rig = &rig;
  plan.clip = instant.clip;
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
