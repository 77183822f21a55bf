// Evaluates a clip at an instant: the skinning transforms of all joints and the morph weights.

#pragma once

#include <memory>
#include <vector>

#include "clip/poses/twist.h"
#include "clip/sampling/morph_sampler.h"
#include "clip/sampling/node_sampler.h"
#include "skinbake/clip.h"

namespace skinbake {

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
