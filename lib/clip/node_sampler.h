// Forward kinematics: from a clip and a time to the places of some nodes.

#pragma once

#include <vector>

#include "skinbake/clip.h"

namespace skinbake {

// Not for use by two threads at once: copy it.
class NodeSampler {
 public:
  // `wanted` nodes and all above them are sampled. `clip` may be null: the rest pose. The skeleton
  // and the clip must outlive the sampler.
  NodeSampler(const Skeleton& skeleton, const Clip* clip, const std::vector<NodeIndex>& wanted);

  void sample(double time_s);

  // At the last time that was sampled; of the wanted nodes and those above them.
  const Affine<double>& scene_from_node(NodeIndex n) const { return globals_[n]; }

  // Those that move a sampled node.
  const std::vector<const Channel*>& channels() const { return channels_; }

 private:
  struct Local {
    Vec3<double> translation;
    Quat<double> rotation;
    Vec3<double> scale;
  };

  const Skeleton* skeleton_;
  std::vector<NodeIndex> needed_;  // in the order of the skeleton
  std::vector<const Channel*> channels_;
  std::vector<Local> locals_;            // [node]
  std::vector<Affine<double>> globals_;  // [node] scene_from_node
};

// Every distinct key time of the channels, ascending, from 0 on; at least one.
std::vector<double> key_times_of(const std::vector<const Channel*>& channels);

}  // namespace skinbake
