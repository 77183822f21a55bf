#include "humanoid/motion/human_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "humanoid/pose/t_pose.h"
#include "rig/rest_pose.h"

namespace skinbake {

namespace {

// Heights of the lower foot, in heights of the hips: the feet count below the first, the hips above
// the second.
constexpr double kStands = 0.25, kJumps = 0.5;

// The mirror at the plane between left and right.
HumanPose mirrored(const HumanPose& pose) {
  HumanPose result;
  for (std::size_t b = 0; b < pose.turns.size(); ++b) {
    if (!pose.turns[b]) continue;
    const Quat<double>& q = *pose.turns[b];
    result.turns[other_side(b)] = Quat<double>{q.w, q.x, -q.y, -q.z};
  }
  if (pose.hips) result.hips = Vec3<double>{-pose.hips->x, pose.hips->y, pose.hips->z};
  result.lower_foot = pose.lower_foot;
  return result;
}

// A node above may be scaled to zero, so that a place does not exist in its space.
Vec3<double> finite_or(const Vec3<double>& v, const Vec3<double>& otherwise) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) ? v : otherwise;
}

}  // namespace

std::size_t other_side(std::size_t bone) {
  const SidedBone sided = without_side(kHumanBones[bone].name);
  if (sided.side == BodySide::kMiddle) return bone;
  const std::string_view side = sided.side == BodySide::kLeft ? "right" : "left";
  return human_bone_index(std::string(side) + std::string(sided.bone));
}

HumanMotion::HumanMotion(std::shared_ptr<const Skeleton> skeleton,
                         std::shared_ptr<const TPosedSkeleton> body,
                         std::shared_ptr<const PoseSource> source, Options options)
    : skeleton_(std::move(skeleton)),
      body_(std::move(body)),
      source_(std::move(source)),
      options_(std::move(options)),
      steps_(steps_to_bones(*skeleton_, body_->nodes)) {
  index_of_.assign(skeleton_->nodes.size(), -1);
  for (const BoneStep& step : steps_) {
    const auto n = static_cast<std::size_t>(step.node);
    const bool moves =
        step.bone >= 0 && !skeleton_->nodes[n].matrix && !options_.left_alone.contains(step.node);
    if (!moves) continue;
    index_of_[n] = static_cast<int>(nodes_.size());
    nodes_.push_back(step.node);
  }
  find_unturned();
  find_sockets();
  const NodeIndex hips = body_->nodes[human_bone_index("hips")];
  hips_from_scene_ =
      hips < 0 ? kIdentity : inverse(scene_at_rest(*skeleton_, skeleton_->base_of(hips)));
}

// Between two bones the T-pose may turn nodes that are no bones, and that stay at rest: with T
// their rotation in the T-pose and R that at rest, a bone turns by R^-1 T more.
void HumanMotion::find_unturned() {
  struct Between {
    Quat<double> at_rest{1, 0, 0, 0}, in_t_pose{1, 0, 0, 0};
    bool differs = false;
  };
  std::vector<Between> between(steps_.size());  // [step] the nodes since the bone above, and itself
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const BoneStep& step = steps_[i];
    const auto n = static_cast<std::size_t>(step.node);
    const Between above =
        step.above < 0 ? Between{} : between[static_cast<std::size_t>(step.above)];
    const Quat<double>& local = body_->locals[n];
    if (step.bone >= 0) {
      unturned_.push_back(above.differs ? conjugate(above.at_rest) * above.in_t_pose * local
                                        : local);
      continue;
    }
    const Quat<double> rest = rotation_at_rest(skeleton_->nodes[n]);
    const bool is_at_rest =
        rest.w == local.w && rest.x == local.x && rest.y == local.y && rest.z == local.z;
    between[i] = {above.at_rest * rest, above.in_t_pose * local, above.differs || !is_at_rest};
    unturned_.push_back(rest);
  }
}

void HumanMotion::find_sockets() {
  std::vector<int> bone_above(steps_.size(), -1);  // [step] the nearest bone that the node is below
  std::vector<int> step_of(kHumanBones.size(), -1);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const BoneStep& step = steps_[i];
    if (step.above >= 0) {
      const auto above = static_cast<std::size_t>(step.above);
      bone_above[i] = steps_[above].bone >= 0 ? steps_[above].bone : bone_above[above];
    }
    if (step.bone < 0) continue;
    step_of[static_cast<std::size_t>(step.bone)] = static_cast<int>(i);
    std::string_view parent = kHumanBones[static_cast<std::size_t>(step.bone)].parent;
    while (!parent.empty() && body_->nodes[human_bone_index(parent)] < 0) {
      parent = human_bone(parent)->parent;
    }
    if (parent.empty() || bone_above[i] == static_cast<int>(human_bone_index(parent))) continue;
    // A bone that is not below its parent follows the node above it.
    const int parent_step = step_of[human_bone_index(parent)];
    int above = step.above;
    while (above >= 0 && above != parent_step)
      above = steps_[static_cast<std::size_t>(above)].above;
    if (above < 0) continue;
    const auto p = static_cast<std::size_t>(parent_step);
    sockets_[i] = {p, inverse(scene_at_rest(*skeleton_, steps_[p].node)) *
                          scene_at_rest(*skeleton_, step.node).translation};
  }
}

std::vector<NodeIndex> HumanMotion::stuck_nodes() const {
  std::vector<BoneStep> with_matrix;
  for (const BoneStep& step : steps_) {
    const Node& node = skeleton_->nodes[static_cast<std::size_t>(step.node)];
    if (step.bone >= 0 && node.matrix && !options_.left_alone.contains(step.node)) {
      with_matrix.push_back(step);
    }
  }
  std::vector<NodeIndex> stuck;
  if (with_matrix.empty()) return stuck;
  std::set<NodeIndex> turned;
  for (const double time_s : source_->key_times()) {
    if (turned.size() == with_matrix.size()) break;  // mostly after the first key
    HumanPose pose = source_->pose(time_s);
    if (options_.is_mirrored) pose = mirrored(pose);
    for (const BoneStep& step : with_matrix) {
      if (pose.turns[static_cast<std::size_t>(step.bone)]) turned.insert(step.node);
    }
  }
  for (const BoneStep& step : with_matrix) {
    if (turned.contains(step.node)) stuck.push_back(step.node);
  }
  return stuck;
}

void HumanMotion::sample(double time_s, std::span<NodePose> poses) const {
  HumanPose pose = source_->pose(time_s);
  if (options_.is_mirrored) pose = mirrored(pose);
  std::vector<Quat<double>> rotations(steps_.size());  // [step] in the scene
  // [step] With sockets only, without the lift of the hips, which moves all alike.
  std::vector<Affine<double>> scene_from_node(sockets_.empty() ? 0 : steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const BoneStep& step = steps_[i];
    const auto n = static_cast<std::size_t>(step.node);
    const Quat<double> above =
        step.above < 0 ? Quat<double>{1, 0, 0, 0} : rotations[static_cast<std::size_t>(step.above)];
    Quat<double> local = unturned_[i];
    if (const auto turned = turned_below(above, pose, i)) local = *turned;
    rotations[i] = above * local;
    const bool is_hips = step.bone == static_cast<int>(human_bone_index("hips"));
    NodePose moved{local, is_hips ? hips_translation(pose, 0) : skeleton_->nodes[n].translation};
    if (!sockets_.empty()) move_to_socket(i, scene_from_node, moved);
    if (index_of_[n] >= 0) poses[static_cast<std::size_t>(index_of_[n])] = moved;
  }
  const NodeIndex hips = body_->nodes[human_bone_index("hips")];
  if (!options_.stands || !pose.hips || !pose.lower_foot || hips < 0) return;
  const int i = index_of_[static_cast<std::size_t>(hips)];
  if (i < 0) return;
  poses[static_cast<std::size_t>(i)].translation = hips_translation(pose, lift_m(pose, poses));
}

std::optional<Quat<double>> HumanMotion::turned_below(const Quat<double>& above,
                                                      const HumanPose& pose,
                                                      std::size_t step) const {
  if (steps_[step].bone < 0) return std::nullopt;
  const auto bone = static_cast<std::size_t>(steps_[step].bone);
  std::optional<Quat<double>> turn = pose.turns[bone];
  if (!turn && sockets_.contains(step)) turn = turn_above(pose, kHumanBones[bone]);
  if (!turn) return std::nullopt;
  const Quat<double>& frame = body_->scene_from_character;
  const Quat<double>& in_t_pose = body_->turns[static_cast<std::size_t>(steps_[step].node)];
  return conjugate(above) * frame * *turn * conjugate(frame) * in_t_pose;
}

void HumanMotion::move_to_socket(std::size_t step, std::vector<Affine<double>>& scene_from_node,
                                 NodePose& moved) const {
  const auto n = static_cast<std::size_t>(steps_[step].node);
  const Node& node = skeleton_->nodes[n];
  const int above_step = steps_[step].above;
  const Affine<double> above =
      above_step < 0 ? kIdentity : scene_from_node[static_cast<std::size_t>(above_step)];
  const auto socket = sockets_.find(step);
  if (socket != sockets_.end()) {
    const Vec3<double> place = scene_from_node[socket->second.parent] * socket->second.place;
    moved.translation = finite_or(inverse(above) * place, moved.translation);
  }
  const bool moves = index_of_[n] >= 0;
  scene_from_node[step] =
      above * (moves ? local_transform(moved.translation, moved.rotation, node.scale)
                     : local_at_rest(node));
}

double HumanMotion::lift_m(const HumanPose& pose, std::span<const NodePose> poses) const {
  const double share = std::clamp((kJumps - *pose.lower_foot) / (kJumps - kStands), 0.0, 1.0);
  if (share == 0) return 0;
  const double weight = share * share * (3 - 2 * share);  // the speed of the hips does not jump
  const auto place_of = [&](NodeIndex foot) {
    Affine<double> scene_from_foot = kIdentity;
    for (NodeIndex n = foot; n >= 0; n = skeleton_->base_of(n)) {
      const auto i = static_cast<std::size_t>(n);
      const Node& node = skeleton_->nodes[i];
      Affine<double> local = local_at_rest(node);
      if (index_of_[i] >= 0) {
        const NodePose& moved = poses[static_cast<std::size_t>(index_of_[i])];
        local = local_transform(moved.translation, moved.rotation, node.scale);
      }
      scene_from_foot = local * scene_from_foot;
    }
    return scene_from_foot.translation;
  };
  const std::optional<double> foot = lower_foot_m(body_->nodes, place_of);
  if (!foot) return 0;
  const double wanted = options_.hips_unit_m * *pose.lower_foot + body_->ankle_m + body_->ground_m;
  return weight * (wanted - *foot);
}

Vec3<double> HumanMotion::hips_translation(const HumanPose& pose, double lift_m) const {
  const NodeIndex hips = body_->nodes[human_bone_index("hips")];
  const Vec3<double>& at_rest = skeleton_->nodes[static_cast<std::size_t>(hips)].translation;
  if (!pose.hips || options_.root == RootMotion::kNone) return at_rest;
  Vec3<double> place = rotated(body_->scene_from_character, options_.hips_unit_m * *pose.hips);
  place.y = place.y + body_->ground_m + lift_m;
  if (options_.root == RootMotion::kInPlace) {
    const Vec3<double> rest = scene_at_rest(*skeleton_, hips).translation;
    place = {rest.x, place.y, rest.z};
  }
  return finite_or(hips_from_scene_ * place, at_rest);
}

}  // namespace skinbake
