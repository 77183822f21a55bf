// The tree of a rig's joints in the bind pose: who hangs from whom, and where each bone ends. A
// joint's bone is the segment from the joint to its tip.
//
// A joint's parent is its nearest ancestor among the rig's joints that moves something; a joint
// without weight changes nothing, but can be the end of a bone.

#pragma once

#include <optional>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// The far end of a joint's bone, and the child that stands there.
struct BoneTip {
  Vec3<double> position;
  std::optional<JointIndex> child;  // none: the joint is a leaf
};

class Bones {
 public:
  // The rig must outlive it.
  explicit Bones(const Rig& rig);
  // With weights of joints that are not the rig's own, but of several meshes.
  Bones(const Rig& rig, std::vector<double> weights);

  // The sum over the vertices of the joint's weight.
  double weight(JointIndex j) const { return weights_[j]; }
  // The nearest ancestor with weight; joints whose weight has gone to helpers count, helpers do
  // not.
  std::optional<JointIndex> parent(JointIndex j) const;
  // Where the joint was bound. Not finite if its inverse bind matrix is singular.
  const Vec3<double>& position(JointIndex j) const { return positions_[j]; }

  // The child with the heaviest subtree (ties: the nearest, then the lowest) at another place than
  // the joint; children at the same place stand for theirs. A leaf's bone goes on along
  // parent -> joint as far as the vertices that the joint dominates. None: a bone without length.
  std::optional<BoneTip> tip(JointIndex j) const;

  // No child stands at another place.
  bool is_leaf(JointIndex j) const;
  // How far the vertices that a leaf dominates go, in lengths of parent -> joint, and its tip
  // there.
  double leaf_reach(JointIndex j) const;
  std::optional<BoneTip> leaf_tip(JointIndex j, double reach) const;

 private:
  bool is_same_place(const Vec3<double>& a, const Vec3<double>& b) const;
  void collect_children(JointIndex j, const Vec3<double>& from,
                        std::vector<JointIndex>& found) const;
  std::optional<Vec3<double>> along_leaf(JointIndex j) const;

  const Rig* rig_;
  std::vector<double> weights_;                   // [joint]
  std::vector<double> subtree_weights_;           // [joint]
  std::vector<Vec3<double>> positions_;           // [joint]
  std::vector<std::optional<JointIndex>> above_;  // [joint] nearest ancestor that is a joint
  std::vector<std::vector<JointIndex>> below_;    // [joint] ascending
  std::vector<bool> drives_;                      // [joint] its weight has gone to helpers
  double size_ = 0;                               // the diagonal of the joints' bounding box
};

}  // namespace skinbake
