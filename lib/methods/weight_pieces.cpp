#include "methods/weight_pieces.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

constexpr double kMostPieces = 1e9;  // a minute's worth, and more than any surface needs

}  // namespace

Vec3<double> WeightedMesh::position(VertexIndex v) const {
  const float* p = rig_.mesh->positions.data() + std::size_t{v} * 3;
  return Vec3<double>{p[0], p[1], p[2]} - centre_;
}

double WeightedMesh::weight(VertexIndex v, JointIndex joint) const {
  for (const Influence& i : rig_.influences_of(v)) {
    if (i.joint == joint) return i.weight;
  }
  return 0;
}

double WeightedMesh::twice_area(std::uint32_t triangle) const {
  const auto& [a, b, c] = rig_.mesh->triangles[triangle];
  return norm(cross(position(b) - position(a), position(c) - position(a)));
}

double WeightedMesh::weight_span(std::uint32_t triangle) const {
  const auto& [a, b, c] = rig_.mesh->triangles[triangle];
  return std::max({weight_distance(a, b), weight_distance(b, c), weight_distance(c, a)});
}

void WeightedMesh::joints_of(std::uint32_t triangle, std::vector<JointIndex>& joints) const {
  joints.clear();
  for (const VertexIndex v : rig_.mesh->triangles[triangle]) {
    for (const Influence& i : rig_.influences_of(v)) joints.push_back(i.joint);
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
}

double WeightedMesh::weight_distance(VertexIndex a, VertexIndex b) const {
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

}  // namespace skinbake
