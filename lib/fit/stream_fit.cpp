#include "fit/changed_rig.h"
#include "fit/measured.h"
#include "skinbake/fit.h"
#include "skinbake/stream_frames.h"

namespace skinbake {

namespace {

void stream_linear(const FitPlan& plan, const Rig& rig, const Clip& clip, const FitClip& of,
                   const FrameSource& target, const std::vector<FrameSink*>& sinks) {
  BakePlan bake = fit::bake_plan(plan, rig, &clip, of.frames);
  bake.runs = {{parse_method("lbs"), sinks}};
  bake.reference = {Reference::Kind::kFrames, {}, &target};
  skinbake::bake(bake);
}

}  // namespace

void stream_fit(const FitPlan& plan, const RigChanges& changes, std::size_t clip,
                const FitSinks& sinks) {
  validate(plan);
  const FitClip& of = plan.clips[clip];
  std::vector<float> positions;
  if (of.target == nullptr) positions = fit::bake_frames(plan, of.clip, of.frames);
  const fit::ArrayFrames baked(positions, plan.rig->mesh->vertex_count());
  const FrameSource& target = of.target == nullptr ? baked : *of.target;
  stream_linear(plan, *plan.rig, *of.clip, of, target, sinks.before);
  stream_linear(plan, fit::changed_rig(changes), fit::changed_clip(changes, clip), of, target,
                sinks.after);
  stream_frames({&target, &target, sinks.target, plan.threads, {}, plan.cancelled});
}

}  // namespace skinbake
