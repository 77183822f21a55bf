// Makes linear blending reproduce another skinning method, or the frames of a cache, within a
// bound, by few morph targets with animated weights (correctives), and on request by helper joints
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
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake {

// A clip of the fit, and the frames that linear blending must reproduce in it.
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
  // The most influences of a vertex, which get new weights (fit_influences below); none: the
  // influences stay, unless helpers change them.
  std::optional<int> influences;
  // Additional clips from which the new influences learn, such as a range of motion, as
  // TrainingClips::always. `method` gives their targets; if the plan's targets are frames, linear
  // blending of the rig does.
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
  // The largest distance, in units of the mesh, of a rest position of the written targets from the
  // file's rest position: rounding errors.
  double rest_error = 0;

  // Of the largest distance of all clips.
  double max_before_m() const;
  double max_after_m() const;
};

// Measures another rig, such as the written file read again, against the plan's targets, which are
// computed again. `clips`: [clip of the plan] as they move the rig. Throws as fit_rig does.
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

// ---- Fewer influences, chosen by their effect: for each vertex the joints and weights that come
// nearest to the motion of all of its influences.
//
//     minimise   sum_f |sum_j w_j M_j(f) u - p(f)|^2 + r |w - w0|^2
//     over       w >= 0, sum w = 1, at most N weights not 0, among the twelve largest influences
//
// M_j(f) is the skinning transform of joint j at instant f, u the rest position, p(f) the position
// under linear blending with all influences, and w0 their weights. Every set of N joints is tried:
// the result is the minimum. r is 1e-2 times the mean of sum_f |M_j(f) u - p(f)|^2 over the
// candidate joints: of 0 … 1e-1, it gave the least distances on clips that were left out.
//
// A fit can be worse on motion that it has not learned from. Each clip is therefore left out in
// turn, or, of a single clip, alternate blocks of half a second, and a vertex keeps its N largest
// influences unless the weights that were fitted without the clips are nearer on them (the sum of
// squares over all frames that were left out).
//
// Doug L. James, Christopher D. Twigg. Skinning Mesh Animations. 2005: weights of given joints by
// least squares. Binh Huy Le, Zhigang Deng. Smooth Skinning Decomposition with Rigid Bones. 2012:
// the sparse convex problem, whose support they choose greedily. The exact search, the rule of the
// left-out clips and the scale of r are ours.

// What a fit learns from, sampled at 30 Hz, or more coarsely beyond 4096 instants. No pointer is
// null.
struct TrainingClips {
  std::vector<const Clip*> clips;   // left out in turn, in at most eight groups
  std::vector<const Clip*> always;  // never left out, unless `clips` is empty
};

inline constexpr double kUsualRidge = 1e-2;

// Which vertices keep their largest influences.
enum class KeepLargest {
  kWhereNearer,  // vertices that come nearer with them on the frames that were left out
  kNever,        // no vertex: the least distance on the clips of the training
};

struct InfluenceFitOptions {
  double ridge = kUsualRidge;  // times the mean squared distance of the candidates; 0: none
  KeepLargest keep_largest = KeepLargest::kWhereNearer;
  int threads = 0;                               // 0: the number of processors
  const std::atomic<bool>* cancelled = nullptr;  // checked per range of vertices
};

// Returns at most `count` influences for each vertex. A vertex with no more keeps them. The result
// does not depend on the number of threads.
// Throws Error (kUsage): FIT_COUNT_INVALID unless count is 1 … kMostFittedInfluences,
// FIT_WITHOUT_CLIPS without clips; TOO_MANY_FRAMES; Cancelled. Thread-safe.
FittedInfluences fit_influences(const Rig& rig, int count, const TrainingClips& training,
                                const InfluenceFitOptions& options = {});

}  // namespace skinbake
