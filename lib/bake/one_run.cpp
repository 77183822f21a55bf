// The calls of one rig, one clip and one method: their plan, and positions as an array.

#include <new>
#include <string>

#include "bake/one_run.h"
#include "frames/array_sink.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::int64_t kMostFrames = 2147483647;  // limit of cache formats and reports

void require_usable(const FrameRange& frames) {
  if (!is_frame_rate(frames.fps)) {
    throw Error("FPS_INVALID", "frames have a rate of " + std::to_string(frames.fps) +
                                   " per second; it must be from 1e-15 to 1e15");
  }
  if (frames.frame_count < 1 || frames.frame_step < 1 || frames.first_frame < 0) {
    throw Error("FRAMES_INVALID",
                "a range has " + std::to_string(frames.frame_count) + " frames from " +
                    std::to_string(frames.first_frame) + " in steps of " +
                    std::to_string(frames.frame_step) +
                    "; it must have at least one, none before 0, and a step of at least 1");
  }
  // Divides, because the product may be out of range.
  const std::int64_t steps = frames.first_frame > kMostFrames
                                 ? -1
                                 : (kMostFrames - frames.first_frame) / frames.frame_step;
  if (frames.frame_count > kMostFrames || frames.frame_count - 1 > steps) {
    throw Error("TOO_MANY_FRAMES", "a range has " + std::to_string(frames.frame_count) +
                                       " frames from " + std::to_string(frames.first_frame) +
                                       " in steps of " + std::to_string(frames.frame_step) +
                                       "; neither their count nor the last " +
                                       "frame's number may exceed " + std::to_string(kMostFrames));
  }
}

}  // namespace

BakePlan plan_one_run(const OneRun& run) {
  require_usable(run.frames);
  validate(run.rig);
  if (run.clip != nullptr) validate(*run.clip, run.rig);
  BakePlan plan;
  plan.rig = &run.rig;
  plan.clip = run.clip;
  plan.frames = run.frames;
  plan.space = run.settings.space;
  plan.runs.push_back({run.method, {}});
  plan.threads = run.settings.threads;
  plan.progress = run.settings.progress;
  plan.cancelled = run.settings.cancelled;
  plan.joint_parameters = run.settings.joint_parameters;
  plan.bind_cache = run.settings.bind_cache;
  plan.found = run.settings.found;
  validate(plan);
  return plan;
}

BakedArray bake_to_array(const OneRun& run) {
  BakePlan plan = plan_one_run(run);
  BakedArray array;
  array.frames = run.frames;
  array.frame_count = run.frames.frame_count;
  array.vertex_count = run.rig.mesh->vertex_count();
  const std::size_t row_size = static_cast<std::size_t>(array.vertex_count) * 3;
  const auto row_count = static_cast<std::size_t>(array.frame_count);
  if (row_count > array.positions.max_size() / row_size) throw std::bad_alloc();
  array.positions.resize(row_count * row_size);
  ArraySink sink(array.positions.data(), array.vertex_count);
  plan.runs.front().sinks = {&sink};
  bake(plan);
  return array;
}

}  // namespace skinbake
