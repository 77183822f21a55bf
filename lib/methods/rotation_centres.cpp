#include "methods/rotation_centres.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>

#include "math/scalar.h"
#include "methods/piece_sums.h"

namespace skinbake {
namespace {

constexpr std::size_t kClassesPerTask = 256;  // that share one walk over a pair's pieces

// A pair of joints, the lower first, as one number that sorts.
std::uint64_t pair_key(JointIndex j, JointIndex k) {
  return std::uint64_t{std::min(j, k)} << 32 | std::max(j, k);
}

template <class Visit>
void for_each_pair(std::span<const Influence> influences, const Visit& visit) {
  for (std::size_t i = 0; i < influences.size(); ++i) {
    for (std::size_t l = i + 1; l < influences.size(); ++l) {
      const bool swapped = influences[l].joint < influences[i].joint;
      visit(influences[swapped ? l : i], influences[swapped ? i : l]);
    }
  }
}

// Vertices of equal weights have one centre.
struct Classes {
  std::vector<std::uint32_t> of_vertex;
  std::vector<VertexIndex> first_vertex;  // [class]
};

Classes classes_of(const Rig& rig) {
  const auto compare = [&](VertexIndex a, VertexIndex b) {
    const auto ia = rig.influences_of(a), ib = rig.influences_of(b);
    return std::lexicographical_compare_three_way(
        ia.begin(), ia.end(), ib.begin(), ib.end(), [](const Influence& x, const Influence& y) {
          const auto by_joint = std::strong_order(x.joint, y.joint);
          return by_joint != 0 ? by_joint : std::strong_order(x.weight, y.weight);
        });
  };
  std::vector<VertexIndex> sorted(rig.mesh->vertex_count());
  std::iota(sorted.begin(), sorted.end(), VertexIndex{0});
  std::sort(sorted.begin(), sorted.end(), [&](VertexIndex a, VertexIndex b) {
    const auto order = compare(a, b);
    return order != 0 ? order < 0 : a < b;
  });
  Classes classes;
  classes.of_vertex.resize(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || compare(sorted[i - 1], sorted[i]) != 0) classes.first_vertex.push_back(sorted[i]);
    classes.of_vertex[sorted[i]] = static_cast<std::uint32_t>(classes.first_vertex.size() - 1);
  }
  return classes;
}

// A class that has both joints of a pair.
struct Member {
  double p_j, p_k;
  std::uint32_t index;  // of the class
};

// A list of T for each of many things, one after another.
template <class T>
struct Lists {
  std::vector<std::size_t> first{};  // [thing + 1]
  std::vector<T> items{};

  explicit Lists(std::size_t things) : first(things + 1, 0) {}
  std::span<const T> operator[](std::size_t thing) const {
    return {items.data() + first[thing], items.data() + first[thing + 1]};
  }
  // for_each(visit) calls visit(thing, item) for every item, twice in the same order.
  template <class ForEach>
  void fill(const ForEach& for_each) {
    for_each([&](std::size_t thing, const T&) { ++first[thing + 1]; });
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    items.resize(first.back());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for_each([&](std::size_t thing, const T& item) { items[next[thing]++] = item; });
  }
};

// The inverted index: for every pair of joints that some vertex has, its classes and triangles.
struct PairIndex {
  std::vector<std::uint64_t> keys;  // ascending
  Lists<Member> members{0};
  Lists<CutTriangle> triangles{0};

  PairIndex(const WeightedMesh& mesh, const Classes& classes, std::span<const CutTriangle> all) {
    const Rig& rig = mesh.rig();
    for (const VertexIndex v : classes.first_vertex) {
      for_each_pair(rig.influences_of(v), [&](const Influence& a, const Influence& b) {
        keys.push_back(pair_key(a.joint, b.joint));
      });
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    members = Lists<Member>(keys.size());
    members.fill([&](const auto& visit) {
      for (std::uint32_t c = 0; c < classes.first_vertex.size(); ++c) {
        for_each_pair(rig.influences_of(classes.first_vertex[c]),
                      [&](const Influence& a, const Influence& b) {
                        visit(find(pair_key(a.joint, b.joint)), Member{a.weight, b.weight, c});
                      });
      }
    });
    triangles = Lists<CutTriangle>(keys.size());
    std::vector<JointIndex> joints;
    triangles.fill([&](const auto& visit) {
      for (const CutTriangle& t : all) {
        mesh.joints_of(t.triangle, joints);
        for (std::size_t i = 0; i < joints.size(); ++i) {
          for (std::size_t l = i + 1; l < joints.size(); ++l) {
            const std::size_t pair = find(pair_key(joints[i], joints[l]));
            if (pair < keys.size()) visit(pair, t);
          }
        }
      }
    });
  }

  std::size_t find(std::uint64_t key) const {  // keys.size(): no vertex has it
    const auto at = std::lower_bound(keys.begin(), keys.end(), key);
    return at != keys.end() && *at == key ? static_cast<std::size_t>(at - keys.begin())
                                          : keys.size();
  }
};

// Some members of one pair.
struct Task {
  std::size_t pair, first_member, last_member;
};

std::vector<Task> tasks_of(const PairIndex& index) {
  std::vector<Task> tasks;
  for (std::size_t pair = 0; pair < index.keys.size(); ++pair) {
    const std::size_t end = index.members.first[pair + 1];
    for (std::size_t m = index.members.first[pair]; m < end; m += kClassesPerTask) {
      tasks.push_back({pair, m, std::min(m + kClassesPerTask, end)});
    }
  }
  return tasks;
}

}  // namespace

std::vector<Vec3<double>> rotation_centres(const Rig& rig, const Vec3<double>& centre,
                                           const CentreParameters& parameters,
                                           const ParallelFor& in_parallel) {
  const WeightedMesh mesh(rig, centre);
  const Classes classes = classes_of(rig);
  const PairIndex index(mesh, classes, cut(mesh, parameters.epsilon));
  const std::vector<Task> tasks = tasks_of(index);
  std::vector<Gathered> gathered(index.members.items.size());  // [member]
  in_parallel(tasks.size(), [&](std::size_t first, std::size_t last) {
    const auto pieces = std::make_unique<Pieces>();
    for (const Task& task : std::span(tasks).subspan(first, last - first)) {
      const std::uint64_t key = index.keys[task.pair];
      const PieceWeights weights{static_cast<JointIndex>(key >> 32), static_cast<JointIndex>(key),
                                 parameters.sigma};
      cut_into_pieces(mesh, index.triangles[task.pair], weights, *pieces, [&] {
        for (std::size_t m = task.first_member; m < task.last_member; ++m) {
          const Member& member = index.members.items[m];
          gather(*pieces, member.p_j, member.p_k, gathered[m]);
        }
      });
    }
  });

  // A class's pairs, in the order of their keys.
  std::vector<Gathered> of_class(classes.first_vertex.size());
  for (std::size_t m = 0; m < gathered.size(); ++m) {
    const Member& member = index.members.items[m];
    Gathered& sum = of_class[member.index];
    sum.moment = sum.moment + (member.p_j * member.p_k) * gathered[m].moment;
    sum.area += member.p_j * member.p_k * gathered[m].area;
  }
  std::vector<Vec3<double>> centres;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const Gathered& sum = of_class[classes.of_vertex[v]];
    // Below the range of normal numbers a quotient would mean nothing.
    const bool defined = sum.area > 1e-290;
    centres.push_back(defined ? (1 / sum.area) * sum.moment : mesh.position(v));
  }
  return centres;
}

}  // namespace skinbake
