// The plan of a fit of one mesh.

#pragma once

#include <memory>
#include <vector>

#include "fit/options.h"
#include "fit/plan/training.h"
#include "skinbake/fit.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// One mesh: its plan, and the targets that the plan points to.
struct MeshFit {
  FitPlan plan;
  std::vector<std::unique_ptr<FrameSource>> targets;
};

// `found` gets the issues of the fit. Throws Error and UsageError.
MeshFit mesh_fit(const FitOptions& options, const Asset& asset, const Rig& rig,
                 const FitMotions& motions, Issues& found);

std::vector<const FitPlan*> plans_of(const std::vector<MeshFit>& meshes);

// The clips of the file that a fit does not contain.
struct LeftOutClips {
  std::vector<FitClip> measurable;
  std::vector<const Clip*> too_long;  // have more frames than --max-frames
};
LeftOutClips left_out_clips(const FitOptions& options, const Asset& asset, const FitPlan& plan);

}  // namespace skinbake::cli
