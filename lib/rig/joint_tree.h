// The joint hierarchy of a rig: ancestors, positions in the bind pose, and segments.

#pragma once

#include <string>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

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
