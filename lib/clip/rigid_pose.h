// What rigid methods blend: the common scale, the joints' rigid parts, and what stretch is left.
//
// Joint matrices are rarely rigid, even in rigid rigs: a root or the inverse bind matrices hold a
// scale of 0.01 or 100. A rigid method therefore acts on scaled points u and blends the rigid C_j:
//
//     k   = lower weighted median over the joints of cbrt(det M_j), weights W_j = sum_v w_j(v)
//     u   = sum_j w_j (S_j (v - c_j) + k c_j)           the joints' scale, about the joints
//     C_j = (R_j, t_j + R_j S_j c_j - k R_j c_j)        acts on u; M_j = [R_j S_j | t_j]
//
// with c_j the joint's position in bind space. Exact for one influence, independent of the origin
// of bind space, of a scene scale and of a mirrored root. In float, exact to the last bits of k
// times the mesh's size: where joints that are scaled by 1000 carry most of the weight, so that k
// is 1000, vertices of a joint that rests are off by as much as those large ones, for k c_j comes
// and goes in u and C_j. (k is part of what is defined, and cannot be another for them.) Ours; the
// two phases are from Ladislav Kavan, Steven Collins, Jiri Zara, Carol O'Sullivan. Geometric
// Skinning with Approximate Dual Quaternion Blending. 2008 (which scales about the origin).

#pragma once

#include <vector>

#include "clip/forward_kinematics.h"
#include "rig/joint_tree.h"

namespace skinbake {

// Everything is relative to the centre that SampledPose::posed_from_rest is relative to: u - k
// centre.
struct RigidPose {
  double common_scale = 1;
  std::vector<Rigid<double>> posed_from_scaled;  // C_j  [joint]
  std::vector<Affine<double>> scaled_from_rest;  // [S_j | k c_j - S_j c_j]  [joint]
};

class RigidFactors {
 public:
  RigidFactors(const Rig& rig, const Vec3<double>& centre);

  const JointTree& tree() const { return tree_; }

  // about_origin: with the origin of bind space in the place of every c_j, as others do it.
  void factor(const SampledPose& pose, RigidPose& rigid, bool about_origin = false) const;

  // True if a joint's stretch differs from the common scale at any key of the clip, so that points
  // have to be stretched before they are moved. Decided once for a rig and a clip, never per block.
  bool is_stretched(PoseSampler sampler) const;

 private:
  double common_scale(const SampledPose& pose) const;
  bool is_stretched(const SampledPose& pose) const;

  JointTree tree_;
  Vec3<double> centre_;
};

}  // namespace skinbake
