// The joint transforms of one rig over the 16 frames of a block, in the layout of the kernels.

#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "base/aligned_array.h"
#include "clip/poses/rigid_pose.h"
#include "skinbake/frames.h"

namespace skinbake {

// Arrays have the shape [joint][element][frame]. T is float, or double for the exact reference.
template <class T>
struct JointBlock {
  static constexpr std::size_t kAffineElements = 12;  // x.x x.y x.z y.x … translation.z
  static constexpr std::size_t kRigidElements = 7;    // w x y z, translation

  std::size_t joint_count = 0;
  bool stretched = false;             // Pose::is_stretched
  AlignedArray<T> posed_from_rest;    // kAffineElements
  AlignedArray<T> posed_from_scaled;  // kRigidElements
  AlignedArray<T> scaled_from_rest;   // kAffineElements
  AlignedArray<T> common_scale;       // [frame]
  AlignedArray<T> morph_weights;      // [target][frame]

  JointBlock(std::size_t joints, std::size_t morph_targets)
      : joint_count(joints),
        posed_from_rest(joints * kAffineElements * kFramesPerBlock),
        posed_from_scaled(joints * kRigidElements * kFramesPerBlock),
        scaled_from_rest(joints * kAffineElements * kFramesPerBlock),
        common_scale(kFramesPerBlock),
        morph_weights(morph_targets * kFramesPerBlock) {}

  void set(int frame, const SampledPose& pose) {
    for (std::size_t j = 0; j < joint_count; ++j) {
      put(posed_from_rest, j, frame, pose.posed_from_rest[j]);
    }
    for (std::size_t m = 0; m < pose.morph_weights.size(); ++m) {
      morph_weights[m * kFramesPerBlock + frame] = static_cast<T>(pose.morph_weights[m]);
    }
  }

  void set(int frame, const RigidPose& pose) {
    common_scale[frame] = static_cast<T>(pose.common_scale);
    for (std::size_t j = 0; j < joint_count; ++j) {
      const auto& [r, t] = pose.posed_from_scaled[j];
      const double elements[] = {flushed(r.w), flushed(r.x), flushed(r.y), flushed(r.z),
                                 t.x,          t.y,          t.z};
      put(posed_from_scaled, j, frame, elements);
      put(scaled_from_rest, j, frame, pose.scaled_from_rest[j]);
    }
  }

 private:
  // Replaces components of rotations below 1e-12 by zero. They are rounding errors of double
  // arithmetic, but their products are denormal in float, which is several times slower.
  static double flushed(double component) {
    constexpr double kNoise = 1e-12;
    if constexpr (std::is_same_v<T, double>) return component;
    return std::abs(component) < kNoise ? 0 : component;
  }

  template <std::size_t N>
  static void put(AlignedArray<T>& array, std::size_t joint, int frame, const double (&e)[N]) {
    T* to = array.data() + joint * N * kFramesPerBlock + frame;
    for (std::size_t i = 0; i < N; ++i) to[i * kFramesPerBlock] = static_cast<T>(e[i]);
  }
  static void put(AlignedArray<T>& array, std::size_t joint, int frame, const Affine<double>& m) {
    const double elements[] = {m.x.x, m.x.y,           m.x.z,           m.y.x,
                               m.y.y, m.y.z,           m.z.x,           m.z.y,
                               m.z.z, m.translation.x, m.translation.y, m.translation.z};
    put(array, joint, frame, elements);
  }
};

}  // namespace skinbake
