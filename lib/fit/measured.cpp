#include "fit/measured.h"

#include <algorithm>
#include <memory>

#include "frames/array_sink.h"
#include "skinbake/error.h"

namespace skinbake::fit {

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
  // last_frame() takes the end of the clip for a frame if it is this near to one.
  constexpr double kNear = 1e-3;  // of a frame
  const double end_s = clip.duration_s, last_s = frames.time_s(frames.frame_count - 1);
  const bool is_whole = frames.frame(frames.frame_count - 1) == last_frame(end_s, frames.fps);
  if (is_whole && (end_s - last_s) * frames.fps > kNear) instants.push_back({1 / end_s, 1, 1, 1});
  return instants;
}

}  // namespace skinbake::fit
