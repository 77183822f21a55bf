// A vertex x = sum over joints of w M p, posed by linear blending, differs between two rigs by
//
//     x_b - x_a = sum w_b M_b (p_b - p_a)     rest positions p
//               + sum (w_b - w_a) M p_a       weights w
//               + sum w_b (M_b - M_a) p_a     motions M, posed_from_rest
//
// The largest of the three parts is the cause, whatever method skins both rigs. Joints correspond
// by their ids, those of one id by their order. M is M_b, or M_a of a joint that b does not have.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bake/explain/explain.h"
#include "clip/poses/forward_kinematics.h"
#include "math/scalar.h"
#include "rig/joint_tree.h"

namespace skinbake {
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
