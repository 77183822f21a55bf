// Normals of correctives, and correctives with the least largest error.

#include <algorithm>
#include <utility>

#include "fit/correctives/corrective_fit.h"
#include "math/scalar.h"
#include "rig/primitive_normals.h"
#include "rig/surface/weld.h"
#include "skinbake/metrics.h"

namespace skinbake::fit {

namespace {

Vec3<double> at(const std::vector<float>& values, VertexIndex v) {
  const float* p = values.data() + std::size_t{v} * 3;
  return {p[0], p[1], p[2]};
}

void put(const Vec3<double>& value, VertexIndex v, std::vector<float>& values) {
  float* p = values.data() + std::size_t{v} * 3;
  p[0] = static_cast<float>(value.x);
  p[1] = static_cast<float>(value.y);
  p[2] = static_cast<float>(value.z);
}

// The points of the surface, with the direction of their normals in the mesh's own shape.
class Surface {
 public:
  explicit Surface(const Rig& rig) : mesh_(*rig.mesh), normals_(0) {
    const Topology topology = build_topology(rig, bind_baseline(rig));
    groups_ = group_corners(rig, topology.welded, topology.triangles);
    normals_.assign(groups_.count, {0, 0, 0});
    for (const CornerTriangle& triangle : groups_.triangles) {
      const auto [a, b, c] = corners(mesh_.positions, triangle);
      add(cross(b - a, c - a), triangle, normals_);
    }
  }

  // The displacements of the mesh's normals by a target, [vertex][axis].
  std::vector<float> turned_by(const std::vector<float>& target) const {
    std::vector<Vec3<double>> changes(groups_.count, {0, 0, 0});
    for (const CornerTriangle& triangle : groups_.triangles) {
      const auto [a, b, c] = corners(mesh_.positions, triangle);
      const auto [u, v, w] = corners(target, triangle);
      add(cross(v - u, c - a) + cross(b - a, w - u), triangle, changes);
    }
    std::vector<float> turned(mesh_.normals.size());
    for (const CornerVertex& corner : groups_.vertices) {
      const Vec3<double>& normal = normals_[corner.group];
      const double square = dot(normal, normal);
      if (!(square > 0)) continue;
      const Vec3<double> turn = (1 / square) * cross(normal, changes[corner.group]);
      put(cross(turn, at(mesh_.normals, corner.vertex)), corner.vertex, turned);
    }
    return turned;
  }

 private:
  struct Corners {
    Vec3<double> a, b, c;
  };

  static Corners corners(const std::vector<float>& values, const CornerTriangle& triangle) {
    return {at(values, triangle.corners[0]), at(values, triangle.corners[1]),
            at(values, triangle.corners[2])};
  }

  static void add(const Vec3<double>& normal, const CornerTriangle& triangle,
                  std::vector<Vec3<double>>& sums) {
    for (const std::uint32_t group : triangle.groups) sums[group] = sums[group] + normal;
  }

  const Mesh& mesh_;
  CornerGroups groups_;
  std::vector<Vec3<double>> normals_;  // [group] not of unit length
};

}  // namespace

void add_normals(const Rig& rig, AddedMorphs& morphs) {
  const Mesh& mesh = *rig.mesh;
  if (!has_normals(mesh.normals) || mesh.triangles.empty()) return;
  const Surface surface(rig);
  for (MorphTarget& target : morphs.targets) target.normals = surface.turned_by(target.positions);
  morphs.base_normals = mesh.normals;
  for (VertexIndex v = 0; v < mesh.vertex_count(); ++v) {
    Vec3<double> base = at(mesh.normals, v);
    for (std::size_t m = 0; m < morphs.targets.size(); ++m) {
      base = base - double{morphs.rest_weights[m]} * at(morphs.targets[m].normals, v);
    }
    const double length = norm(base);
    if (!(length > 0)) continue;
    put((1 / length) * base, v, morphs.base_normals);
    for (MorphTarget& target : morphs.targets) {
      put((1 / length) * at(target.normals, v), v, target.normals);
    }
  }
}

namespace {

constexpr std::size_t kMostIterations = 10;
// Vertices times frames of all iterations: an iteration of so many takes a few seconds.
constexpr std::size_t kWork = 24'000'000;
// Cubes of frames of all iterations: the eigenvectors of 700 frames take about a second.
constexpr std::size_t kEigenWork = 400'000'000;
// Correctives that bring no vertex nearer by more than this part of the diagonal are left out where
// the bound cannot be kept.
constexpr double kNegligible = 1e-6;
constexpr double kLeastWeight = 1e-6;  // of the greatest; smaller ones would not matter

// Multiplies the weights by the errors. The greatest weight becomes 1.
void multiply(const std::vector<double>& errors, std::vector<double>& weights) {
  double greatest = 0;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    weights[v] *= errors[v];
    greatest = std::max(greatest, weights[v]);
  }
  if (!(greatest > 0)) return;
  for (double& weight : weights) weight = std::max(weight / greatest, kLeastWeight);
}

double greatest_of(const std::vector<double>& errors) {
  return errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end());
}

std::size_t iterations_for(const Problem& problem) {
  const std::size_t frames = std::clamp<std::size_t>(problem.frame_count(), 1, 1000);
  const std::size_t work = std::max<std::size_t>(1, problem.vertex_count() * problem.frame_count());
  return std::min({kMostIterations, kWork / work, kEigenWork / (frames * frames * frames)});
}

}  // namespace

CorrectiveFit::CorrectiveFit(const Problem& problem, std::size_t most, const Workers& workers)
    : problem_(problem),
      workers_(workers),
      residuals_(problem, workers),
      unweighted_(std::make_unique<Candidate>(residuals_, find_basis(residuals_, most, workers),
                                              workers)) {}

std::unique_ptr<CorrectiveFit::Candidate> CorrectiveFit::refine(std::size_t count,
                                                                double enough_m) {
  const std::size_t iterations = iterations_for(problem_);
  if (iterations == 0) return nullptr;
  std::unique_ptr<Candidate> best;
  std::vector<double> weights(problem_.vertex_count(), 1.0);
  std::vector<double> errors = unweighted_->search.vertex_errors(count);
  double least = greatest_of(errors);
  for (std::size_t i = 0; i < iterations && least > enough_m; ++i) {
    multiply(errors, weights);
    auto next = std::make_unique<Candidate>(
        residuals_, find_basis(residuals_, count, workers_, weights), workers_);
    if (next->basis.count < count) break;
    errors = next->search.vertex_errors(count);
    next->largest_error = greatest_of(errors);
    if (next->largest_error >= least) continue;
    least = next->largest_error;
    best = std::move(next);
  }
  return best;
}

CorrectiveSearch::Result CorrectiveFit::with_count(std::size_t count, const std::string& name) {
  count = std::min(count, unweighted_->basis.count);
  if (count == 0) return unweighted_->search.result(0, name);
  const std::unique_ptr<Candidate> better = refine(count, 0);
  if (better && better->largest_error <= unweighted_->search.largest_error(0)) {
    return better->search.result(count, name);
  }
  return unweighted_->search.result(best_count(count), name);
}

// Where skinning is nearly singular, the first correctives can move vertices away.
std::size_t CorrectiveFit::best_count(std::size_t most) {
  CorrectiveSearch& search = unweighted_->search;
  if (search.largest_error(most) <= search.largest_error(0)) return most;
  std::size_t best = 0;
  for (std::size_t count = 1; count < most; ++count) {
    if (search.largest_error(count) < search.largest_error(best)) best = count;
  }
  return best;
}

CorrectiveSearch::Result CorrectiveFit::nearest(const std::string& name) {
  const double negligible_m = kNegligible * problem_.bbox_diagonal_m;
  const std::size_t most = best_count(unweighted_->basis.count);
  const std::vector<double> least = unweighted_->search.vertex_errors(most);
  const std::unique_ptr<Candidate> better = refine(most, 0);
  if (better && better->largest_error < greatest_of(least) - negligible_m) {
    return better->search.result(most, name);
  }
  const auto is_as_near = [&](std::size_t count) {
    const std::vector<double> errors = unweighted_->search.vertex_errors(count);
    return std::equal(errors.begin(), errors.end(), least.begin(),
                      [&](double error, double other) { return error <= other + negligible_m; });
  };
  std::size_t too_few = 0, enough = most;  // 0 is not tried: a count of 1 does as well
  while (enough > too_few + 1) {
    const std::size_t count = (too_few + enough) / 2;
    (is_as_near(count) ? enough : too_few) = count;
  }
  return unweighted_->search.result(enough, name);
}

// The largest error does not fall with every corrective, so fewer may keep the bound where one less
// does not.
CorrectiveSearch::Result CorrectiveFit::within(double limit_m, const std::string& name) {
  constexpr std::size_t kTriesInVain = 5;
  const std::optional<std::size_t> enough = unweighted_->search.find_count(limit_m, 0);
  std::size_t count = enough.value_or(unweighted_->basis.count + 1);
  std::unique_ptr<Candidate> best;
  std::size_t tries_in_vain = 0;
  for (std::size_t fewer = count; fewer > 1 && tries_in_vain < kTriesInVain;) {
    --fewer;
    std::unique_ptr<Candidate> found = refine(fewer, limit_m);
    if (!found || found->largest_error > limit_m) {
      ++tries_in_vain;
      continue;
    }
    best = std::move(found);
    count = fewer;
    tries_in_vain = 0;
  }
  if (!enough && !best) return nearest(name);
  return (best ? best : unweighted_)->search.result(count, name);
}

}  // namespace skinbake::fit
