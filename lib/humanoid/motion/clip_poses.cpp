#include "humanoid/motion/clip_poses.h"

#include <utility>

#include "humanoid/pose/human_pose.h"
#include "humanoid/pose/t_pose.h"

namespace skinbake {

namespace {

std::vector<NodeIndex> mapped(const TPosedSkeleton& body) {
  std::vector<NodeIndex> nodes;
  for (const NodeIndex node : body.nodes) {
    if (node >= 0) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

ClipPoses::ClipPoses(std::shared_ptr<const Skeleton> skeleton, Clip clip,
                     std::shared_ptr<const TPosedSkeleton> body, double hips_unit_m)
    : skeleton_(std::move(skeleton)),
      clip_(std::move(clip)),
      body_(std::move(body)),
      hips_unit_m_(hips_unit_m),
      steps_(steps_to_bones(*skeleton_, body_->nodes)),
      sampler_(*skeleton_, &clip_, mapped(*body_)),
      key_times_(key_times_of(sampler_.channels(), sampler_.motion())),
      moves_hips_(is_hips_moved()) {}

// Whether the clip moves the place of the hips: their translation, or a node above them.
bool ClipPoses::is_hips_moved() const {
  if (sampler_.motion() != nullptr) return true;
  const NodeIndex hips = body_->nodes[human_bone_index("hips")];
  for (const Channel* channel : sampler_.channels()) {
    if (channel->node == hips && channel->path == ChannelPath::kTranslation) return true;
    if (hips < 0 || channel->node == hips) continue;
    for (NodeIndex n = hips; n >= 0; n = skeleton_->base_of(n)) {
      if (n == channel->node) return true;
    }
  }
  return false;
}

std::vector<Quat<double>> ClipPoses::rotations_at(const NodeSampler& sampler) const {
  std::vector<Quat<double>> rotations;
  rotations.reserve(steps_.size());
  for (const BoneStep& step : steps_) {
    const Node& node = skeleton_->nodes[static_cast<std::size_t>(step.node)];
    const Quat<double> local =
        node.matrix ? rotation_at_rest(node) : sampler.local_rotation(step.node);
    rotations.push_back(step.above < 0 ? local
                                       : rotations[static_cast<std::size_t>(step.above)] * local);
  }
  return rotations;
}

HumanPose ClipPoses::pose(double time_s) const {
  NodeSampler sampler = sampler_;
  sampler.sample(time_s);
  const std::vector<Quat<double>> rotations = rotations_at(sampler);
  const Quat<double>& frame = body_->scene_from_character;
  HumanPose pose;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const BoneStep& step = steps_[i];
    if (step.bone < 0) continue;
    const Quat<double> from_t_pose =
        rotations[i] * conjugate(body_->turns[static_cast<std::size_t>(step.node)]);
    pose.turns[static_cast<std::size_t>(step.bone)] = conjugate(frame) * from_t_pose * frame;
  }
  const NodeIndex hips = body_->nodes[human_bone_index("hips")];
  if (hips >= 0 && moves_hips_) {
    pose.hips = hips_place(*body_, sampler.scene_from_node(hips).translation, hips_unit_m_);
    const auto place_of = [&](NodeIndex n) { return sampler.scene_from_node(n).translation; };
    if (const auto foot = lower_foot_m(body_->nodes, place_of)) {
      pose.lower_foot = (*foot - body_->ground_m - body_->ankle_m) / hips_unit_m_;
    }
  }
  return pose;
}

}  // namespace skinbake
