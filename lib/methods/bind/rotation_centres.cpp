#include "methods/bind/rotation_centres.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>

#include "math/scalar.h"
#include "methods/bind/piece_kernels.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

constexpr double kMostPieces = 1e9;  // takes a minute; no real surface needs as many

// The mesh, with distances between the weights of vertices.
class WeightedMesh {
 public:
  WeightedMesh(const Rig& rig, const Vec3<double>& centre) : rig_(rig), centre_(centre) {}

  const Rig& rig() const { return rig_; }

  // The rest position, relative to the centre.
  Vec3<double> position(VertexIndex v) const {
    const float* p = rig_.mesh->positions.data() + std::size_t{v} * 3;
    return Vec3<double>{p[0], p[1], p[2]} - centre_;
  }

  double weight(VertexIndex v, JointIndex joint) const {
    for (const Influence& i : rig_.influences_of(v)) {
      if (i.joint == joint) return i.weight;
    }
    return 0;
  }

  double twice_area(std::uint32_t triangle) const {
    const auto& [a, b, c] = rig_.mesh->triangles[triangle];
    return norm(cross(position(b) - position(a), position(c) - position(a)));
  }

  // The triangle's longest edge in weight space.
  double weight_span(std::uint32_t triangle) const {
    const auto& [a, b, c] = rig_.mesh->triangles[triangle];
    return std::max({weight_distance(a, b), weight_distance(b, c), weight_distance(c, a)});
  }

  // The joints of the triangle's corners, each once, ascending.
  void joints_of(std::uint32_t triangle, std::vector<JointIndex>& joints) const {
    joints.clear();
    for (const VertexIndex v : rig_.mesh->triangles[triangle]) {
      for (const Influence& i : rig_.influences_of(v)) joints.push_back(i.joint);
    }
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  }

 private:
  double weight_distance(VertexIndex a, VertexIndex b) const {
    double sum = 0;
    for (const Influence& i : rig_.influences_of(a)) {
      const double d = i.weight - weight(b, i.joint);
      sum += d * d;
    }
    for (const Influence& i : rig_.influences_of(b)) {
      if (weight(a, i.joint) == 0) sum += i.weight * i.weight;
    }
    return std::sqrt(sum);
  }

  const Rig& rig_;
  Vec3<double> centre_;
};

// A triangle that is cut into cuts^2 congruent pieces.
struct CutTriangle {
  std::uint32_t triangle;
  std::uint32_t cuts;
};

// The triangles of positive area, with the cuts that bring the weights of each piece within
// epsilon. Throws Error (kUsage) if there would be more than kMostPieces pieces.
std::vector<CutTriangle> cut(const WeightedMesh& mesh, double epsilon) {
  std::vector<CutTriangle> triangles;
  double pieces = 0;
  for (std::uint32_t t = 0; t < mesh.rig().mesh->triangles.size(); ++t) {
    if (!(mesh.twice_area(t) > 0)) continue;
    const double cuts = std::max(1.0, std::ceil(mesh.weight_span(t) / epsilon));
    pieces += cuts * cuts;
    if (pieces > kMostPieces) {
      throw Error(ErrorKind::kUsage, "METHOD_PARAMETER_INVALID",
                  "method 'cor': epsilon cuts mesh '" + mesh.rig().id +
                      "' into more than 1e9 pieces; write a greater epsilon=");
    }
    triangles.push_back({t, static_cast<std::uint32_t>(cuts)});
  }
  return triangles;
}

struct PieceWeights {
  JointIndex j, k;
  double sigma;
};

// Cuts triangles into pieces with the weights of joints j and k. Calls flush() whenever `pieces` is
// full, and at the end.
void cut_into_pieces(const WeightedMesh& mesh, std::span<const CutTriangle> triangles,
                     const PieceWeights& weights, Pieces& pieces,
                     const std::function<void()>& flush) {
  const auto& [j, k, sigma] = weights;
  pieces.count = 0;
  for (const auto& [triangle, cuts] : triangles) {
    const auto& [a, b, c] = mesh.rig().mesh->triangles[triangle];
    const Vec3<double> x = mesh.position(a);
    const Vec3<double> to_b = mesh.position(b) - x, to_c = mesh.position(c) - x;
    const double j_a = mesh.weight(a, j), k_a = mesh.weight(a, k);
    const double j_b = mesh.weight(b, j) - j_a, k_b = mesh.weight(b, k) - k_a;
    const double j_c = mesh.weight(c, j) - j_a, k_c = mesh.weight(c, k) - k_a;
    const double n = cuts;
    const double area = mesh.twice_area(triangle) / (2 * n * n);
    const auto add = [&](double s, double t) {  // the centroid, in edges from a
      if (pieces.count == Pieces::kMost) {
        flush();
        pieces.count = 0;
      }
      pieces.add(j_a + s * j_b + t * j_c, k_a + s * k_b + t * k_c, weights.sigma, area,
                 x + s * to_b + t * to_c);
    };
    for (std::uint32_t row = 0; row < cuts; ++row) {
      for (std::uint32_t column = 0; column + row < cuts; ++column) {
        add((column + 1.0 / 3) / n, (row + 1.0 / 3) / n);
        if (column + row + 1 < cuts) add((column + 2.0 / 3) / n, (row + 2.0 / 3) / n);
      }
    }
  }
  if (pieces.count > 0) flush();
}

// Classes of vertices that one task handles: they share one pass over a pair's pieces.
constexpr std::size_t kClassesPerTask = 256;

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

// Classes of vertices of equal weights, which have the same centre.
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

// A class whose vertices have both joints of a pair.
struct Member {
  double p_j, p_k;
  std::uint32_t index;  // class
};

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

// The inverted index: the classes and triangles of every pair of joints that a vertex has.
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

  std::size_t find(std::uint64_t key) const {  // keys.size(): no vertex has the pair
    const auto at = std::lower_bound(keys.begin(), keys.end(), key);
    return at != keys.end() && *at == key ? static_cast<std::size_t>(at - keys.begin())
                                          : keys.size();
  }
};

// A range of members of one pair.
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
  std::vector<PieceSums> sums(index.members.items.size());  // [member]
  in_parallel(tasks.size(), [&](std::size_t first, std::size_t last) {
    const auto pieces = std::make_unique<Pieces>();
    for (const Task& task : std::span(tasks).subspan(first, last - first)) {
      const std::uint64_t key = index.keys[task.pair];
      const PieceWeights weights{static_cast<JointIndex>(key >> 32), static_cast<JointIndex>(key),
                                 parameters.sigma};
      cut_into_pieces(mesh, index.triangles[task.pair], weights, *pieces, [&] {
        for (std::size_t m = task.first_member; m < task.last_member; ++m) {
          const Member& member = index.members.items[m];
          add_pieces(*pieces, member.p_j, member.p_k, sums[m]);
        }
      });
    }
  });

  // The pairs of a class are added in the order of their keys.
  std::vector<PieceSums> of_class(classes.first_vertex.size());
  for (std::size_t m = 0; m < sums.size(); ++m) {
    const Member& member = index.members.items[m];
    PieceSums& sum = of_class[member.index];
    sum.moment = sum.moment + (member.p_j * member.p_k) * sums[m].moment;
    sum.area += member.p_j * member.p_k * sums[m].area;
  }
  std::vector<Vec3<double>> centres;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const PieceSums& sum = of_class[classes.of_vertex[v]];
    // Below the range of normal numbers the quotient is meaningless.
    const bool defined = sum.area > 1e-290;
    centres.push_back(defined ? (1 / sum.area) * sum.moment : mesh.position(v));
  }
  return centres;
}

}  // namespace skinbake
