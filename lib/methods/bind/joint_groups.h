// Joints that move vertices together: the sets of a rig, and its pairs.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/method.h"

namespace skinbake {

// ---- The distinct sets of joints that move vertices together: the parts of method `sbs`.

// One part for every distinct set of two joints or more, in the order of the vertices. Its joints
// ascend; its three numbers are the head of its deepest joint, the lowest of equally deep ones. A
// vertex that several joints move has one entry, whose index is its part.
BindData bind_joint_sets(const BindInput& input);

// ---- The pairs of joints of a rig, and the vertices and triangles of each: an index for sums over
// all pairs (rotation_centres.h). Its size grows as the rig's; the lists of a pair are found when
// the pair is needed, so that a rig with hundreds of influences fits in memory.

// A list of T for each of several keys, in one array.
template <class T>
struct Lists {
  std::vector<std::size_t> first{};  // [key + 1]
  std::vector<T> items{};

  explicit Lists(std::size_t keys) : first(keys + 1, 0) {}
  std::span<const T> operator[](std::size_t key) const {
    return {items.data() + first[key], items.data() + first[key + 1]};
  }
  // for_each(visit) must call visit(key, item) for every item; it is called twice, and the order
  // must be the same.
  template <class ForEach>
  void fill(const ForEach& for_each) {
    for_each([&](std::size_t key, const T&) { ++first[key + 1]; });
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    items.resize(first.back());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for_each([&](std::size_t key, const T& item) { items[next[key]++] = item; });
  }
};

// Classes of vertices of equal weights, which have the same centre.
struct Classes {
  std::vector<std::uint32_t> of_vertex;
  std::vector<VertexIndex> first_vertex;  // [class]
};
Classes classes_of(const Rig& rig);

// A triangle that is cut into cuts^2 congruent pieces.
struct CutTriangle {
  std::uint32_t triangle;
  std::uint32_t cuts;
  double area;  // of a piece
};

struct PairOfJoints {
  JointIndex j, k;  // j < k
};

// The vertices, classes and triangles of every joint.
struct JointLists {
  struct VertexWeight {
    VertexIndex vertex;
    double weight;
  };
  Lists<VertexWeight> vertices;
  Lists<std::uint32_t> classes;    // classes of `chosen`, ascending
  Lists<std::uint32_t> triangles;  // indices in `all`, ascending

  JointLists(const Rig& rig, const Classes& classes, std::span<const std::uint32_t> chosen,
             std::span<const CutTriangle> all);
};

// The pairs that a class of `lists` has, in the order of j, then of k. until: as in ParallelFor.
std::vector<PairOfJoints> pairs_of(const Rig& rig, const Classes& classes, const JointLists& lists,
                                   const ParallelFor& in_parallel, double until);

// The weights of a pair, by vertex. Setting another pair takes as long as its lists are.
class PairWeights {
 public:
  PairWeights(const Rig& rig, const JointLists& lists);

  void set(const PairOfJoints& pair);
  double j(VertexIndex v) const { return j_[v]; }
  double k(VertexIndex v) const { return k_[v]; }

 private:
  void write(JointIndex joint, bool clear, std::vector<double>& weights) const;

  const JointLists& lists_;
  std::vector<double> j_, k_;  // [vertex]
  PairOfJoints pair_;
  bool is_set_ = false;
};

}  // namespace skinbake
