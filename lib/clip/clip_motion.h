// Motion that is computed at each instant, where no keys of single nodes describe it: a humanoid
// that follows the bones of another skeleton.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "skinbake/clip.h"

namespace skinbake {

class ClipMotion {
 public:
  // The local transform of a node that moves, without its scale.
  struct NodePose {
    Quat<double> rotation;  // unit length
    Vec3<double> translation;
  };

  ClipMotion() = default;
  virtual ~ClipMotion() = default;
  ClipMotion(const ClipMotion&) = delete;
  ClipMotion& operator=(const ClipMotion&) = delete;

  // The nodes that move. Their channels in the clip are not used.
  virtual const std::vector<NodeIndex>& nodes() const = 0;

  // The nodes that the motion would turn if they did not have a matrix with shear.
  virtual std::vector<NodeIndex> stuck_nodes() const { return {}; }

  // Writes the poses of nodes(). Thread-safe.
  virtual void sample(double time_s, std::span<NodePose> poses) const = 0;

  // Adds the motion's changes to the morph weights of a mesh node. The weights come from the rest
  // pose and the clip's channels. Thread-safe.
  virtual void sample_morphs(NodeIndex /*mesh_node*/, double /*time_s*/,
                             std::span<double> /*weights*/) const {}

  // The least number of morph targets of a mesh node that has all targets which sample_morphs
  // changes. Targets that a mesh does not have are left out.
  virtual std::size_t least_morph_targets(NodeIndex /*mesh_node*/) const { return 0; }

  // What the pose at an instant is called; empty: it has no name. Thread-safe.
  virtual std::string pose_name(double /*time_s*/) const { return ""; }

  // The instants between which nodes move smoothly, in seconds: ascending and distinct.
  virtual const std::vector<double>& key_times() const = 0;
};

}  // namespace skinbake
