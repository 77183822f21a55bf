// The problem that `fit` solves for one rig: the motion of its joints in all frames of its clips,
// and the positions that linear blending shall reach there.
//
//     linear_i(f) = sum_j w_ij M_j(f) u_i(f)     M  posed_from_rest; u  the rest position of vertex
//                                                i, moved by the morph targets of the file
//     target_i(f)                                the positions of a skinning method, or of a cache

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::fit {

// The frames of one clip.
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

}  // namespace skinbake::fit
