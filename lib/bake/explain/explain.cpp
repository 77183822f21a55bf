// Angles between rotations are 2 atan2(|v|, |w|) of the relative quaternion, by the library's own
// atan2, because they are written to the report.

#include "bake/explain/explain.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "clip/poses/forward_kinematics.h"
#include "math/polar.h"
#include "math/scalar.h"
#include "rig/joint_tree.h"
#include "rig/surface/weld.h"

namespace skinbake {
namespace {

constexpr double kDegreesPerRadian = 57.29577951308232;
constexpr double kPi = 3.141592653589793;
// Thresholds of the angle between two joints: above kWide a linear blend is visibly not a rotation;
// above kHalfTurn a blend may take either direction.
constexpr double kWide = kPi / 6, kHalfTurn = kPi * 170 / 180;
// A joint of less weight does not move a vertex visibly.
constexpr double kLeastVisibleWeight = 0.02;
// Scales whose relative difference is below this are treated as equal.
constexpr double kSameScale = 0.01;

struct Turn {
  Quat<double> rotation;
  double scale;
  bool mirrored;
};

Turn turn_of(const Affine<double>& posed_from_rest) {
  const double det = determinant(posed_from_rest);
  return {to_quat(polar_factors(posed_from_rest).rotation), cbrt(std::abs(det)), det < 0};
}

double angle_between(const Quat<double>& a, const Quat<double>& b) {
  const Quat<double> inverse_a{a.w, -a.x, -a.y, -a.z};
  const Quat<double> q = inverse_a * b;
  const double sine = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  return 2 * atan2(sine, std::abs(q.w));
}

// The loss of squared distance from the axis that linear blending of a pair causes. It follows
// from:
//
//     |sum of w_i u_i|^2 = 1 - sum over pairs a, b of 2 w_a w_b (1 - cos angle_ab)
double loss_of(const Explanation& of, const std::vector<Turn>& turns, const JointPair& pair) {
  const double cosine = dot(turns[pair.first].rotation, turns[pair.second].rotation);  // of half
  return 4 * of.influences[pair.first].weight * of.influences[pair.second].weight *
         (1 - cosine * cosine);
}

// The first pair with the greatest `measure`, among joints of at least kLeastVisibleWeight.
template <class Measure>
std::optional<JointPair> greatest_pair(const Explanation& of, const std::vector<Turn>& turns,
                                       const Measure& measure) {
  std::optional<JointPair> greatest;
  for (std::size_t a = 0; a < turns.size(); ++a) {
    for (std::size_t b = a + 1; b < turns.size(); ++b) {
      if (of.influences[b].weight < kLeastVisibleWeight) continue;
      const JointPair pair{a, b, angle_between(turns[a].rotation, turns[b].rotation)};
      if (!greatest || measure(pair) > measure(*greatest)) greatest = pair;
    }
  }
  return greatest;
}

std::string whole(double number) {
  return std::to_string(static_cast<long long>(std::floor(number + 0.5)));
}

std::string percent(double part) {
  return whole(part * 100) + " %";
}

std::string quoted(const ExplainedInfluence& influence) {
  return "'" + influence.name + "'";
}

// The effect of the method on joints that are far apart in rotation.
std::string outcome(const Method& method, double angle_rad) {
  if (std::string(method.info().id) == "lbs") return "linear blending collapses it";
  if (!(method.keeps() & kKeepsSingleJoint)) return "smoothing over its neighbours moves it too";
  if (!(method.keeps() & kKeepsDistances)) return "the blend keeps no distances and moves it off";
  if (angle_rad > kHalfTurn)
    return "near half a turn either way round is as short, and it may jump";
  return "the blend turns it about an arc, which may bulge";
}

// `pair`: the pair that causes the greatest loss; none: the vertex has one joint.
std::string cause_of(const Explanation& of, const std::optional<JointPair>& pair,
                     const Method& method) {
  const std::vector<ExplainedInfluence>& all = of.influences;
  const auto mirrored =
      std::find_if(all.begin(), all.end(), [](const ExplainedInfluence& i) { return i.mirrored; });
  if (mirrored != all.end() && !all.front().mirrored) {
    return "joint " + quoted(*mirrored) +
           " mirrors (its determinant is negative) and the heaviest one does not: no blend of the "
           "two keeps its size";
  }
  if (!pair) {
    return "joint " + quoted(all.front()) +
           " alone moves the vertex: what smooths over neighbours, or the reference, moves it off";
  }
  const ExplainedInfluence& a = all[pair->first];
  const ExplainedInfluence& b = all[pair->second];
  const std::string names = quoted(a) + " and " + quoted(b);
  const std::string degrees = whole(pair->angle_rad * kDegreesPerRadian) + " degrees apart";
  if (pair->angle_rad >= kWide) {
    return "joints " + names + ", " + degrees + ", have " + percent(a.weight) + " and " +
           percent(b.weight) + " of the vertex: " + outcome(method, pair->angle_rad);
  }
  for (const ExplainedInfluence& other : all) {
    if (std::abs(other.scale - all.front().scale) <= kSameScale * all.front().scale) continue;
    return "joint " + quoted(other) + " scales by another factor than " + quoted(all.front()) +
           ": methods differ in where they scale from";
  }
  return "its joints " + names + " are no more than " + degrees +
         ": blending is nearly rigid here, and the difference is small or comes from smoothing "
         "over neighbours";
}

void find_primitive(const Mesh& mesh, Explanation& of) {
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    const Primitive& primitive = mesh.primitives[p];
    if (of.vertex - primitive.first_vertex >= primitive.vertex_count) continue;
    of.primitive = static_cast<std::int64_t>(p);
    of.primitive_vertex = of.vertex - primitive.first_vertex;
    return;
  }
}

}  // namespace

std::vector<VertexIndex> points_of(const Rig& rig) {
  return weld_vertices(rig, WeldBy::kFile).welded;
}

Explanation explain(const Rig& rig, const Clip* clip, double time_s, VertexIndex vertex,
                    const Method& method) {
  Explanation explanation;
  explanation.mesh = rig.id;
  explanation.clip = clip == nullptr ? "" : clip->id;
  explanation.method = method.canonical();
  explanation.time_s = time_s;
  explanation.vertex = vertex;
  find_primitive(*rig.mesh, explanation);
  PoseSampler sampler(rig, clip, {0, 0, 0});
  SampledPose pose;
  sampler.sample(time_s, pose);
  std::vector<Turn> turns;
  for (const Influence& influence : rig.influences_of(vertex)) {
    const Turn& turn = turns.emplace_back(turn_of(pose.posed_from_rest[influence.joint]));
    const Quat<double>& pivot = turns.front().rotation;
    explanation.influences.push_back({influence.joint, joint_id(rig, influence.joint),
                                      influence.weight, angle_between(pivot, turn.rotation),
                                      dot(pivot, turn.rotation) < 0, turn.scale, turn.mirrored});
  }
  explanation.widest =
      greatest_pair(explanation, turns, [](const JointPair& pair) { return pair.angle_rad; });
  const auto pair = greatest_pair(explanation, turns, [&](const JointPair& candidate) {
    return loss_of(explanation, turns, candidate);
  });
  explanation.cause = cause_of(explanation, pair, method);
  return explanation;
}

}  // namespace skinbake
