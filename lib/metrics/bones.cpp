#include "metrics/bones.h"

#include <algorithm>

#include "math/scalar.h"
#include "metrics/joint_regions.h"

namespace skinbake {
namespace {

// [joint] where it was bound.
std::vector<Vec3<double>> bind_places(const Rig& rig) {
  std::vector<Vec3<double>> places;
  for (const Joint& joint : rig.joints) {
    places.push_back(inverse(joint.joint_from_model).translation);
  }
  return places;
}

}  // namespace

std::vector<Bone> bones_of(const Rig& rig, const std::vector<Vec3<double>>& places,
                           double least_length) {
  const SkinTree tree = build_skin_tree(rig);
  std::vector<Bone> bones;
  for (JointIndex child = 0; child < rig.joints.size(); ++child) {
    const std::uint32_t parent = tree.parent[tree.rank[child]];
    if (parent == SkinTree::kNone) continue;
    const JointIndex joint = tree.joint[parent];
    if (norm(places[child] - places[joint]) > least_length) bones.push_back({joint, child});
  }
  return bones;
}

std::vector<Vec3<double>> baseline_places(const MetricInput& input) {
  std::vector<Vec3<double>> places = bind_places(*input.rig);
  if (input.baseline->kind == Baseline::kBind) {
    for (Vec3<double>& place : places) place = input.baseline->scene_from_bind * place;
    return places;
  }
  const bool rest = input.baseline->kind == Baseline::kRest;
  PoseSampler sampler(*input.rig, rest ? nullptr : input.clip, {0, 0, 0});
  SampledPose pose;
  sampler.sample(rest ? 0 : input.frames.time_s(0), pose);
  for (JointIndex j = 0; j < places.size(); ++j) places[j] = pose.posed_from_rest[j] * places[j];
  return places;
}

JointPoser::JointPoser(const MetricInput& input)
    : frames_(input.frames),
      space_(input.space),
      sampler_(*input.rig, input.clip, {0, 0, 0}),
      bind_places_(bind_places(*input.rig)) {}

const std::vector<Affine<double>>& JointPoser::at(std::int64_t frame) {
  sampler_.sample(frames_.time_s(frame), pose_);
  if (space_ == Space::kMesh) to_mesh_space(pose_);
  return pose_.posed_from_rest;
}

Vec3<double> JointPoser::place(JointIndex j) const {
  return pose_.posed_from_rest[j] * bind_places_[j];
}

}  // namespace skinbake
