// Finds the hinges of a triangle: the joints that move it partly.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rig/surface/edges.h"
#include "skinbake/rig.h"

namespace skinbake {

// The joints of a rig as a forest. A rank is a position in an order with parents before children.
struct SkinTree {
  std::vector<JointIndex> joint;    // [rank]
  std::vector<std::uint32_t> rank;  // [joint]
  // [rank] The rank of the nearest ancestor that is a joint, or kNone.
  std::vector<std::uint32_t> parent;
  static constexpr std::uint32_t kNone = ~0u;
};
SkinTree build_skin_tree(const Rig& rig);

// Finds the joints j of a triangle with 0.02 < W_j < 0.98, where W_j is the mean, over its corners,
// of the summed weight of j and its descendants.
class HingeFinder {
 public:
  explicit HingeFinder(const Rig& rig);

  // Returns joints by descending rank. The span is valid until the next call.
  std::span<const JointIndex> hinges_of(const Triangle& triangle);

 private:
  void add(std::uint32_t rank, double weight);

  const Rig& rig_;
  SkinTree tree_;
  // A priority queue of ranks, highest first: one bit per rank, and its weight.
  std::vector<std::uint64_t> waiting_;  // [rank / 64]
  std::vector<double> weight_;          // [rank] sum over the corners; valid if the bit is set
  std::vector<JointIndex> hinges_;
};

}  // namespace skinbake
