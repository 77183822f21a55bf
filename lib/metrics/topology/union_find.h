// Disjoint sets of integers that can be joined.

#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace skinbake {

// Union by lowest index with path halving: Robert E. Tarjan, Jan van Leeuwen. Worst-case Analysis
// of Set Union Algorithms. 1984. The root of a set is its lowest member, so that results do not
// depend on the order of joining.
class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    if (parent_[a] == parent_[b]) return;  // usual for the corners of a triangle
    a = root(a);
    b = root(b);
    if (a < b) {
      parent_[b] = a;
    } else {
      parent_[a] = b;
    }
  }

  // Makes i a set of its own. Must be called for all members of a set.
  void reset(std::uint32_t i) { parent_[i] = i; }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace skinbake
