#include "methods/bind/rotation_centres.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <string>

#include "math/scalar.h"
#include "methods/bind/joint_groups.h"
#include "methods/bind/pair_expansion.h"
#include "methods/bind/piece_kernels.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

constexpr double kMostPieces = 1e9;  // takes a minute; no real surface needs as many

// "3e+11".
std::string text_of(double count) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", count);
  return text.data();
}

// The mesh, with distances between the weights of vertices.
class WeightedMesh {
 public:
  WeightedMesh(const Rig& rig, const Vec3<double>& centre)
      : rig_(rig), centre_(centre), of_a_(rig.joints.size(), 0), of_b_(of_a_) {}

  const Rig& rig() const { return rig_; }

  // The rest position, relative to the centre.
  Vec3<double> position(VertexIndex v) const {
    const float* p = rig_.mesh->positions.data() + std::size_t{v} * 3;
    return Vec3<double>{p[0], p[1], p[2]} - centre_;
  }

  double twice_area(std::uint32_t triangle) const {
    const auto& [a, b, c] = rig_.mesh->triangles[triangle];
    return norm(cross(position(b) - position(a), position(c) - position(a)));
  }

  // The triangle's longest edge in weight space.
  double weight_span(std::uint32_t triangle) {
    const auto& [a, b, c] = rig_.mesh->triangles[triangle];
    return std::max({weight_distance(a, b), weight_distance(b, c), weight_distance(c, a)});
  }

 private:
  double weight_distance(VertexIndex a, VertexIndex b) {
    for (const Influence& i : rig_.influences_of(a)) of_a_[i.joint] = i.weight;
    for (const Influence& i : rig_.influences_of(b)) of_b_[i.joint] = i.weight;
    double sum = 0;
    for (const Influence& i : rig_.influences_of(a)) {
      const double d = i.weight - of_b_[i.joint];
      sum += d * d;
    }
    for (const Influence& i : rig_.influences_of(b)) {
      if (of_a_[i.joint] == 0) sum += i.weight * i.weight;
    }
    for (const Influence& i : rig_.influences_of(a)) of_a_[i.joint] = 0;
    for (const Influence& i : rig_.influences_of(b)) of_b_[i.joint] = 0;
    return std::sqrt(sum);
  }

  const Rig& rig_;
  Vec3<double> centre_;
  std::vector<double> of_a_, of_b_;  // [joint] 0 between calls
};

// The triangles of positive area, with the cuts that bring the weights of each piece within
// epsilon. Throws Error (kUsage) if there would be more than kMostPieces pieces.
std::vector<CutTriangle> cut(WeightedMesh& mesh, double epsilon) {
  std::vector<CutTriangle> triangles;
  double pieces = 0;
  for (std::uint32_t t = 0; t < mesh.rig().mesh->triangles.size(); ++t) {
    const double twice_area = mesh.twice_area(t);
    if (!(twice_area > 0)) continue;
    const double cuts = std::max(1.0, std::ceil(mesh.weight_span(t) / epsilon));
    pieces += cuts * cuts;
    if (pieces > kMostPieces) {
      throw Error("METHOD_PARAMETER_INVALID",
                  "method 'cor': epsilon cuts mesh '" + mesh.rig().id +
                      "' into more than 1e9 pieces; write a greater epsilon=");
    }
    triangles.push_back({t, static_cast<std::uint32_t>(cuts), twice_area / (2 * cuts * cuts)});
  }
  return triangles;
}

// A class whose vertices have both joints of a pair.
struct Member {
  double p_j, p_k;
  std::uint32_t index;  // class
};

// A pair of a batch.
struct PairWork {
  PairOfJoints pair;
  std::vector<Member> members;
  std::vector<PieceSums> sums;  // [member]
  double doubt = 0;             // the error of a sum, times p_j p_k; 0: as exact as doubles are
};

// The terms of a pair, counted.
struct PairCounts {
  double members = 0, pieces = 0;
  WeightBox p, t;  // of the members; of the pieces, over sigma

  // The work of the pair, in terms of the sums. An expansion must be much faster.
  double direct() const { return members * pieces; }
  bool is_expanded(const PairExpansion& expansion) const {
    return 2 * expansion.cost(pieces, members) < direct();
  }
};

// Members of a pair that are added directly, one by one: they share one pass over the pieces.
struct DirectTask {
  std::size_t work, first, last;
};
constexpr std::size_t kMembersPerTask = 256;

constexpr std::size_t kMembersPerBatch = std::size_t{1} << 20;  // 60 MB

// Adds the sums of all pairs to classes.
class PairSums {
 public:
  struct OfClass {
    PieceSums sums;
    double doubt = 0;  // bound of the error of sums.area
  };

  PairSums(const WeightedMesh& mesh, const Classes& classes, std::span<const CutTriangle> triangles,
           const CentreParameters& parameters, const ParallelFor& in_parallel)
      : mesh_(mesh),
        classes_(classes),
        triangles_(triangles),
        parameters_(parameters),
        sigma_(parameters.sigma),
        in_parallel_(in_parallel) {}

  // [class] The sums of the chosen classes. exactly: no pair is expanded. from, until: the part of
  // the bind that this is, for its progress.
  std::vector<OfClass> of(std::span<const std::uint32_t> chosen, bool exactly, double from,
                          double until) {
    const JointLists lists(mesh_.rig(), classes_, chosen, triangles_);
    lists_ = &lists, exactly_ = exactly;
    idle_.clear();
    const std::vector<PairOfJoints> pairs =
        pairs_of(mesh_.rig(), classes_, lists, in_parallel_, std::lerp(from, until, 0.02));
    require_few_terms(pairs, std::lerp(from, until, 0.1));
    const auto part = [&](std::size_t pair) {  // of the bind, before a pair
      return std::lerp(from, until,
                       0.1 + 0.9 * static_cast<double>(pair) / static_cast<double>(pairs.size()));
    };
    std::vector<OfClass> sums(classes_.first_vertex.size());
    for (std::size_t first = 0; first < pairs.size();) {
      const std::size_t last = end_of_batch(pairs, first);
      std::vector<PairWork> batch(last - first);
      for (std::size_t i = first; i < last; ++i) batch[i - first].pair = pairs[i];
      add_batch(batch, part(first), part(last));
      collect(batch, sums);
      first = last;
    }
    return sums;
  }

 private:
  std::size_t most_members(const PairOfJoints& pair) const {
    return std::min(lists_->classes[pair.j].size(), lists_->classes[pair.k].size());
  }

  std::size_t end_of_batch(std::span<const PairOfJoints> pairs, std::size_t first) const {
    std::size_t last = first;
    for (std::size_t members = 0; last < pairs.size() && members < kMembersPerBatch; ++last) {
      members += most_members(pairs[last]);
    }
    return last;
  }

  // Throws Error (kUsage) if the pairs have too many terms.
  void require_few_terms(std::span<const PairOfJoints> pairs, double until) {
    if (most_terms(pairs) <= parameters_.most_terms) return;
    std::vector<double> terms(pairs.size());
    in_parallel_(
        pairs.size(),
        [&](std::size_t first, std::size_t last) {
          with_weights([&](PairWeights& weights, Pieces&) {
            for (std::size_t i = first; i < last; ++i) terms[i] = terms_of(weights, pairs[i]);
          });
        },
        until);
    const double sum = std::accumulate(terms.begin(), terms.end(), 0.0);
    if (sum <= parameters_.most_terms) return;
    throw Error("METHOD_PARAMETER_INVALID",
                "method 'cor': the sums of mesh '" + mesh_.rig().id + "' have " + text_of(sum) +
                    " terms, more than the " + text_of(parameters_.most_terms) +
                    " of five minutes on a core; write a greater sigma= or epsilon=, or keep fewer "
                    "influences of each vertex");
  }

  // An upper bound from the lengths of lists: counting takes time.
  double most_terms(std::span<const PairOfJoints> pairs) const {
    std::vector<double> pieces(mesh_.rig().joints.size(), 0);
    for (std::size_t j = 0; j < pieces.size(); ++j) {
      for (const std::uint32_t i : lists_->triangles[j]) pieces[j] += piece_count(triangles_[i]);
    }
    double sum = 0;
    for (const PairOfJoints& pair : pairs) {
      sum += static_cast<double>(most_members(pair)) * std::min(pieces[pair.j], pieces[pair.k]);
    }
    return sum;
  }

  // The work of a pair: its terms, or the time of its expansion in terms.
  double terms_of(PairWeights& weights, const PairOfJoints& pair) const {
    weights.set(pair);
    PairWork work;
    work.pair = pair;
    find_members(weights, work);
    const PairCounts counts = counts_of(weights, work);
    if (exactly_) return counts.direct();
    const PairExpansion expansion(counts.p, counts.t);
    return counts.is_expanded(expansion) ? expansion.cost(counts.pieces, counts.members)
                                         : counts.direct();
  }

  static double piece_count(const CutTriangle& triangle) {
    return static_cast<double>(triangle.cuts) * triangle.cuts;
  }

  PairCounts counts_of(const PairWeights& weights, const PairWork& work) const {
    PairCounts counts;
    counts.members = static_cast<double>(work.members.size());
    for (const Member& member : work.members) counts.p.add(member.p_j, member.p_k);
    for_each_triangle(weights, work.pair, [&](const CutTriangle& cut) {
      counts.pieces += piece_count(cut);
      for (const VertexIndex v : mesh_.rig().mesh->triangles[cut.triangle]) {
        counts.t.add(weights.j(v) / sigma_, weights.k(v) / sigma_);
      }
    });
    return counts;
  }

  void add_batch(std::vector<PairWork>& batch, double from, double until) {
    std::vector<std::uint8_t> is_open(batch.size());
    in_parallel_(
        batch.size(),
        [&](std::size_t first, std::size_t last) {
          with_weights([&](PairWeights& weights, Pieces& pieces) {
            for (std::size_t i = first; i < last; ++i) {
              weights.set(batch[i].pair);
              find_members(weights, batch[i]);
              is_open[i] = !expand(weights, pieces, batch[i]);
            }
          });
        },
        std::midpoint(from, until));
    std::vector<DirectTask> tasks;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::size_t count = is_open[i] != 0 ? batch[i].members.size() : 0;
      for (std::size_t m = 0; m < count; m += kMembersPerTask) {
        tasks.push_back({i, m, std::min(m + kMembersPerTask, count)});
      }
    }
    in_parallel_(
        tasks.size(),
        [&](std::size_t first, std::size_t last) {
          with_weights([&](PairWeights& weights, Pieces& pieces) {
            for (std::size_t i = first; i < last; ++i) {
              add_directly(weights, pieces, batch[tasks[i].work], tasks[i]);
            }
          });
        },
        until);
  }

  // The pairs of a class are added in their order.
  static void collect(std::span<const PairWork> batch, std::vector<OfClass>& sums) {
    for (const PairWork& work : batch) {
      for (std::size_t m = 0; m < work.members.size(); ++m) {
        const Member& member = work.members[m];
        const double factor = member.p_j * member.p_k;
        OfClass& sum = sums[member.index];
        sum.sums.moment = sum.sums.moment + factor * work.sums[m].moment;
        sum.sums.area += factor * work.sums[m].area;
        sum.doubt += factor * work.doubt;
      }
    }
  }

  void find_members(const PairWeights& weights, PairWork& work) const {
    const auto of_j = lists_->classes[work.pair.j], of_k = lists_->classes[work.pair.k];
    for (const std::uint32_t c : of_j.size() < of_k.size() ? of_j : of_k) {
      const VertexIndex v = classes_.first_vertex[c];
      if (weights.j(v) > 0 && weights.k(v) > 0) {
        work.members.push_back({weights.j(v), weights.k(v), c});
      }
    }
    work.sums.resize(work.members.size());
  }

  // Calls visit(triangle) for the triangles of both joints, in their order.
  template <class Visit>
  void for_each_triangle(const PairWeights& weights, const PairOfJoints& pair,
                         const Visit& visit) const {
    const auto of_j = lists_->triangles[pair.j], of_k = lists_->triangles[pair.k];
    for (const std::uint32_t i : of_j.size() < of_k.size() ? of_j : of_k) {
      const CutTriangle& t = triangles_[i];
      const auto& [a, b, c] = mesh_.rig().mesh->triangles[t.triangle];
      if (!(weights.j(a) > 0 || weights.j(b) > 0 || weights.j(c) > 0)) continue;
      if (weights.k(a) > 0 || weights.k(b) > 0 || weights.k(c) > 0) visit(t);
    }
  }

  // Cuts triangles into pieces. Calls flush() whenever `pieces` is full, and at the end.
  template <class Flush>
  void cut_into_pieces(const PairWeights& weights, const PairOfJoints& pair, Pieces& pieces,
                       const Flush& flush) const {
    pieces.count = 0;
    for_each_triangle(weights, pair, [&](const CutTriangle& cut) {
      const auto& [a, b, c] = mesh_.rig().mesh->triangles[cut.triangle];
      const Vec3<double> x = mesh_.position(a);
      const Vec3<double> to_b = mesh_.position(b) - x, to_c = mesh_.position(c) - x;
      const double j_a = weights.j(a), k_a = weights.k(a);
      const double j_b = weights.j(b) - j_a, k_b = weights.k(b) - k_a;
      const double j_c = weights.j(c) - j_a, k_c = weights.k(c) - k_a;
      const double n = cut.cuts;
      const auto add = [&](double s, double t) {  // the centroid, in edges from a
        if (pieces.count == Pieces::kMost) {
          flush();
          pieces.count = 0;
        }
        pieces.add(j_a + s * j_b + t * j_c, k_a + s * k_b + t * k_c, sigma_, cut.area,
                   x + s * to_b + t * to_c);
      };
      for (std::uint32_t row = 0; row < cut.cuts; ++row) {
        for (std::uint32_t column = 0; column + row < cut.cuts; ++column) {
          add((column + 1.0 / 3) / n, (row + 1.0 / 3) / n);
          if (column + row + 1 < cut.cuts) add((column + 2.0 / 3) / n, (row + 2.0 / 3) / n);
        }
      }
    });
    if (pieces.count > 0) flush();
  }

  // Adds the sums of all members by an expansion, if that is much faster.
  bool expand(const PairWeights& weights, Pieces& pieces, PairWork& work) const {
    if (exactly_ || work.members.empty()) return false;
    const PairCounts counts = counts_of(weights, work);
    PairExpansion expansion(counts.p, counts.t);
    if (!counts.is_expanded(expansion)) return false;
    expansion.prepare();
    double all = 0;
    cut_into_pieces(weights, work.pair, pieces, [&] {
      expansion.add(pieces);
      for (std::size_t i = 0; i < pieces.count; ++i) all += pieces.a[i];
    });
    expansion.finish();
    for (std::size_t m = 0; m < work.members.size(); ++m) {
      work.sums[m] = expansion.at(work.members[m].p_j, work.members[m].p_k);
    }
    work.doubt = PairExpansion::kError * all;
    return true;
  }

  void add_directly(PairWeights& weights, Pieces& pieces, PairWork& work,
                    const DirectTask& task) const {
    weights.set(work.pair);
    cut_into_pieces(weights, work.pair, pieces, [&] {
      for (std::size_t m = task.first; m < task.last; ++m) {
        add_pieces(pieces, work.members[m].p_j, work.members[m].p_k, work.sums[m]);
      }
    });
  }

  // Calls work with the memory of a thread, which is kept for later calls.
  template <class Work>
  void with_weights(const Work& work) {
    std::unique_ptr<Memory> memory;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        memory = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (memory == nullptr) memory = std::make_unique<Memory>(mesh_.rig(), *lists_);
    work(memory->weights, memory->pieces);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(memory));
  }

  struct Memory {
    PairWeights weights;
    Pieces pieces;
    Memory(const Rig& rig, const JointLists& lists) : weights(rig, lists) {}
  };

  const WeightedMesh& mesh_;
  const Classes& classes_;
  std::span<const CutTriangle> triangles_;
  const CentreParameters& parameters_;
  double sigma_;
  const ParallelFor& in_parallel_;
  const JointLists* lists_ = nullptr;
  bool exactly_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Memory>> idle_;
};

// Classes whose sums are so small that the expansion's error moves their centre by more than 1e-12
// of the mesh's size are added directly.
constexpr double kMostDoubt = 5e-13;

constexpr double kFirstSums = 0.9;  // the part of the bind before these, for its progress

}  // namespace

std::vector<Vec3<double>> rotation_centres(const Rig& rig, const Vec3<double>& centre,
                                           const CentreParameters& parameters,
                                           const ParallelFor& in_parallel) {
  WeightedMesh mesh(rig, centre);
  const Classes classes = classes_of(rig);
  const std::vector<CutTriangle> triangles = cut(mesh, parameters.epsilon);
  std::vector<std::uint32_t> chosen(classes.first_vertex.size());
  std::iota(chosen.begin(), chosen.end(), 0u);
  PairSums pair_sums(mesh, classes, triangles, parameters, in_parallel);
  std::vector<PairSums::OfClass> of_class = pair_sums.of(chosen, false, 0, kFirstSums);
  std::erase_if(chosen, [&](std::uint32_t c) {
    return !(of_class[c].doubt > kMostDoubt * of_class[c].sums.area);
  });
  if (!chosen.empty()) {
    const std::vector<PairSums::OfClass> exact = pair_sums.of(chosen, true, kFirstSums, 1);
    for (const std::uint32_t c : chosen) of_class[c] = exact[c];
  }

  std::vector<Vec3<double>> centres;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const PieceSums& sum = of_class[classes.of_vertex[v]].sums;
    // Below the range of normal numbers the quotient is meaningless.
    const bool defined = sum.area > 1e-290;
    centres.push_back(defined ? (1 / sum.area) * sum.moment : mesh.position(v));
  }
  return centres;
}

BindForm form_of_centres(const BindInput& input) {
  return {kNumbersPerCentre, input.rig.mesh->vertex_count(),
          [](const BindInput&, const BindEntries& of) -> std::string {
            if (of.indices.size() != 1)
              return "it has " + std::to_string(of.indices.size()) + " entries instead of 1";
            return of.indices[0] == 0
                       ? ""
                       : "its index is " + std::to_string(of.indices[0]) + " instead of 0";
          }};
}

}  // namespace skinbake
