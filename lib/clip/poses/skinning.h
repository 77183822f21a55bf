// The skinning transforms of joints at an instant of a clip, and the twist of helper joints.

#pragma once

#include <memory>
#include <vector>

#include "clip/sampling/node_sampler.h"
#include "skinbake/clip.h"

namespace skinbake {

// ---- The twist angles of a clip over time, and the poses of the helper joints that share them.
//
//     D      = M_from^-1 M_to            M  posed_from_rest; D is the identity in the bind pose
//     q      = rotation of D (polar)     q = swing * twist about the segment
//     (math/rotation_parts.h) phi(t) = the angle of the twist plus the whole turns that bring it
//     nearest to phi at the
//              previous sample; at t = 0, nearest to 0
//
// Samples are at most 1/120 s apart and include all keys. They start at the beginning of the clip
// and do not depend on the frames of the run. If the twist is undefined (a swing of half a turn, or
// a joint scaled to zero), phi keeps its previous value. The tracking is ours: published methods
// use a single pose, which limits the angle to 180 degrees.

class TwistTracks {
 public:
  // Tracks every chain of rig.twists. `clip` may be null: the rest pose. The rig must outlive the
  // tracks. Throws Error (kInput, TWIST_TOO_LONG) if the clip needs too many samples.
  TwistTracks(const Rig& rig, const Clip* clip);

  // Sets posed_from_rest [joint] of the helpers; the other joints must have theirs. All transforms
  // are relative to `centre`.
  void pose_helpers(double time_s, const Vec3<double>& centre,
                    std::vector<Affine<double>>& posed_from_rest) const;

 private:
  std::size_t sample_before(double time_s) const;

  const Rig* rig_;
  std::vector<double> times_;                // [sample] ascending from 0
  std::vector<std::vector<double>> angles_;  // [chain][sample]
};

// ---- Evaluates a clip at an instant: the skinning transforms of all joints and the morph weights.

// The pose of a rig at one instant.
struct SampledPose {
  std::vector<Affine<double>> posed_from_rest;  // [joint] relative to PoseSampler's centre
  std::vector<double> morph_weights;            // [target]
  Affine<double> scene_from_mesh;               // of the mesh's own node
};

// Converts posed_from_rest from the scene to the space of the mesh's own node.
void to_mesh_space(SampledPose& pose);

// Evaluates a clip for one rig. Not thread-safe; each thread uses its own copy.
class PoseSampler {
 public:
  // `clip` may be null: the rest pose. The rig and the clip must outlive the sampler.
  // Every posed_from_rest maps a rest position relative to `centre`: positions are centred before
  // they are rounded to float, and the matrices add the centre in double.
  // Throws Error (kInput, TWIST_TOO_LONG) if the rig has twist joints and the clip is too long to
  // track them.
  PoseSampler(const Rig& rig, const Clip* clip, const Vec3<double>& centre);

  void sample(double time_s, SampledPose& pose);

  // Returns the distinct key times of all channels that move joints, ascending; at least one.
  std::vector<double> key_times() const;
  // True if the joints have the same stretch at all instants (NodeSampler).
  bool keeps_stretch() const { return nodes_.keeps_stretch(); }
  // True if joints may be stretched between keys although they are not at any key (NodeSampler).
  bool may_stretch_between_keys(double neglected) const {
    return nodes_.may_stretch_between_keys(neglected);
  }
  // True if a scale is animated by a cubic spline, which can exceed the range of its keys.
  bool has_scale_splines() const;

 private:
  const Rig* rig_;
  Vec3<double> centre_;
  std::vector<Affine<double>> joint_from_centred_;  // [joint] the same in every frame
  NodeSampler nodes_;                               // samples the joints and the mesh's node
  MorphSampler morphs_;                             // samples the mesh's morph weights
  std::shared_ptr<const TwistTracks> twists_;       // null if the rig does not have twist joints
};

}  // namespace skinbake
