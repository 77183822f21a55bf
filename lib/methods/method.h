// What a method is given.
//
// A method is a struct template over `Real` (README.md in this folder). It sees neither lanes nor
// frames nor vertices: it blends the joints of one vertex into one transform.
//
//   kInfo                      what is said of it to users
//   Transform                  what it is given of each joint: Affine<Real>, the joint's matrix, or
//                              Rigid<Real>, its rigid part (the driver stretches points first)
//   Joint, joint(transform)    its own form of that, made once per joint and block
//   blend(influences, pose)    the transform of one vertex
//   kIsLinear                  whether that is a weighted sum of the joints' matrices

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "skinbake/methods.h"

namespace skinbake {

// An influence as lanes read it. T: float, or double for the exact reference.
template <class T>
struct PackedInfluence {
  std::uint32_t joint;
  T weight;
};

// The influences of one vertex, the heaviest first; their weights sum to 1.
template <class T>
using Influences = std::span<const PackedInfluence<T>>;

}  // namespace skinbake
