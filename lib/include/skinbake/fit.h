// Makes linear blending reproduce another skinning method, or the frames of a cache, within a
// bound, by few morph targets with animated weights (correctives), and if asked by helper joints
// and other weights. The rig and its clips stay; every program that plays skinned glTF files with
// morph targets plays the result.
//
// John P. Lewis, Matt Cordner, Nickson Fong. Pose Space Deformation. 2000: morph targets before
// skinning that correct linear blending.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/bake.h"
#include "skinbake/modifiers.h"
#include "skinbake/rig_changes.h"

namespace skinbake {

// A clip of the fit, and the frames that linear blending shall reproduce in it.
struct FitClip {
  const Clip* clip = nullptr;  // not null
  FrameRange frames;
  const FrameSource* target = nullptr;  // as many frames and vertices; null: FitPlan::method
};

// Pointers are not owned; everything they point to must outlive the call.
struct FitPlan {
  const Rig* rig = nullptr;  // skinned
  std::vector<FitClip> clips;
  Method method;           // the target of clips without frames
  double max_error_m = 0;  // the bound of the distance from the target, above 0; may be infinite
  // The number of correctives; none: the least number that meets the bound, up to the limit.
  std::optional<int> correctives;
  int max_correctives = 64;
  bool normals = false;  // targets also turn the normals of the mesh, if it has any
  // The most influences of a vertex, which get new weights (skinbake/fit_influences.h); none: the
  // influences stay, unless helpers change them.
  std::optional<int> influences;
  // Clips that the new influences learn from beside those of the plan, such as a range of motion,
  // as TrainingClips::always. Their targets are those of `method`; if the plan's targets are
  // frames, linear blending of the rig.
  std::vector<const Clip*> training = {};
  int helpers = 0;  // the most helper joints that are added before correctives
  // Bits of a coordinate of the correctives, 8 … 16, and weights of influences as multiples of
  // 1 / 65535, as a file with ChangeEncoding::quantize stores them; none: float32.
  std::optional<int> bits;
  std::string name = "skinbake";  // of the targets: "skinbake.0", "skinbake.1" …
  int threads = 0;                // 0: one per processor
  // Receives the name of a step and its part that is done, 0 … 1; may be empty.
  std::function<void(std::string_view step, double done)> progress = {};
  const std::atomic<bool>* cancelled = nullptr;  // when true, the call ends with Cancelled
  JointParameters joint_parameters = {};
  std::string bind_cache = {};
  std::function<void(const Issue&)> found = {};
};

// The distance of linear blending from the target.
struct FitError {
  double rms_m = 0, max_m = 0;  // metres
  std::int64_t frame = 0;       // of the largest distance: its number in the clip
  std::int64_t vertex = 0;
  std::optional<double> time_s = {};  // of the largest distance, if it is not in a frame
};

// Vertices of two joints that linear blending flattens, as in the middle of a twist by half a turn.
// Correctives act before skinning, so they cannot restore the surface there.
struct FitCollapse {
  JointIndex a = 0, b = 0;    // of the rig
  double degrees = 0;         // between the rotations of the joints
  std::int64_t frame = 0;     // its number in the clip
  VertexIndex vertex = 0;     // with the largest error
  double error_m = 0;         // of this vertex in this frame
  std::int64_t vertices = 0;  // of these joints that exceed the bound, or the 1 %
  // Whether a helper joint can follow one of them: neither is sheared, nor does its scale change.
  bool can_have_helper = true;
};

struct FitClipResult {
  FitError before, after;
  // Where the bound is exceeded, or without a bound 1 % of the diagonal; the worst first.
  std::vector<FitCollapse> collapses = {};
  // Halfway between every two frames, where programs interpolate the weights, and at the end of the
  // clip, where they hold them. None: the only instant is a frame, or the target is a FrameSource.
  std::optional<FitError> between_before, between_after;
};

struct FitResult {
  RigChanges changes;
  std::optional<InfluenceFitErrors> influences;  // of FitPlan::influences; distances to targets
  std::vector<FitClipResult> clips;              // as in the plan
  // The frames that the correctives follow from: more correctives than these change nothing.
  std::int64_t corrective_frames = 0;
  double bbox_diagonal_m = 0;  // of the bind pose
  double limit_m = 0;          // the bound of the plan
  bool is_met = false;         // no distance `after` exceeds the bound
  // The largest distance, in units of the mesh, of a rest position of the written targets from that
  // of the file: rounding errors.
  double rest_error = 0;

  // Of the largest distance of all clips.
  double max_before_m() const;
  double max_after_m() const;
};

// Measures another rig, such as the one that was read from the written file, against the plan's
// targets, which are computed again. `clips`: [clip of the plan] as they move the rig. Throws as
// fit_rig does.
std::vector<FitError> measure_fit(const FitPlan& plan, const Rig& rig, std::span<const Clip> clips);

// The errors of a clip that a fit does not contain.
struct LeftOutErrors {
  FitError before, after;
};

// Measures clips that the plan does not contain, but which the changes of a fit may move: a helper
// joint that no key moves follows its parent, and new influences move every pose. The target is the
// plan's method; if the plan's targets are frames, it is linear blending of the rig itself.
// Memory: 12 bytes for each vertex and frame of a clip. Throws as fit_rig does.
std::vector<LeftOutErrors> measure_left_out(const FitPlan& plan, const RigChanges& changes,
                                            std::span<const FitClip> clips);

// The sinks of linear blending before and after a fit, and of the target.
struct FitSinks {
  std::vector<FrameSink*> before, after, target;
};

// Feeds the frames of a clip of the plan to sinks, with the target as the reference of all. Throws
// as fit_rig does, and the exceptions of sinks.
void stream_fit(const FitPlan& plan, const RigChanges& changes, std::size_t clip,
                const FitSinks& sinks);

// Throws Error (kUsage, PLAN_INVALID) with a list of the conditions that do not hold:
// - rig is not null and skinned; clips is not empty; no clip is null or without frames;
// - max_error_m is above 0; bits are 8 … 16;
// - correctives, max_correctives and helpers are not negative; influences is 1 …
//   kMostFittedInfluences;
// - targets have as many frames and vertices as their clips and the rig.
void validate(const FitPlan& plan);

// Fits correctives to a rig. The result does not depend on the number of threads. Memory: the
// targets of all clips, 12 bytes for each vertex and frame, twice.
// Throws Error (kUsage, PLAN_INVALID) as `validate` does, Cancelled, and the exceptions of `bake`
// and of the targets.
FitResult fit_rig(const FitPlan& plan);

}  // namespace skinbake
