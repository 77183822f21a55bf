// The bind baseline: POSITION with the default morph weights, transformed by
//
//     K = G_j B_j      j  the joint with the greatest weight summed over the mesh's vertices,
//                         the lowest index on a tie
//                      G  global transform in the rest pose
//                      B  inverse bind matrix
//
// The joints of many rigs contain scales of 0.01 or 100. Compared with raw positions, these rigs
// would lose or gain nearly all of their volume. The only joint of an unskinned mesh is its node.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/issue.h"
#include "math/scalar.h"
#include "metrics/baseline.h"
#include "metrics/kernels.h"
#include "rig/rest_pose.h"
#include "rig/validate.h"
#include "skinbake/metrics.h"

namespace skinbake {
namespace {

// The determinant of a scale of 1e-10. Below it a joint counts as scaled to zero.
constexpr double kLeastDeterminant = 1e-30;

// The most that default morph weights above 1 may enlarge the diagonal by. Artists exceed 1 by a
// little; a thousandfold diagonal would make nearly every relative error 0.
constexpr double kMostEnlargement = 1000;

JointIndex heaviest_joint(const Rig& rig) {
  std::vector<double> sums(rig.joints.size(), 0);
  for (const Influence& i : rig.influences) sums[i.joint] += i.weight;
  return static_cast<JointIndex>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

double bbox_diagonal(const std::vector<double>& positions) {
  if (positions.empty()) return 0;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, 3> low, high;
  low.fill(kInfinity);
  high.fill(-kInfinity);
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], positions[i + axis]);
      high[axis] = std::max(high[axis], positions[i + axis]);
    }
  }
  return norm(Vec3<double>{high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

// Returns an attribute with the default morph weights, each limited to [-most_weight, most_weight].
std::vector<double> morphed(const Rig& rig, const std::vector<float>& base,
                            std::vector<float> MorphTarget::*deltas_of,
                            double most_weight = std::numeric_limits<double>::infinity()) {
  std::vector<double> vectors(base.begin(), base.end());
  const std::vector<MorphTarget>& morphs = rig.mesh->morph_targets;
  const std::size_t targets = std::min(morphs.size(), rig.morph_weights.size());
  for (std::size_t m = 0; m < targets; ++m) {
    const std::vector<float>& deltas = morphs[m].*deltas_of;
    const double weight = std::clamp(rig.morph_weights[m], -most_weight, most_weight);
    if (weight == 0) continue;
    for (std::size_t i = 0; i < deltas.size(); ++i) vectors[i] += weight * double{deltas[i]};
  }
  return vectors;
}

// The diagonal if no default morph weight were above 1, or 0 if none is.
double modest_diagonal(const Rig& rig, const Affine<double>& k) {
  const bool is_modest = std::all_of(rig.morph_weights.begin(), rig.morph_weights.end(),
                                     [](double weight) { return std::abs(weight) <= 1; });
  if (is_modest) return 0;
  std::vector<double> positions =
      morphed(rig, rig.mesh->positions, &MorphTarget::positions, /*most_weight=*/1);
  move_points(k, positions);
  return bbox_diagonal(positions);
}

// Throws if default morph weights above 1 enlarge the diagonal so much that limits relative to it
// would always be kept.
void require_modest_weights(const Rig& rig, double modest_diagonal_m, double diagonal_m) {
  if (modest_diagonal_m == 0 || diagonal_m <= kMostEnlargement * modest_diagonal_m) return;
  throw Error("MORPH_WEIGHTS_HUGE", "mesh '" + rig.id +
                                        "': its default morph weights make it more than " +
                                        std::to_string(static_cast<int>(kMostEnlargement)) +
                                        " times as large as weights of 1 do");
}

// Throws if a coordinate is not a finite float. Lengths, areas and volumes of finite floats are
// finite doubles; an infinite diagonal would make every relative error 0. `joint`: the heaviest.
void require_finite(const Rig& rig, JointIndex joint, const std::vector<double>& positions) {
  constexpr double kMostFloat = std::numeric_limits<float>::max();
  const auto bad = std::find_if(positions.begin(), positions.end(),
                                [](double x) { return !(std::abs(x) <= kMostFloat); });
  if (bad == positions.end()) return;
  const auto vertex = static_cast<VertexIndex>((bad - positions.begin()) / 3);
  const std::string huge = huge_value(rig, vertex, {&joint, 1});
  throw Error("NON_FINITE_POSITION",
              "mesh '" + rig.id + "', vertex " + std::to_string(vertex) +
                  ": the position at bind is not a finite number; " +
                  (huge.empty() ? "look for huge default morph weights, or transforms of joints "
                                  "and nodes"
                                : huge + ", export it again"));
}

}  // namespace

std::vector<double> bind_positions(const Rig& rig) {
  return morphed(rig, rig.mesh->positions, &MorphTarget::positions);
}

std::vector<double> bind_normals(const Rig& rig) {
  return morphed(rig, rig.mesh->normals, &MorphTarget::normals);
}

BaselinePose bind_baseline(const Rig& rig) {
  const JointIndex j = heaviest_joint(rig);
  const NodeIndex node = rig.joints[j].node;
  Affine<double> k = scene_at_rest(*rig.skeleton, node) * rig.joints[j].joint_from_model;
  BaselinePose pose;
  // The negation includes NaN.
  if (!(std::abs(determinant(k)) >= kLeastDeterminant)) {
    k = kIdentity;
    pose.issues.push_back(make_issue(
        "BASELINE_DEGENERATE", "", "/nodes/" + std::to_string(node),
        "the joint with the greatest weight in '" + rig.id +
            "' is scaled to zero at rest; volumes and sizes come from the raw positions"));
  }
  const double modest_diagonal_m = modest_diagonal(rig, k);
  pose.positions = bind_positions(rig);
  move_points(k, pose.positions);
  require_finite(rig, j, pose.positions);
  pose.scene_from_bind = k;
  pose.bbox_diagonal_m = bbox_diagonal(pose.positions);
  require_modest_weights(rig, modest_diagonal_m, pose.bbox_diagonal_m);
  return pose;
}

}  // namespace skinbake
