// The joints of a rig as methods see them: which of them matter, their places and bones.

#pragma once

#include <string>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// Places are in bind space, relative to a centre. Shapes [joint].
struct JointTree {
  JointTree(const Rig& rig, const Vec3<double>& centre);

  std::vector<double> weights;      // W_j, the sum over vertices; a joint of none moves nothing
  std::vector<int> parents;         // nearest ancestor with weight, or -1
  std::vector<int> depths;          // number of ancestors with weight
  std::vector<JointIndex> order;    // joints with weight, ancestors first
  std::vector<Vec3<double>> heads;  // the joint's own place
  std::vector<Vec3<double>> tips;   // the other end of its bone; the head if there is none
  std::vector<Vec3<double>> bones;  // unit direction head -> tip; zero if there is none

 private:
  void find_order(const Rig& rig);
  void find_heads(const Rig& rig, const Vec3<double>& centre);
  void find_tips(const Rig& rig, const Vec3<double>& centre);
};

// How users name a joint: its node's name, or "#<node>".
std::string joint_id(const Rig& rig, JointIndex joint);

}  // namespace skinbake
