// Rigid parts of joint transforms, and their rotations tracked through time.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "clip/poses/skinning.h"
#include "rig/joint_tree.h"
#include "skinbake/frames.h"

namespace skinbake {

// ---- Factors joint transforms for rigid methods: a common scale, rigid transforms to blend, and
// the remaining stretch of every joint.
//
// Joint matrices are rarely rigid, even if the motion is: often the root or the inverse bind
// matrices contain a scale of 0.01 or 100. A rigid method therefore acts on scaled points u and
// blends the rigid transforms C_j:
//
//     k   = lower weighted median over the joints of cbrt(det M_j), weights W_j = sum_v w_j(v)
//     u   = sum_j w_j (S_j (v - c_j) + k c_j)           the joints' stretch, about the joints
//     C_j = (R_j, t_j + R_j S_j c_j - k R_j c_j)        acts on u; M_j = [R_j S_j | t_j]
//
// with c_j the joint's position in bind space. The result is exact for one influence, and does not
// depend on the origin of bind space, on a scale of the scene or on a mirrored root.
//
// In float, the error is in the last bits of k times the size of the mesh, because k c_j is added
// in u and subtracted in C_j. If the joints with most of the weight are scaled by 1000, then k is
// 1000, and vertices of joints without scale have the same absolute error as the scaled ones. k is
// part of the definition and cannot differ between vertices.
//
// Methods that follow the chain of joints compare a joint's whole matrix with its parent's instead:
//
//     N_j = C_j o (S_j about c_j, divided by k)     acts on k v: N_j (k v) = M_j v
//
// The inverse of N_j does not exist if the joint is scaled to zero. The stretches of a parent that
// is scaled to zero and of its children are left to the first phase, and N_j = C_j.
//
// Scaling about the centres c_j is ours. The two phases, first the stretch to u, then the rigid
// C_j, are from Ladislav Kavan, Steven Collins, Jiri Zara, Carol O'Sullivan. Geometric Skinning
// with Approximate Dual Quaternion Blending. 2008, which scales about the origin.

// Points are relative to the centre of SampledPose::posed_from_rest: transforms act on u - k
// centre.
struct RigidPose {
  double common_scale = 1;
  std::vector<Rigid<double>> posed_from_scaled;  // C_j  [joint]
  std::vector<Affine<double>> scaled_from_rest;  // [S_j | k c_j - S_j c_j]  [joint]
  std::vector<Affine<double>> chained;           // N_j  [joint]
  std::vector<std::uint8_t> scaled_first;        // [joint] 1: N_j is without the joint's stretch
};

// Returns N_parent^-1 N_j. Precondition: the joint has a parent in the tree.
Affine<double> relative_to_parent(const JointTree& tree, const RigidPose& rigid, JointIndex j);

// The greatest ‖S_j / k - 1‖ that a bake neglects.
inline constexpr double kNeglectedStretch = 1e-5;
// The greatest that the exact reference neglects: rounding errors of double arithmetic.
inline constexpr double kStretchRounding = 1e-12;

class RigidFactors {
 public:
  RigidFactors(const Rig& rig, const Vec3<double>& centre);

  const JointTree& tree() const { return tree_; }

  // `about_origin`: every c_j is the origin of bind space, as in the paper of Kavan et al.
  void factor(const SampledPose& pose, RigidPose& rigid, bool about_origin = false) const;

  // True if the stretch of a joint differs from the common scale by more than `neglected` at any
  // key of the clip; the first phase is then needed. The result is for the whole clip, so that it
  // does not depend on blocks. In mesh space, joints are also stretched by a mesh node that is not
  // scaled alike along its axes.
  bool is_stretched(PoseSampler sampler, double neglected, Space space = Space::kScene) const;

 private:
  double common_scale(const SampledPose& pose) const;
  bool is_stretched(const SampledPose& pose, double neglected) const;
  void chain(RigidPose& rigid) const;

  JointTree tree_;
  Vec3<double> centre_;
};

// ---- Tracks the rotations of joints over time: the sign of the quaternion (q or -q) and the
// number of whole turns.
//
// A single pose determines neither: a forearm that is twisted by 270 degrees looks like one twisted
// by -90. The clip is therefore sampled from its start, in steps of at most 1/120 s that do not
// depend on the frames of the run, and the rotation of every joint relative to its parent is kept
// continuous:
//
//     q       parent^-1 joint, of their rotations. First sample: the sign with w >= 0; later
//             samples: the sign nearest to the previous q
//     twist   2 atan2(p . a, w) about the direction a of the joint's segment, plus the whole turns
//             that bring it nearest to the previous twist. If the twist is undefined (a swing of
//             half a turn), the previous one. p is the rotation of parent^-1 joint, of their
//             matrices: a stretch of the parent turns the joint relative to it
//
// The rotations of all other roots are tracked relative to the first root.

// Shapes [joint].
struct TrackedJoints {
  std::vector<Quat<double>> relative;  // of unit length
  std::vector<double> twists;          // radians

  // Sets the signs of the rotations to the tracked signs.
  void sign(const JointTree& tree, RigidPose& rigid) const;
};

class JointTracker {
 public:
  // `cancelled` may be null. Otherwise `advance` throws Cancelled when it is true. All arguments
  // except the sampler, which is copied, must outlive the tracker.
  JointTracker(const RigidFactors& factors, const PoseSampler& sampler, double fps,
               const std::atomic<bool>* cancelled);

  // Tracks the joints up to a frame number. Precondition: frames do not descend.
  const TrackedJoints& advance(std::int64_t frame);

 private:
  void take_sample();

  const RigidFactors& factors_;
  PoseSampler sampler_;
  double rate_hz_;
  std::int64_t samples_per_frame_;
  std::int64_t sample_ = -1;  // number of the last sample
  const std::atomic<bool>* cancelled_;
  SampledPose pose_;
  RigidPose rigid_;
  TrackedJoints state_;
};

}  // namespace skinbake
