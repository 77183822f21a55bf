#include "bake/bake_loop.h"

#include <algorithm>

#include "bake/normals.h"
#include "rig/joint_tree.h"
#include "rig/validate.h"

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

}  // namespace

Error BakeLoop::non_finite_point(const BakedBlock& baked) const {
  const Rig& rig = *plan_.rig;
  const std::int64_t frame = plan_.frames.frame(baked.block.first_frame + baked.bad.frame);
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

}  // namespace skinbake
