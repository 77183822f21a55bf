// Forward kinematics: the global transforms of nodes at an instant of a clip.

#pragma once

#include <vector>

#include "skinbake/clip.h"

namespace skinbake {

// Computes global transforms of nodes. Not thread-safe: each thread uses its own copy.
class NodeSampler {
 public:
  // Samples the nodes of `requested` and their ancestors. `clip` may be null: the rest pose. The
  // skeleton and the clip must outlive the sampler.
  NodeSampler(const Skeleton& skeleton, const Clip* clip, const std::vector<NodeIndex>& requested);

  void sample(double time_s);

  // The global transform of a requested node or of its ancestor, at the time sampled last.
  const Affine<double>& scene_from_node(NodeIndex n) const { return globals_[n]; }

  // The channels that move a sampled node.
  const std::vector<const Channel*>& channels() const { return channels_; }

 private:
  struct Local {
    Vec3<double> translation;
    Quat<double> rotation;
    Vec3<double> scale;
  };

  const Skeleton* skeleton_;
  std::vector<NodeIndex> needed_;  // in the order of Skeleton::order
  std::vector<const Channel*> channels_;
  std::vector<Local> locals_;            // [node]
  std::vector<Affine<double>> globals_;  // [node] scene_from_node
};

// Returns 0 and the distinct key times of the channels, ascending.
std::vector<double> key_times_of(const std::vector<const Channel*>& channels);

}  // namespace skinbake
