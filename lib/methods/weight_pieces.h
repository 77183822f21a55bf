// The surface of a mesh in pieces whose corners have nearly the same weights: what sums over the
// surface are taken over, for the centres of rotation (rotation_centres.h).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

class WeightedMesh {
 public:
  WeightedMesh(const Rig& rig, const Vec3<double>& centre) : rig_(rig), centre_(centre) {}

  const Rig& rig() const { return rig_; }
  Vec3<double> position(VertexIndex v) const;  // relative to the centre
  double weight(VertexIndex v, JointIndex joint) const;

  double twice_area(std::uint32_t triangle) const;
  double weight_span(std::uint32_t triangle) const;  // its longest edge in weight space
  // Joints of the triangle's corners, each once.
  void joints_of(std::uint32_t triangle, std::vector<JointIndex>& joints) const;

 private:
  double weight_distance(VertexIndex a, VertexIndex b) const;

  const Rig& rig_;
  Vec3<double> centre_;
};

// A triangle that is cut into cuts^2 congruent pieces.
struct CutTriangle {
  std::uint32_t triangle;
  std::uint32_t cuts;
};

// The triangles that have an area, and the cuts that bring their weights within epsilon.
// Throws Error (kUsage) if that would make more pieces than can be summed.
std::vector<CutTriangle> cut(const WeightedMesh& mesh, double epsilon);

// Pieces of triangles that have both joints of one pair, some at a time: 6 x 8 KB stay in the
// first-level cache.
struct Pieces {
  static constexpr std::size_t kMost = 1024;

  std::size_t count = 0;
  // t_j and t_k over sigma; t_j t_k A, and that times the centroid.  [piece]
  std::array<double, kMost> t_j, t_k, a, ax, ay, az;

  void add(double weight_j, double weight_k, double sigma, double area, const Vec3<double>& x) {
    const double scaled = weight_j * weight_k * area;
    t_j[count] = weight_j / sigma, t_k[count] = weight_k / sigma;
    a[count] = scaled, ax[count] = scaled * x.x, ay[count] = scaled * x.y, az[count] = scaled * x.z;
    ++count;
  }
};

struct PieceWeights {
  JointIndex j, k;
  double sigma;
};

// Cuts triangles into pieces with the weights of joints j and k. Calls flush() whenever `pieces` is
// full, and at the end.
void cut_into_pieces(const WeightedMesh& mesh, std::span<const CutTriangle> triangles,
                     const PieceWeights& weights, Pieces& pieces,
                     const std::function<void()>& flush);

}  // namespace skinbake
