// The joint hierarchy of a rig in the bind pose: the segment of every joint, and the ancestors and
// positions of joints.

#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// ---- Joint segments in the bind pose. The segment of a joint is the straight line from the joint
// to its tip: the position of one of its children or, for a leaf, a point beyond the joint.
//
// A joint's parent is its nearest ancestor, among the rig's joints, that has weight. A joint
// without weight moves no vertex, but its position can be the tip of a segment.

// The end of a joint segment, and the child at that position.
struct SegmentTip {
  Vec3<double> position;
  std::optional<JointIndex> child;  // none: the joint is a leaf
};

// The segments of one rig.
class JointSegments {
 public:
  // The rig must outlive the segments.
  explicit JointSegments(const Rig& rig);
  // `weights` [joint] replaces the rig's own sums of weights.
  JointSegments(const Rig& rig, std::vector<double> weights);

  // The joint's weight summed over all vertices.
  double weight(JointIndex j) const { return weights_[j]; }
  // The nearest ancestor with weight. Joints whose weight was moved to helpers count as ancestors,
  // helpers do not.
  std::optional<JointIndex> parent(JointIndex j) const;
  // The joint's position in the bind pose. Not finite if its inverse bind matrix is singular.
  const Vec3<double>& position(JointIndex j) const { return positions_[j]; }

  // The tip is the child with the heaviest subtree (ties: the nearest, then the lowest). A child at
  // the joint's position does not count; its children count instead. For a leaf see leaf_tip. None:
  // the length of the segment is zero.
  std::optional<SegmentTip> tip(JointIndex j) const;

  // True if all children, and their children, are at the joint's own position.
  bool is_leaf(JointIndex j) const;
  // leaf_reach: how far the vertices that a leaf dominates extend along parent -> joint, as a
  // multiple of the distance between the two. leaf_tip: the tip of a leaf with a given reach.
  double leaf_reach(JointIndex j) const;
  std::optional<SegmentTip> leaf_tip(JointIndex j, double reach) const;

 private:
  bool is_same_position(const Vec3<double>& a, const Vec3<double>& b) const;
  void collect_children(JointIndex j, const Vec3<double>& from,
                        std::vector<JointIndex>& found) const;
  std::optional<Vec3<double>> along_leaf(JointIndex j) const;

  const Rig* rig_;
  std::vector<double> weights_;                   // [joint]
  std::vector<double> subtree_weights_;           // [joint]
  std::vector<Vec3<double>> positions_;           // [joint]
  std::vector<std::optional<JointIndex>> above_;  // [joint] nearest ancestor that is a joint
  std::vector<std::vector<JointIndex>> below_;    // [joint] ascending
  std::vector<bool> drives_;                      // [joint] its weight was moved to helpers
  double size_ = 0;                               // diagonal of the joints' bounding box
};

// ---- Segments across the meshes of a file
//
// A file may give each mesh of one body a different skin, with only the joints that move the mesh.
// The ends of a segment and the parent of a joint must be the same for all of these meshes:
// otherwise vertices at a shared border would separate.

// A joint's segment in the bind pose of one rig. `child` and `parent` may be joints that only
// another mesh of the file has; they are then converted to the bind pose of this rig.
struct JointSegment {
  Vec3<double> start{0, 0, 0}, axis{0, 1, 0};  // axis: unit length
  double length = 0;
  std::optional<Joint> child;   // at the tip
  std::optional<Joint> parent;  // nearest ancestor with weight in any mesh
};

class FileJointSegments {
 public:
  // `rigs`: all rigs of a file, which must outlive the segments. Rigs without a skin are ignored.
  // Rigs are only combined with rigs of the same skeleton.
  explicit FileJointSegments(std::span<const Rig* const> rigs);

  // rigs[r] with additional joints at its end: the joints of all rigs that share a joint with it,
  // directly or through other rigs. The additional joints do not have weight in the rig.
  const Rig& whole(std::size_t r) const { return *whole_[r]; }

  // True if the node of a joint of whole(r) has weight in any mesh of the file.
  bool has_weight(std::size_t r, JointIndex joint) const;

  // The segment of a joint of whole(r). None: its length is zero.
  std::optional<JointSegment> segment(std::size_t r, JointIndex joint) const;

 private:
  // Data of all rigs of one skeleton. Shapes [node].
  struct Shared {
    const Skeleton* skeleton = nullptr;
    std::vector<double> weights;                  // summed over all vertices of all meshes
    std::vector<std::vector<std::size_t>> users;  // rigs with a joint on the node, ascending
  };

  Shared& shared_by(const Rig& rig);
  void complete(std::size_t r, const Shared& shared);
  double reach(std::size_t r, JointIndex joint) const;

  std::vector<const Rig*> rigs_, whole_;  // [rig]
  std::deque<Rig> completed_;             // the rigs of `whole_` with added joints
  std::vector<Shared> shared_;
  std::vector<std::size_t> shared_of_;                  // [rig]
  std::vector<std::optional<JointSegments>> segments_;  // [rig] of whole_; none without a skin
};

// ---- The joint hierarchy of a rig: ancestors, positions in the bind pose, and segments.

// Distances below this fraction of the skeleton's size count as zero. Files with float coordinates
// are accurate to 1e-7 of their greatest coordinate.
inline constexpr double kSamePosition = 1e-6;

bool is_finite(const Vec3<double>& v);

// [joint] The nearest ancestor that is a joint, whether it has weight or not; -1: none. If several
// joints are on the ancestor's node, the first of them.
std::vector<int> parent_joints(const Rig& rig);

// All joints, parents before children; the joints on one node in ascending order.
std::vector<JointIndex> joints_parents_first(const Rig& rig);

// The hierarchy of the joints that have weight. Positions are in bind space, relative to a centre.
// Shapes [joint].
struct JointTree {
  JointTree(const Rig& rig, const Vec3<double>& centre);

  std::vector<double> weights;           // W_j: the joint's weight summed over all vertices
  std::vector<int> parents;              // nearest ancestor with weight, or -1
  std::vector<int> depths;               // number of ancestors with weight
  std::vector<JointIndex> order;         // the joints with weight, ancestors first
  std::vector<Vec3<double>> heads;       // the joint's position: the start of its segment
  std::vector<Vec3<double>> tips;        // the end of its segment; the head if its length is zero
  std::vector<Vec3<double>> directions;  // unit vector head -> tip; zero if the length is zero

 private:
  void find_order(const Rig& rig);
  void find_heads(const Rig& rig, const Vec3<double>& centre);
  void find_tips(const Rig& rig, const Vec3<double>& centre);
};

// The identifier of a joint in options and reports: the name of its node, or "#<node>".
std::string joint_id(const Rig& rig, JointIndex joint);

// The identifiers of all joints, in which no two are equal: the second "hand" is "hand (2)".
std::vector<std::string> distinct_joint_ids(const Rig& rig);

// The names in which the second of equal ones ends in " (2)".
std::vector<std::string> distinct_names(std::vector<std::string> names);

}  // namespace skinbake
