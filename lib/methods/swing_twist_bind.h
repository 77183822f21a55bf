// What joint-chain swing-twist (swing_twist-inl.h) finds out once per rig and once per frame.

#pragma once

#include "methods/method.h"

namespace skinbake {

// How a vertex's map is put together, on a stack of maps whose top begins as the identity. Each
// entry is a joint, a weight and a step: the sum of what applies, carried out in this order.
enum SwingTwistStep {
  kStepPush = 1,   // put the identity on top
  kStepMerge = 2,  // after top <- P top: top <- below + top - 1, and the stack is one lower
  kStepRoot = 4    // instead of P: add weight C top to the result; the top is the identity again
};

// More than any vertex needs: branches that need most are done first, so that n influences need a
// stack of log2 n.
inline constexpr std::size_t kSwingTwistStack = 20;

// Entries of two numbers, weight and step.
Bound swing_twist_programs(const BindInput& input);

// A joint's numbers, and where each begins: c, tau, a, log swing, half phi, C as quaternion and
// translation (symbols: swing_twist-inl.h).
struct SwingTwistNumbers {
  enum Place { kHead = 0, kShift = 3, kAxis = 6, kSwing = 9, kTwist = 12, kTurn = 13, kMove = 17 };
  static constexpr std::size_t kNumberCount = 20;
};

// Those of one frame.
void pose_swing_twist(const PosedJoints& posed, JointIndex joint, std::span<double> out);

}  // namespace skinbake
