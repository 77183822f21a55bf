// From a clip and a time to the transforms that skinning needs.

#pragma once

#include <vector>

#include "skinbake/clip.h"

namespace skinbake {

// The rig at one instant, in double.
struct SampledPose {
  std::vector<Affine<double>> posed_from_rest;  // [joint]; see PoseSampler
  std::vector<double> morph_weights;            // [target]
  Affine<double> scene_from_mesh;               // of the mesh's own node
};

// Evaluates clips for one rig. Not for use by two threads at once: copy it.
class PoseSampler {
 public:
  // `clip` may be null: the rest pose. The rig and the clip must outlive the sampler.
  // Every posed_from_rest takes a rest position *relative to `centre`*: positions are centred
  // before they become floats, and the matrices make up for it, in double.
  PoseSampler(const Rig& rig, const Clip* clip, const Vec3<double>& centre);

  void sample(double time_s, SampledPose& pose);

  // Every distinct key time of the channels that move this rig, ascending; at least one.
  std::vector<double> key_times() const;
  // True if a scale is animated by a spline, which may leave the range of its keys.
  bool has_scale_splines() const;

 private:
  struct Local {
    Vec3<double> translation;
    Quat<double> rotation;
    Vec3<double> scale;
  };
  void evaluate_channels(double time_s, SampledPose& pose);

  const Rig* rig_;
  Vec3<double> centre_;
  std::vector<NodeIndex> needed_;         // the joints, the mesh's node, their ancestors; in order
  std::vector<const Channel*> channels_;  // those that move a needed node
  std::vector<Local> locals_;             // [node]
  std::vector<Affine<double>> globals_;   // [node] scene_from_node
};

// scene_from_node of every node at the file's own transforms. Shape [node].
std::vector<Affine<double>> rest_globals(const Skeleton& skeleton);

}  // namespace skinbake
