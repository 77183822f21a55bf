// From a clip and a time to the transforms that skinning needs.

#pragma once

#include <memory>
#include <vector>

#include "clip/node_sampler.h"
#include "clip/twist.h"
#include "skinbake/clip.h"

namespace skinbake {

// The rig at one instant, in double.
struct SampledPose {
  std::vector<Affine<double>> posed_from_rest;  // [joint]; see PoseSampler
  std::vector<double> morph_weights;            // [target]
  Affine<double> scene_from_mesh;               // of the mesh's own node
};

// From the scene into the space of the mesh's own node.
void to_mesh_space(SampledPose& pose);

// Evaluates clips for one rig. Not for use by two threads at once: copy it.
class PoseSampler {
 public:
  // `clip` may be null: the rest pose. The rig and the clip must outlive the sampler.
  // Every posed_from_rest takes a rest position *relative to `centre`*: positions are centred
  // before they become floats, and the matrices make up for it, in double.
  // Throws Error (kInput) if the rig has twist joints and the clip is too long to follow them.
  PoseSampler(const Rig& rig, const Clip* clip, const Vec3<double>& centre);

  void sample(double time_s, SampledPose& pose);

  // Every distinct key time of the channels that move this rig, ascending; at least one.
  std::vector<double> key_times() const;
  // True if a scale is animated by a spline, which may leave the range of its keys.
  bool has_scale_splines() const;

 private:
  const Rig* rig_;
  Vec3<double> centre_;
  NodeSampler nodes_;                          // the joints and the mesh's node
  std::vector<const Channel*> morphs_;         // channels of the mesh's morph weights
  std::shared_ptr<const TwistTracks> twists_;  // null: the rig has no twist joints
};

}  // namespace skinbake
