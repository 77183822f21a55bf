// Explanations of positions, and of the difference between two rigs.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "bake/explain.h"
#include "clip/poses/skinning.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "rig/joint_tree.h"
#include "rig/surface/weld.h"

namespace skinbake {

// ---- Angles between rotations are 2 atan2(|v|, |w|) of the relative quaternion, by the library's
// own atan2, because they are written to the report.

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

// ---- A vertex x = sum over joints of w M p, posed by linear blending, differs between two rigs by
//
//     x_b - x_a = sum w_b M_b (p_b - p_a)     rest positions p
//               + sum (w_b - w_a) M p_a       weights w
//               + sum w_b (M_b - M_a) p_a     motions M, posed_from_rest
//
// The largest of the three parts is the cause, whatever method skins both rigs. Joints correspond
// by their ids, equal ids by their order. M is M_b, or M_a of a joint that b does not have.

namespace {

// Rest positions that differ by less than this part of the bounding box are equal: exporters round
// them.
constexpr double kSamePlace = 1e-5;

// A joint of a vertex in either rig.
struct SharedJoint {
  double weight_a = 0, weight_b = 0;
  const Affine<double>*motion_a = nullptr, *motion_b = nullptr;  // null: the rig lacks the joint
};

Vec3<double> rest_position(const Rig& rig, VertexIndex vertex) {
  const float* const p = rig.mesh->positions.data() + 3 * static_cast<std::size_t>(vertex);
  return {p[0], p[1], p[2]};
}

double length_of(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

double rest_diagonal(const Rig& rig) {
  Vec3<double> low = rest_position(rig, 0), high = low;
  for (VertexIndex v = 1; v < rig.mesh->vertex_count(); ++v) {
    const Vec3<double> p = rest_position(rig, v);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return length_of(high - low);
}

SampledPose pose_of(const PosedRig& side) {
  PoseSampler sampler(*side.rig, side.clip, {0, 0, 0});
  SampledPose pose;
  sampler.sample(side.time_s, pose);
  return pose;
}

using SharedJoints = std::map<std::string, SharedJoint>;  // by id

SharedJoints joints_of(const PosedRig& a, const SampledPose& pose_a, const PosedRig& b,
                       const SampledPose& pose_b, VertexIndex vertex) {
  SharedJoints joints;
  const std::vector<std::string> ids_a = distinct_joint_ids(*a.rig);
  const std::vector<std::string> ids_b = distinct_joint_ids(*b.rig);
  for (const Influence& i : a.rig->influences_of(vertex)) {
    joints[ids_a[i.joint]].weight_a += i.weight;
  }
  for (const Influence& i : b.rig->influences_of(vertex)) {
    joints[ids_b[i.joint]].weight_b += i.weight;
  }
  const auto find_motions = [&](const std::vector<std::string>& ids, const SampledPose& pose,
                                auto motion) {
    for (std::size_t j = 0; j < ids.size(); ++j) {
      const auto found = joints.find(ids[j]);
      if (found != joints.end()) found->second.*motion = &pose.posed_from_rest[j];
    }
  };
  find_motions(ids_a, pose_a, &SharedJoint::motion_a);
  find_motions(ids_b, pose_b, &SharedJoint::motion_b);
  return joints;
}

// The length of a part of the difference, and the joint that contributes most to it.
struct DifferencePart {
  Vec3<double> sum{0, 0, 0};
  double most = 0;
  std::string joint;

  void add(const std::string& id, const Vec3<double>& share) {
    sum = sum + share;
    if (length_of(share) <= most) return;
    most = length_of(share);
    joint = id;
  }
};

// Three digits.
std::string number_text(double number) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, number, std::chars_format::general, 3).ptr;
  return {text, end};
}

std::string per_cent(double part) {
  return number_text(part * 100) + " %";
}

// The first vertex of a rig that rests at a place.
std::optional<VertexIndex> vertex_at(const Rig& rig, const Vec3<double>& place, double tolerance) {
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    if (length_of(rest_position(rig, v) - place) <= tolerance) return v;
  }
  return std::nullopt;
}

std::string weights_text(const SharedJoints& joints, const std::string& id) {
  const SharedJoint& joint = joints.at(id);
  return "the weights of the two rigs differ: joint '" + id + "' has " + per_cent(joint.weight_a) +
         " of the vertex in A and " + per_cent(joint.weight_b) + " in B";
}

}  // namespace

std::string cause_of_difference(const PosedRig& a, const PosedRig& b, VertexIndex vertex) {
  const Vec3<double> p = rest_position(*a.rig, vertex), moved = rest_position(*b.rig, vertex) - p;
  const double tolerance = kSamePlace * rest_diagonal(*a.rig);
  const bool is_moved = length_of(moved) > tolerance;
  const auto other = is_moved ? vertex_at(*b.rig, p, tolerance) : std::nullopt;
  if (other) {
    return "the two rigs list their vertices in different orders: vertex " +
           std::to_string(vertex) + " of A rests where vertex " + std::to_string(*other) +
           " of B does";
  }
  const SampledPose pose_a = pose_of(a), pose_b = pose_of(b);
  const SharedJoints joints = joints_of(a, pose_a, b, pose_b, vertex);
  DifferencePart rest, weights, motions;
  for (const auto& [id, joint] : joints) {
    const Affine<double>& motion = joint.motion_b != nullptr ? *joint.motion_b : *joint.motion_a;
    const Vec3<double> posed = motion * p;
    rest.add(id, joint.weight_b * (motion * (p + moved) - posed));
    weights.add(id, (joint.weight_b - joint.weight_a) * posed);
    if (joint.motion_a == nullptr) continue;
    motions.add(id, joint.weight_b * (posed - *joint.motion_a * p));
  }
  const double by_rest = length_of(rest.sum), by_weights = length_of(weights.sum),
               by_motions = length_of(motions.sum);
  if (by_weights > tolerance && by_weights >= by_rest && by_weights >= by_motions) {
    return weights_text(joints, weights.joint);
  }
  if (by_motions > tolerance && by_motions >= by_rest) {
    return "joint '" + motions.joint +
           "' moves differently in the two rigs: their clips, skeletons or bind poses differ";
  }
  if (is_moved) {
    return "the meshes of the two rigs differ: the vertex rests " + number_text(length_of(moved)) +
           " m apart";
  }
  return "the two rigs have equal rest positions, weights and joints here: morph targets, or the "
         "vertices around it, differ";
}

}  // namespace skinbake
