// The computations of joint-chain swing-twist (swing_twist-inl.h) per rig and per frame.

#pragma once

#include "methods/method.h"

namespace skinbake {

// A program computes the transform of one vertex with a stack of transforms. The stack starts with
// the identity. Each entry of a program is a joint, a weight and a sum of the steps below, which
// are executed in their order. swing_twist-inl.h defines P and C.
enum SwingTwistStep {
  kStepPush = 1,   // push the identity
  kStepMerge = 2,  // after top <- P top: pop, and top <- top + popped - 1
  kStepRoot = 4  // instead of P: add weight C top to the result, and reset the top to the identity
};

// The depth of the stack. n influences need a depth of log2 n, because the branches that need most
// are executed first.
inline constexpr std::size_t kSwingTwistStack = 20;

// The programs of all vertices. Entries have two numbers, weight and step.
// Throws Error (kInput, JOINT_CHAINS_TOO_LONG) if the programs have too many entries.
BindData swing_twist_programs(const BindInput& input);

// The offsets of a joint's numbers: c, tau, a, log swing, phi / 2, C as quaternion and translation,
// the columns of the stretch, and whether the joint is scaled first (symbols: swing_twist-inl.h).
struct SwingTwistNumbers {
  enum Offset {
    kHead = 0,
    kShift = 3,
    kAxis = 6,
    kSwing = 9,
    kTwist = 12,
    kTurn = 13,
    kMove = 17,
    kStretch = 20,
    kScaledFirst = 29
  };
  static constexpr std::size_t kNumberCount = 30;
};

// Computes the numbers of a joint in one frame.
void pose_swing_twist(const PosedJoints& posed, JointIndex joint, std::span<double> out);

}  // namespace skinbake
