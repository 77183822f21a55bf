// Measures how far the frames of a rig, skinned by linear blending, are from their targets.

#pragma once

#include <vector>

#include "skinbake/fit.h"
#include "skinbake/metrics.h"

namespace skinbake::fit {

// Frames in memory.
class ArrayFrames final : public FrameSource {
 public:
  // `positions`: [frame][vertex][axis], which must outlive the source.
  ArrayFrames(const std::vector<float>& positions, std::int64_t vertex_count)
      : positions_(positions), vertex_count_(vertex_count) {}

  std::int64_t frame_count() const override {
    return static_cast<std::int64_t>(positions_.size()) / (3 * vertex_count_);
  }
  std::int64_t vertex_count() const override { return vertex_count_; }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override;

 private:
  const std::vector<float>& positions_;
  std::int64_t vertex_count_;
};

// A bake of the rig on the plan's threads, without runs.
BakePlan bake_plan(const FitPlan& plan, const Rig& rig, const Clip* clip, const FrameRange& frames);

// The frames of the plan's rig in a clip, computed by the plan's method.
std::vector<float> bake_frames(const FitPlan& plan, const Clip* clip, const FrameRange& frames);

// The error of `rig` in `clip`, computed as `bake --method lbs` does.
PositionErrorResult measure_positions(const FitPlan& plan, const Rig& rig, const Clip& clip,
                                      const FrameRange& frames, const FrameSource& target);
FitError measure_error(const FitPlan& plan, const Rig& rig, const Clip& clip,
                       const FrameRange& frames, const FrameSource& target);
FitError error_of(const PositionErrorResult& result, const FrameRange& frames);

// The instants that are no frames, but that a player shows: halfway between frames, and the end of
// the clip. Empty if there are none.
std::vector<FrameRange> instants_between(const Clip& clip, const FrameRange& frames);

}  // namespace skinbake::fit
