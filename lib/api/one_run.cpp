#include "api/one_run.h"

#include <string>

#include "skinbake/error.h"
#include "skinbake/validate.h"

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

BakePlan plan_one_run(const Rig& rig, const Clip* clip, const Method& method,
                      const FrameRange& frames, const BakeSettings& settings) {
  require_usable(frames);
  validate(rig);
  if (clip != nullptr) validate(*clip, rig);
  BakePlan plan;
  plan.rig = &rig;
  plan.clip = clip;
  plan.frames = frames;
  plan.space = settings.space;
  plan.runs.push_back({method, {}});
  plan.threads = settings.threads;
  plan.progress = settings.progress;
  plan.cancelled = settings.cancelled;
  plan.joint_parameters = settings.joint_parameters;
  plan.bind_cache = settings.bind_cache;
  plan.found = settings.found;
  validate(plan);
  return plan;
}

}  // namespace skinbake
