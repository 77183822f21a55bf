// The extent of surfaces, and the placement of one on another.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "compare/surface/placement.h"
#include "math/scalar.h"
#include "metrics/baseline.h"
#include "metrics/kernels.h"
#include "rig/rest_pose.h"

namespace skinbake {

namespace {

constexpr double kOtherSize = 2;  // a ratio of diagonals that a message names
// Files of one character in two units have boxes of one shape, and areas in the square of their
// ratio. Simplified surfaces lose some of both.
constexpr double kSameShape = 1.25, kSameArea = 2;
// Fewer triangles make one polygon, whose shape says nothing.
constexpr std::size_t kFewTriangles = 4;

std::string short_text(double value) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3).ptr;
  return {text, end};
}

std::string triangles_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " triangle" : " triangles");
}

bool are_within(double a, double b, double factor) {
  return a <= factor * b && b <= factor * a;
}

// Whether one surface may be the other in another unit.
bool have_one_shape(const SurfaceExtent& large, const SurfaceExtent& small) {
  const std::size_t fewer = std::min(large.triangles, small.triangles);
  if (fewer < kFewTriangles && large.triangles != small.triangles) return false;
  const double ratio = large.diagonal_m / small.diagonal_m;
  for (std::size_t i = 0; i < 3; ++i) {
    // Of a thin surface, the shortest edge may be rounding.
    const double a = large.edges[i], b = small.edges[i] * ratio;
    const bool is_thin = std::max(a, b) < 0.01 * large.diagonal_m;
    if (!is_thin && !are_within(a, b, kSameShape)) return false;
  }
  return are_within(large.area_m2, small.area_m2 * ratio * ratio, kSameArea);
}

std::string units_text(const SurfaceExtent& large, const std::string& large_name,
                       const SurfaceExtent& small, const std::string& small_name) {
  return "; " + large_name + " is " + short_text(large.diagonal_m / small.diagonal_m) +
         " times as large as " + small_name + " (diagonals of " + short_text(large.diagonal_m) +
         " m and " + short_text(small.diagonal_m) +
         " m): if the files have other units, scale one of them first";
}

std::string coverage_text(const SurfaceExtent& large, const std::string& large_name,
                          const SurfaceExtent& small, const std::string& small_name,
                          bool has_several_meshes) {
  const auto percent = [](double part, double whole) {
    return short_text(whole > 0 ? part / whole * 100 : 0) + " %";
  };
  return "; " + small_name + " has " + triangles_text(small.triangles) + ", " +
         percent(small.area_m2, large.area_m2) + " of the area and " +
         percent(small.diagonal_m, large.diagonal_m) + " of the diagonal of " + large_name +
         ", which has " + triangles_text(large.triangles) +
         ": it is a part of that surface, or another one" +
         (has_several_meshes ? "; choose the same meshes" : "");
}

}  // namespace

double surface_area(const BindSurface& surface) {
  double area_m2 = 0;
  for (const auto& t : surface.triangles) {
    const Vec3<double>& a = surface.positions[t[0]];
    area_m2 += norm(cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a)) / 2;
  }
  return area_m2;
}

SurfaceExtent extent_of(const BindSurface& surface) {
  SurfaceExtent extent;
  extent.triangles = surface.triangles.size();
  Vec3<double> low = surface.positions[surface.triangles.front()[0]], high = low;
  for (const auto& t : surface.triangles) {
    for (const VertexIndex v : t) {
      const Vec3<double>& p = surface.positions[v];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  extent.area_m2 = surface_area(surface);
  extent.diagonal_m = norm(high - low);
  extent.edges = {high.x - low.x, high.y - low.y, high.z - low.z};
  std::sort(extent.edges.begin(), extent.edges.end(), std::greater<>());
  return extent;
}

std::string cause_text(const std::array<SurfaceExtent, 2>& extents,
                       const std::array<std::string, 2>& names, bool has_several_meshes) {
  const auto &a = extents[0], &b = extents[1];
  const bool have_one_size = are_within(a.diagonal_m, b.diagonal_m, kOtherSize);
  if (have_one_size && are_within(a.area_m2, b.area_m2, kSameArea)) return "";
  const bool b_is_large = have_one_size ? b.area_m2 > a.area_m2 : b.diagonal_m > a.diagonal_m;
  const std::size_t l = b_is_large ? 1 : 0, s = 1 - l;
  const SurfaceExtent &large = extents[l], &small = extents[s];
  if (!(small.diagonal_m > 0)) return "; all points of " + names[s] + " are one";
  const bool may_be_units = !have_one_size && have_one_shape(large, small);
  return may_be_units ? units_text(large, names[l], small, names[s])
                      : coverage_text(large, names[l], small, names[s], has_several_meshes);
}

namespace {

constexpr double kLeastDeterminant = 1e-30;  // as in metrics/baseline.cpp

// Joints place the files equally well if their distances differ by less than this part of the
// extent. More than the rounding of matrices and of quantised positions, less than what is seen.
constexpr double kAlike = 1e-3;

// A file has a few skins; each round finds the joint of one. The heaviest joints are enough to find
// one that is not broken, and bound the time for files of very many joints.
constexpr int kMostRounds = 8;
constexpr std::size_t kMostCandidates = 64;

constexpr double kNever = std::numeric_limits<double>::infinity();

// Whether a joint places a surface in about the size that it has by another: one that is scaled to
// almost nothing at rest would make every relative error huge.
bool is_like(double extent_m, double other_extent_m) {
  return extent_m <= 2 * other_extent_m && other_extent_m <= 2 * extent_m;
}

// [joint id] The centres of a side's joints in the scene at bind.
std::vector<JointCentre> placed_centres(const SideMeshes& meshes,
                                        const std::vector<std::uint32_t>& ranks) {
  std::vector<JointCentre> centres(ranks.size());
  for (const std::vector<MeshJoint>& mesh : meshes) {
    if (mesh.empty()) continue;
    const Affine<double>& k = scene_from_bind(mesh, ranks);
    for (const MeshJoint& joint : mesh) {
      const JointCentre placed = moved(joint.in_mesh, k);
      JointCentre& centre = centres[joint.id];
      centre.sum = centre.sum + placed.sum;
      centre.weight += placed.weight;
    }
  }
  return centres;
}

// How far the joints of two files are apart, as means over the joints' vertices in A.
struct Apart {
  double distance_m = 0, extent_m = 0;

  // Infinite if a joint alone says nothing, or if a number is not finite.
  double part() const {
    const double part = distance_m / extent_m;
    return std::isfinite(part) ? part : kNever;
  }
};

Apart apart(const SideMeshes& a, const SideMeshes& b, const std::vector<std::uint32_t>& ranks) {
  const std::vector<JointCentre> of_a = placed_centres(a, ranks), of_b = placed_centres(b, ranks);
  const auto mean = [](const JointCentre& c) { return (1 / c.weight) * c.sum; };
  const auto in_both = [&](std::size_t id) { return of_a[id].weight > 0 && of_b[id].weight > 0; };
  JointCentre whole;
  for (std::size_t id = 0; id < of_a.size(); ++id) {
    if (!in_both(id)) continue;
    whole.sum = whole.sum + of_a[id].sum;
    whole.weight += of_a[id].weight;
  }
  if (!(whole.weight > 0)) return {};
  Apart sum;
  for (std::size_t id = 0; id < of_a.size(); ++id) {
    if (!in_both(id)) continue;
    const double weight = of_a[id].weight / whole.weight;
    sum.distance_m += weight * norm(mean(of_a[id]) - mean(of_b[id]));
    sum.extent_m += weight * norm(mean(of_a[id]) - mean(whole));
  }
  return sum;
}

std::vector<std::uint32_t> ranks_in(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> ranks(order.size());
  for (std::uint32_t r = 0; r < order.size(); ++r) ranks[order[r]] = r;
  return ranks;
}

// [joint id] Whether a side has the joint, and it places all of its meshes.
std::vector<bool> that_place(const SideMeshes& meshes, std::size_t count) {
  std::vector<bool> places(count, false), is_singular(count, false);
  for (const std::vector<MeshJoint>& mesh : meshes) {
    for (const MeshJoint& joint : mesh) {
      places[joint.id] = true;
      if (joint.is_singular) is_singular[joint.id] = true;
    }
  }
  for (std::size_t id = 0; id < count; ++id) places[id] = places[id] && !is_singular[id];
  return places;
}

// The order with one of its joints first.
std::vector<std::uint32_t> with_first(std::vector<std::uint32_t> order, std::uint32_t id) {
  const auto at = std::find(order.begin(), order.end(), id);
  std::rotate(order.begin(), at, at + 1);
  return order;
}

}  // namespace

std::vector<MeshJoint> mesh_joints(const Rig& rig, RestScenes& scenes) {
  std::vector<MeshJoint> joints;
  joints.reserve(rig.joints.size());
  for (const Joint& joint : rig.joints) {
    MeshJoint& added = joints.emplace_back();
    const Affine<double> k = scenes.scene_from_node(joint.node) * joint.joint_from_model;
    added.is_singular = !(std::abs(determinant(k)) >= kLeastDeterminant);  // also NaN
    if (!added.is_singular) added.scene_from_bind = k;
  }
  const std::vector<double> positions = bind_positions(rig);
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const Vec3<double> p{positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]};
    for (const Influence& i : rig.influences_of(v)) {
      JointCentre& centre = joints[i.joint].in_mesh;
      centre.sum = centre.sum + i.weight * p;
      centre.weight += i.weight;
    }
  }
  return joints;
}

JointCentre moved(const JointCentre& centre, const Affine<double>& map) {
  if (!(centre.weight > 0)) return {};
  return {centre.weight * (map * ((1 / centre.weight) * centre.sum)), centre.weight};
}

const Affine<double>& scene_from_bind(const std::vector<MeshJoint>& mesh,
                                      const std::vector<std::uint32_t>& ranks) {
  return std::min_element(
             mesh.begin(), mesh.end(),
             [&](const MeshJoint& x, const MeshJoint& y) { return ranks[x.id] < ranks[y.id]; })
      ->scene_from_bind;
}

PlacingJoints placing_joints(const SideMeshes& a, const SideMeshes& b,
                             std::vector<std::uint32_t> heaviest_first) {
  std::vector<std::uint32_t> order = std::move(heaviest_first);
  const std::uint32_t heaviest = order.front();
  const std::vector<bool> in_a = that_place(a, order.size()), in_b = that_place(b, order.size());
  std::vector<std::uint32_t> candidates;  // the heaviest first
  for (const std::uint32_t id : order) {
    if (in_a[id] && in_b[id] && candidates.size() < kMostCandidates) candidates.push_back(id);
  }
  PlacingJoints placing{ranks_in(order), {}};
  const Apart by_heaviest = apart(a, b, placing.ranks);
  double best = by_heaviest.part();
  for (int round = 0; round < kMostRounds && best > kAlike; ++round) {
    std::vector<double> parts;
    for (const std::uint32_t id : candidates) {
      const Apart placed = apart(a, b, ranks_in(with_first(order, id)));
      parts.push_back(is_like(placed.extent_m, by_heaviest.extent_m) ? placed.part() : kNever);
    }
    if (parts.empty()) break;
    const double least = *std::min_element(parts.begin(), parts.end());
    if (!(least < best - kAlike)) break;
    // The heaviest of the parts that are about as good as the best.
    const auto chosen = std::find_if(parts.begin(), parts.end(),
                                     [&](double part) { return part <= least + kAlike / 2; });
    best = *chosen;
    const std::uint32_t id = candidates[static_cast<std::size_t>(chosen - parts.begin())];
    order = with_first(std::move(order), id);
    placing = {ranks_in(order), PlacingJoints::Instead{id, heaviest, by_heaviest.distance_m}};
  }
  return placing;
}

}  // namespace skinbake
