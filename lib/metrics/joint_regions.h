// Which joints move a triangle partly: their hinges.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rig/edges.h"
#include "skinbake/rig.h"

namespace skinbake {

// The skin's joints as a forest.
struct SkinTree {
  std::vector<JointIndex> joint;      // [rank] parents before children
  std::vector<std::uint32_t> rank;    // [joint]
  std::vector<std::uint32_t> parent;  // [rank] rank of the nearest ancestor that is a joint; kNone
  static constexpr std::uint32_t kNone = ~0u;
};
SkinTree build_skin_tree(const Rig& rig);

// Finds the joints j with 0.02 < W_j < 0.98 of one triangle after another, where W_j is the mean
// over its corners of the summed weight of j and its descendants.
class HingeFinder {
 public:
  explicit HingeFinder(const Rig& rig);

  // Joints in descending rank, until the next call.
  std::span<const JointIndex> hinges_of(const Triangle& triangle);

 private:
  void add(std::uint32_t rank, double weight);

  const Rig& rig_;
  SkinTree tree_;
  // A queue of ranks, highest first: one bit for each, and its weight.
  std::vector<std::uint64_t> waiting_;  // [rank / 64]
  std::vector<double> weight_;          // [rank] sum over the corners; meant where its bit is set
  std::vector<JointIndex> hinges_;
};

}  // namespace skinbake
