// The problem that `fit` solves for one rig, its measured errors, and the places that it cannot
// restore.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/fit.h"
#include "skinbake/metrics.h"
#include "skinbake/rig.h"

namespace skinbake::fit {

// ---- The problem that `fit` solves for one rig: the motion of its joints in all frames of its
// clips, and the positions that linear blending shall reach there.
//
//     linear_i(f) = sum_j w_ij M_j(f) u_i(f)     M  posed_from_rest; u  the rest position of vertex
//                                                i, moved by the morph targets of the file
//     target_i(f)                                the positions of a skinning method, or of a cache

struct ClipFrames {
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
  std::vector<Affine<double>> posed_from_rest;  // [frame][joint] scene space
  std::vector<double> morph_weights;            // [frame][target] of the file's targets
  std::vector<float> targets;                   // [frame][vertex][axis] metres, scene space

  std::size_t frame_count() const { return static_cast<std::size_t>(frames.frame_count); }
};

struct Problem {
  const Rig* rig = nullptr;
  double bbox_diagonal_m = 0;  // of the bind pose
  std::vector<ClipFrames> clips;

  std::size_t frame_count() const;  // of all clips
  std::size_t vertex_count() const { return rig->mesh->vertex_count(); }

  // The joints of one frame of a clip, [joint].
  std::span<const Affine<double>> joints(const ClipFrames& clip, std::size_t frame) const {
    return {clip.posed_from_rest.data() + frame * rig->joints.size(), rig->joints.size()};
  }
  // The rest position of a vertex in one frame of a clip, moved by the file's morph targets.
  Vec3<double> rest_position(const ClipFrames& clip, std::size_t frame, VertexIndex v) const;
  // The map of linear blending of a vertex in one frame of a clip: sum_j w_j M_j.
  Affine<double> linear_map(const ClipFrames& clip, std::size_t frame, VertexIndex v) const;
  // Precondition: v < vertex_count().
  Vec3<double> target(const ClipFrames& clip, std::size_t frame, VertexIndex v) const {
    const float* p = clip.targets.data() + (frame * vertex_count() + v) * 3;
    return {p[0], p[1], p[2]};
  }
};

// Samples the joints and the morph weights at the frames; `targets` stays empty. Throws Error
// (kInput, TWIST_TOO_LONG) as PoseSampler does.
ClipFrames sample_clip(const Rig& rig, const Clip* clip, const FrameRange& frames);

// ---- Measures how far the frames of a rig, skinned by linear blending, are from their targets.

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

// ---- The places where linear blending collapses the surface, so that no corrective restores it.

// The pairs of joints whose vertices exceed `limit_m` in a frame in which their map is nearly
// singular, the pair with the largest error first. `errors`: of the clip, after the fit.
std::vector<FitCollapse> find_collapses(const Problem& problem, const ClipFrames& clip,
                                        const PositionErrorResult::PerVertex& errors,
                                        double limit_m);

}  // namespace skinbake::fit
