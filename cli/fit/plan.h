// The plan of a fit: its inputs, encoding, training frames and targets, and the fit of each mesh.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fit/options.h"
#include "gltf/write/rig_file.h"
#include "options/fit_training.h"
#include "skinbake/fit.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// ---- --format glb:quantize=1,meshopt=1: how the output stores what the fit adds.

struct FitEncoding {
  ChangeEncoding changes;
  std::optional<int> bits;  // of a coordinate with quantize=1
};

// `texts`: the values of --format. Throws Error (kUsage, FORMAT_OPTION_UNKNOWN) and UsageError.
FitEncoding fit_encoding(const std::vector<std::string>& texts);

// ---- What a fit reads: the meshes and clips of the rig's file, caches and parameters.

// Throws UsageError if the options do not belong together.
void check_together(const FitOptions& options);

// The selected meshes that have a skin. Throws Error and UsageError.
std::vector<const Rig*> select_skinned(const FitOptions& options, const Asset& asset);

// The selected clips, of the rig's file. Throws Error and UsageError.
std::vector<const Clip*> select_animated(const FitOptions& options, const Asset& asset);

// The inputs beside the rig's file: caches and parameters.
std::vector<std::string> other_inputs(const FitOptions& options,
                                      const std::vector<std::string>& targets);

// Throws Error if an output would replace an input. `targets`: the caches.
void refuse_inputs(const FitOptions& options, const Asset& asset,
                   const std::vector<std::string>& targets);

// ---- The motions from which `fit --influences` learns.

// What the new influences of a fit learn from.
struct FitMotions {
  std::vector<const Clip*> clips;  // of the fit
  std::vector<const Clip*> more;   // ranges of motion; empty without --influences
  std::vector<std::string> names;  // "clips", "rom", "rom:arms"; empty without --influences
};

// Throws UsageError if N:fit=… names anything but the clips of the fit and ranges of motion, and
// the errors of range_of_motion. The ranges live as long as `made`.
FitMotions fit_motions(const FitOptions& options, std::vector<const Clip*> clips,
                       FitTraining& made);

// ---- --target: the caches that a fit reproduces.

// The paths of all caches.
std::vector<std::string> target_paths(const FitOptions& options,
                                      const std::vector<const Rig*>& rigs,
                                      const std::vector<const Clip*>& clips);

// Throws UsageError if --target does not name a different cache for each clip and mesh.
void require_targets(const FitOptions& options, const std::vector<const Clip*>& clips,
                     const std::vector<const Rig*>& meshes);

// ---- The plan of a fit of one mesh.

// One mesh: its plan, and the targets that the plan points to.
struct MeshFit {
  FitPlan plan;
  std::vector<std::unique_ptr<FrameSource>> targets;
};

// `found` gets the issues of the fit. Throws Error and UsageError.
MeshFit mesh_fit(const FitOptions& options, const Asset& asset, const Rig& rig,
                 const FitMotions& motions, Issues& found);

// Warnings of clips that end between two frames of the fit. `rigs`: all of the fit.
Issues clip_ends(const Asset& asset, const std::vector<const Rig*>& rigs, const FitPlan& plan);

std::vector<const FitPlan*> plans_of(const std::vector<MeshFit>& meshes);

// The clips of the file that a fit does not contain.
struct LeftOutClips {
  std::vector<FitClip> measurable;
  std::vector<const Clip*> too_long;  // have more frames than --max-frames
};
LeftOutClips left_out_clips(const FitOptions& options, const Asset& asset, const FitPlan& plan);

}  // namespace skinbake::cli
