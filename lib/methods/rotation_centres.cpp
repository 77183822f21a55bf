#include "methods/rotation_centres.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>

#include "math/exp.h"
#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

constexpr double kMostPieces = 1e9;  // a minute's worth, and more than any surface needs
// Classes that share one walk over a pair's pieces, and pieces that are held at a time: 6 x 8 KB
// stay in the first-level cache.
constexpr std::size_t kClassesPerTask = 256, kPiecesPerBatch = 1024;
constexpr std::size_t kSums = 4;  // partial sums of a batch, added in a fixed order

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

// What is known of a triangle before it is cut.
struct Part {
  std::uint32_t triangle;
  std::uint32_t cuts;  // n: it is cut into n^2 pieces
};

class Surface {
 public:
  Surface(const Rig& rig, const Vec3<double>& centre) : rig_(rig), centre_(centre) {}

  Vec3<double> position(VertexIndex v) const {
    const float* p = rig_.mesh->positions.data() + std::size_t{v} * 3;
    return Vec3<double>{p[0], p[1], p[2]} - centre_;
  }

  double twice_area(std::uint32_t t) const {
    const auto& [a, b, c] = rig_.mesh->triangles[t];
    return norm(cross(position(b) - position(a), position(c) - position(a)));
  }

  double weight(VertexIndex v, JointIndex joint) const {
    for (const Influence& i : rig_.influences_of(v)) {
      if (i.joint == joint) return i.weight;
    }
    return 0;
  }

  // The longest edge in weight space.
  double weight_span(std::uint32_t t) const {
    const auto& [a, b, c] = rig_.mesh->triangles[t];
    return std::max({weight_distance(a, b), weight_distance(b, c), weight_distance(c, a)});
  }

  // Joints of the triangle's corners, each once.
  void joints_of(std::uint32_t t, std::vector<JointIndex>& joints) const {
    joints.clear();
    for (const VertexIndex v : rig_.mesh->triangles[t]) {
      for (const Influence& i : rig_.influences_of(v)) joints.push_back(i.joint);
    }
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  }

  const Rig& rig() const { return rig_; }

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

std::vector<Part> cut(const Surface& surface, double epsilon) {
  std::vector<Part> parts;
  double pieces = 0;
  for (std::uint32_t t = 0; t < surface.rig().mesh->triangles.size(); ++t) {
    if (!(surface.twice_area(t) > 0)) continue;
    const double cuts = std::max(1.0, std::ceil(surface.weight_span(t) / epsilon));
    pieces += cuts * cuts;
    if (pieces > kMostPieces) {
      throw Error(ErrorKind::kUsage, "METHOD_PARAMETER_INVALID",
                  "method 'cor': 'epsilon=" + std::to_string(epsilon) + "' cuts mesh '" +
                      surface.rig().id + "' into more than 1e9 pieces; give a greater one");
    }
    parts.push_back({t, static_cast<std::uint32_t>(cuts)});
  }
  return parts;
}

// Pieces of triangles that have both joints of one pair, some at a time.
struct Pieces {
  std::size_t count = 0;
  // t_j and t_k over sigma; t_j t_k A, and that times the centroid.
  std::array<double, kPiecesPerBatch> t_j, t_k, a, ax, ay, az;

  void add(double j, double k, double area, const Vec3<double>& x, double sigma) {
    const double scaled = j * k * area;
    t_j[count] = j / sigma, t_k[count] = k / sigma;
    a[count] = scaled, ax[count] = scaled * x.x, ay[count] = scaled * x.y, az[count] = scaled * x.z;
    ++count;
  }
};

// What a class gathers from one pair: sum of s A x, and of s A, both over p_j p_k.
struct Gathered {
  Vec3<double> moment{0, 0, 0};
  double area = 0;
};

void gather(Pieces& pieces, double p_j, double p_k, Gathered& gathered) {
  while (pieces.count % kSums != 0) pieces.add(0, 0, 0, {0, 0, 0}, 1);
  std::array<double, kPiecesPerBatch> closeness;
  for (std::size_t i = 0; i < pieces.count; ++i) {
    const double d = p_j * pieces.t_k[i] - p_k * pieces.t_j[i];
    closeness[i] = exp_of_negative(-(d * d));
  }
  const auto sum = [&](const std::array<double, kPiecesPerBatch>& values) {
    std::array<double, kSums> sums{};
    for (std::size_t i = 0; i < pieces.count; i += kSums) {
      for (std::size_t lane = 0; lane < kSums; ++lane) {
        sums[lane] += closeness[i + lane] * values[i + lane];
      }
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  };
  gathered.area += sum(pieces.a);
  gathered.moment = gathered.moment + Vec3<double>{sum(pieces.ax), sum(pieces.ay), sum(pieces.az)};
}

// Calls flush() whenever `pieces` is full, and at the end.
template <class Flush>
void cut_into_pieces(const Surface& surface, std::span<const Part> parts, JointIndex j,
                     JointIndex k, double sigma, Pieces& pieces, const Flush& flush) {
  pieces.count = 0;
  for (const Part& part : parts) {
    const auto& [a, b, c] = surface.rig().mesh->triangles[part.triangle];
    const Vec3<double> x = surface.position(a);
    const Vec3<double> to_b = surface.position(b) - x, to_c = surface.position(c) - x;
    const double j_a = surface.weight(a, j), k_a = surface.weight(a, k);
    const double j_b = surface.weight(b, j) - j_a, k_b = surface.weight(b, k) - k_a;
    const double j_c = surface.weight(c, j) - j_a, k_c = surface.weight(c, k) - k_a;
    const double n = part.cuts;
    const double area = surface.twice_area(part.triangle) / (2 * n * n);
    const auto add = [&](double s, double t) {  // the centroid, in edges from a
      if (pieces.count == kPiecesPerBatch) flush(), pieces.count = 0;
      pieces.add(j_a + s * j_b + t * j_c, k_a + s * k_b + t * k_c, area, x + s * to_b + t * to_c,
                 sigma);
    };
    for (std::uint32_t row = 0; row < part.cuts; ++row) {
      for (std::uint32_t column = 0; column + row < part.cuts; ++column) {
        add((column + 1.0 / 3) / n, (row + 1.0 / 3) / n);
        if (column + row + 1 < part.cuts) add((column + 2.0 / 3) / n, (row + 2.0 / 3) / n);
      }
    }
  }
  if (pieces.count > 0) flush();
}

// The inverted index: for every pair of joints that some vertex has, its classes and triangles.
struct PairIndex {
  std::vector<std::uint64_t> keys;  // ascending
  Lists<Member> members{0};
  Lists<Part> parts{0};

  PairIndex(const Surface& surface, const Classes& classes, std::span<const Part> all) {
    const Rig& rig = surface.rig();
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
    parts = Lists<Part>(keys.size());
    std::vector<JointIndex> joints;
    parts.fill([&](const auto& visit) {
      for (const Part& part : all) {
        surface.joints_of(part.triangle, joints);
        for (std::size_t i = 0; i < joints.size(); ++i) {
          for (std::size_t l = i + 1; l < joints.size(); ++l) {
            const std::size_t pair = find(pair_key(joints[i], joints[l]));
            if (pair < keys.size()) visit(pair, part);
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
  const Surface surface(rig, centre);
  const Classes classes = classes_of(rig);
  const PairIndex index(surface, classes, cut(surface, parameters.epsilon));
  const std::vector<Task> tasks = tasks_of(index);
  std::vector<Gathered> gathered(index.members.items.size());  // [member]
  in_parallel(tasks.size(), [&](std::size_t first, std::size_t last) {
    const auto pieces = std::make_unique<Pieces>();
    for (const Task& task : std::span(tasks).subspan(first, last - first)) {
      const std::uint64_t key = index.keys[task.pair];
      cut_into_pieces(surface, index.parts[task.pair], static_cast<JointIndex>(key >> 32),
                      static_cast<JointIndex>(key), parameters.sigma, *pieces, [&] {
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
    centres.push_back(defined ? (1 / sum.area) * sum.moment : surface.position(v));
  }
  return centres;
}

}  // namespace skinbake
