// Problems, measured errors, and collapses.

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "clip/poses/skinning.h"
#include "fit/correctives/residuals.h"
#include "fit/problem.h"
#include "frames/array_sink.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake::fit {

namespace {

// sum += w m. Multiplies and adds: without the processor's instruction, fma is a call.
void add_scaled(double w, const Affine<double>& m, Affine<double>& sum) {
  const auto add = [w](const Vec3<double>& column, Vec3<double>& to) { to = to + w * column; };
  add(m.x, sum.x), add(m.y, sum.y), add(m.z, sum.z), add(m.translation, sum.translation);
}

}  // namespace

std::size_t Problem::frame_count() const {
  std::size_t count = 0;
  for (const ClipFrames& clip : clips) count += clip.frame_count();
  return count;
}

Vec3<double> Problem::rest_position(const ClipFrames& clip, std::size_t frame,
                                    VertexIndex v) const {
  const std::size_t first = std::size_t{v} * 3;
  const auto at = [&](const std::vector<float>& values) {
    return Vec3<double>{values[first], values[first + 1], values[first + 2]};
  };
  Vec3<double> position = at(rig->mesh->positions);
  const std::vector<MorphTarget>& targets = rig->mesh->morph_targets;
  const double* weights = clip.morph_weights.data() + frame * targets.size();
  for (std::size_t m = 0; m < targets.size(); ++m) {
    if (targets[m].positions.empty() || weights[m] == 0) continue;
    position = position + weights[m] * at(targets[m].positions);
  }
  return position;
}

Affine<double> Problem::linear_map(const ClipFrames& clip, std::size_t frame, VertexIndex v) const {
  const std::span<const Affine<double>> matrices = joints(clip, frame);
  Affine<double> map{};
  for (const Influence& i : rig->influences_of(v)) {
    add_scaled(i.weight, matrices[i.joint], map);
  }
  return map;
}

ClipFrames sample_clip(const Rig& rig, const Clip* clip, const FrameRange& frames) {
  ClipFrames sampled{clip, frames, {}, {}, {}};
  PoseSampler sampler(rig, clip, {0, 0, 0});
  SampledPose pose;
  sampled.posed_from_rest.reserve(sampled.frame_count() * rig.joints.size());
  sampled.morph_weights.reserve(sampled.frame_count() * rig.morph_weights.size());
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    sampler.sample(frames.sample_time_s(k), pose);
    sampled.posed_from_rest.insert(sampled.posed_from_rest.end(), pose.posed_from_rest.begin(),
                                   pose.posed_from_rest.end());
    sampled.morph_weights.insert(sampled.morph_weights.end(), pose.morph_weights.begin(),
                                 pose.morph_weights.end());
  }
  return sampled;
}

namespace {

// A bake does not know the names of clips, and a fit has several.
void bake_clip(const BakePlan& plan, const Clip& clip) {
  try {
    bake(plan);
  } catch (const Error& error) {
    if (error.code() != "NON_FINITE_POSITION") throw;
    throw Error(error.code(), "clip '" + clip.id + "', " + error.message(), error.location(),
                error.remedy());
  }
}

}  // namespace

BakePlan bake_plan(const FitPlan& plan, const Rig& rig, const Clip* clip,
                   const FrameRange& frames) {
  BakePlan bake;
  bake.rig = &rig;
  bake.clip = clip;
  bake.frames = frames;
  bake.threads = plan.threads;
  bake.cancelled = plan.cancelled;
  return bake;
}

void ArrayFrames::read(std::int64_t first_frame, std::int64_t count, float* rows) const {
  const std::int64_t row_size = 3 * vertex_count_;
  std::copy_n(positions_.begin() + first_frame * row_size, count * row_size, rows);
}

std::vector<float> bake_frames(const FitPlan& plan, const Clip* clip, const FrameRange& frames) {
  const std::int64_t vertex_count = plan.rig->mesh->vertex_count();
  std::vector<float> positions(static_cast<std::size_t>(frames.frame_count * vertex_count * 3));
  ArraySink sink(positions.data(), vertex_count);
  BakePlan bake = bake_plan(plan, *plan.rig, clip, frames);
  bake.runs = {{plan.method, {&sink}}};
  bake.joint_parameters = plan.joint_parameters;
  bake.bind_cache = plan.bind_cache;
  bake.found = plan.found;
  if (plan.progress) {
    bake.bind_progress = [&](std::string_view, double done) { plan.progress("bind", done); };
  }
  bake_clip(bake, *clip);
  return positions;
}

PositionErrorResult measure_positions(const FitPlan& plan, const Rig& rig, const Clip& clip,
                                      const FrameRange& frames, const FrameSource& target) {
  const std::unique_ptr<PositionErrorMetric> metric = measure_position_error(rig, frames, 1);
  BakePlan bake = bake_plan(plan, rig, &clip, frames);
  bake.runs = {{parse_method("lbs"), {metric.get()}}};
  bake.reference = {Reference::Kind::kFrames, {}, &target};
  bake_clip(bake, clip);
  return metric->result();
}

FitError error_of(const PositionErrorResult& result, const FrameRange& frames) {
  return {result.rms, result.max, frames.frame(result.max_at.frame), result.max_at.vertex};
}

FitError measure_error(const FitPlan& plan, const Rig& rig, const Clip& clip,
                       const FrameRange& frames, const FrameSource& target) {
  return error_of(measure_positions(plan, rig, clip, frames, target), frames);
}

std::vector<FrameRange> instants_between(const Clip& clip, const FrameRange& frames) {
  std::vector<FrameRange> instants;
  if (frames.frame_count >= 2) {
    instants.push_back({2 * frames.fps, 2 * frames.first_frame + frames.frame_step,
                        2 * frames.frame_step, frames.frame_count - 1});
  }
  const double end_s = clip.duration_s;
  const bool is_whole = frames.frame(frames.frame_count - 1) == last_frame(end_s, frames.fps);
  if (is_whole && end_lost_s(end_s, frames.fps) > 0) instants.push_back({1 / end_s, 1, 1, 1});
  return instants;
}

namespace {

constexpr double kDegreesPerRadian = 57.29577951308232;

// The angle between the rotations of two joints.
double degrees_between(const Affine<double>& a, const Affine<double>& b) {
  const Quat<double> p = to_quat(polar_factors(a).rotation), q = to_quat(polar_factors(b).rotation);
  const double cosine = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;  // of half the angle
  const Quat<double> other = cosine < 0 ? -1.0 * q : q;
  return 4 * atan2(norm(p - other), norm(p + other)) * kDegreesPerRadian;
}

// The two joints that move the vertex most; the same joint twice if it has one influence.
std::pair<JointIndex, JointIndex> heaviest_joints(const Rig& rig, VertexIndex v) {
  const std::span<const Influence> influences = rig.influences_of(v);
  const JointIndex first = influences[0].joint;
  return {first, influences.size() > 1 ? influences[1].joint : first};
}

}  // namespace

std::vector<FitCollapse> find_collapses(const Problem& problem, const ClipFrames& clip,
                                        const PositionErrorResult::PerVertex& errors,
                                        double limit_m) {
  std::map<std::pair<JointIndex, JointIndex>, FitCollapse> pairs;
  for (VertexIndex v = 0; v < problem.vertex_count(); ++v) {
    if (!(errors.max[v] > limit_m)) continue;
    const auto frame = static_cast<std::size_t>(errors.max_frame[v]);
    const Affine<double> map = problem.linear_map(clip, frame, v);
    if (!is_flattened(problem, clip, frame, v, map)) continue;
    const auto [a, b] = heaviest_joints(*problem.rig, v);
    FitCollapse& collapse = pairs[{std::min(a, b), std::max(a, b)}];
    ++collapse.vertices;
    if (errors.max[v] <= collapse.error_m) continue;
    const std::span<const Affine<double>> joints = problem.joints(clip, frame);
    collapse.a = a;
    collapse.b = b;
    collapse.vertex = v;
    collapse.frame = clip.frames.frame(static_cast<std::int64_t>(frame));
    collapse.degrees = degrees_between(joints[a], joints[b]);
    collapse.error_m = errors.max[v];
  }
  std::vector<FitCollapse> found;
  for (const auto& [pair, collapse] : pairs) found.push_back(collapse);
  std::stable_sort(found.begin(), found.end(), [](const FitCollapse& a, const FitCollapse& b) {
    return a.error_m > b.error_m;
  });
  return found;
}

}  // namespace skinbake::fit
