#include "compare/surface/bind/placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/scalar.h"
#include "metrics/baseline.h"
#include "metrics/kernels.h"
#include "rig/rest_pose.h"

namespace skinbake {
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
    // Of those that are about as good as the best, the heaviest.
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
