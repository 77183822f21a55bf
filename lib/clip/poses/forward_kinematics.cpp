#include "clip/poses/forward_kinematics.h"

#include <algorithm>

#include "math/scalar.h"

namespace skinbake {

namespace {

std::vector<NodeIndex> posed_nodes(const Rig& rig) {
  std::vector<NodeIndex> nodes{rig.node};
  for (const Joint& joint : rig.joints) nodes.push_back(joint.node);
  return nodes;
}

}  // namespace

void to_mesh_space(SampledPose& pose) {
  const Affine<double> mesh_from_scene = inverse(pose.scene_from_mesh);
  for (Affine<double>& m : pose.posed_from_rest) m = mesh_from_scene * m;
}

PoseSampler::PoseSampler(const Rig& rig, const Clip* clip, const Vec3<double>& centre)
    : rig_(&rig),
      centre_(centre),
      nodes_(*rig.skeleton, clip, posed_nodes(rig)),
      morphs_(rig, clip) {
  const Affine<double> rest_from_centred{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, centre};
  for (const Joint& joint : rig.joints) {
    joint_from_centred_.push_back(joint.joint_from_model * rest_from_centred);
  }
  if (!rig.twists.empty()) twists_ = std::make_shared<const TwistTracks>(rig, clip);
}

void PoseSampler::sample(double time_s, SampledPose& pose) {
  morphs_.sample(time_s, pose.morph_weights);
  nodes_.sample(time_s);
  pose.scene_from_mesh = nodes_.scene_from_node(rig_->node);
  pose.posed_from_rest.resize(rig_->joints.size());
  for (std::size_t j = 0; j < rig_->joints.size(); ++j) {
    pose.posed_from_rest[j] = nodes_.scene_from_node(rig_->joints[j].node) * joint_from_centred_[j];
  }
  if (twists_) twists_->pose_helpers(time_s, centre_, pose.posed_from_rest);
}

std::vector<double> PoseSampler::key_times() const {
  return key_times_of(nodes_.channels(), nodes_.motion());
}

bool PoseSampler::has_scale_splines() const {
  const std::vector<const Channel*>& channels = nodes_.channels();
  return std::any_of(channels.begin(), channels.end(), [](const Channel* c) {
    return c->path == ChannelPath::kScale && c->interpolation == Interpolation::kCubicSpline;
  });
}

}  // namespace skinbake
