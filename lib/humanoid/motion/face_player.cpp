#include "humanoid/motion/face_player.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "clip/sampling/node_sampler.h"
#include "clip/sampling/sample.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

std::vector<double> merged(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> times;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(times));
  return times;
}

// The turn of the head, or of the nearest bone above that has one.
Quat<double> head_turn(const HumanPose& pose) {
  for (std::string_view name = "head"; !name.empty();) {
    const std::size_t bone = human_bone_index(name);
    if (pose.turns[bone]) return *pose.turns[bone];
    name = kHumanBones[bone].parent;
  }
  return {1, 0, 0, 0};
}

}  // namespace

std::string_view other_side_of_face(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kSides[] = {{"blinkLeft", "blinkRight"},
                                                                      {"lookLeft", "lookRight"}};
  for (const auto& [left, right] : kSides) {
    if (name == left) return right;
    if (name == right) return left;
  }
  return name;
}

FacePlayer::FacePlayer(std::shared_ptr<const PlayableFace> face, FaceChannels channels,
                       bool is_mirrored)
    : face_(std::move(face)),
      look_channel_(std::move(channels.look_at)),
      is_mirrored_(is_mirrored) {
  for (FaceChannels::Driver& driver : channels.expressions) {
    const std::string_view name =
        is_mirrored ? other_side_of_face(driver.expression) : driver.expression;
    const std::optional<std::size_t> expression = face_->mixer.find(name);
    if (!expression) continue;
    drivers_.emplace_back(*expression, std::move(driver.channel));
  }
  std::vector<const Channel*> used;
  for (const auto& [expression, channel] : drivers_) used.push_back(&channel);
  if (face_->look_at && look_channel_) used.push_back(&*look_channel_);
  if (!used.empty()) key_times_ = key_times_of(used, nullptr);
}

Gaze FacePlayer::gaze(double time_s) const {
  double q[4];
  sample(*look_channel_, time_s, q);
  return gaze_of({q[3], q[0], q[1], q[2]});
}

EyeTurns FacePlayer::eyes(double time_s) const {
  return eye_turns(*face_->look_at, gaze(time_s));
}

void FacePlayer::sample_morphs(NodeIndex mesh_node, double time_s, std::span<double> morphs) const {
  if (!moves_morphs(mesh_node)) return;
  std::vector<double> weights(face_->expression_count);
  for (const auto& [expression, channel] : drivers_) {
    double translation[3];
    sample(channel, time_s, translation);
    weights[expression] = translation[0];
  }
  if (looks_by(LookType::kExpressions)) {
    Gaze direction = gaze(time_s);
    if (is_mirrored_) direction.yaw_deg = -direction.yaw_deg;
    const LookWeights look = look_weights(*face_->look_at, direction);
    const std::pair<std::string_view, double> by_name[] = {{"lookUp", look.up},
                                                           {"lookDown", look.down},
                                                           {"lookLeft", look.left},
                                                           {"lookRight", look.right}};
    for (const auto& [name, weight] : by_name) {
      if (const auto expression = face_->mixer.find(name)) weights[*expression] = weight;
    }
  }
  face_->mixer.combine(weights);
  face_->mixer.apply(weights, mesh_node, morphs);
}

LookingPoses::LookingPoses(std::shared_ptr<const PoseSource> body,
                           std::shared_ptr<const FacePlayer> face)
    : body_(std::move(body)),
      face_(std::move(face)),
      key_times_(merged(body_->key_times(), face_->key_times())) {}

HumanPose LookingPoses::pose(double time_s) const {
  HumanPose pose = body_->pose(time_s);
  const Quat<double> head = head_turn(pose);
  const EyeTurns eyes = face_->eyes(time_s);
  pose.turns[human_bone_index("leftEye")] = head * eyes.left;
  pose.turns[human_bone_index("rightEye")] = head * eyes.right;
  return pose;
}

FaceMotion::FaceMotion(std::shared_ptr<const ClipMotion> body,
                       std::shared_ptr<const FacePlayer> face)
    : body_(std::move(body)), face_(std::move(face)), key_times_(face_->key_times()) {
  if (!body_) return;
  nodes_ = body_->nodes();
  key_times_ = merged(body_->key_times(), key_times_);
}

std::size_t FaceMotion::least_morph_targets(NodeIndex mesh_node) const {
  const std::size_t of_face = face_->least_morph_targets(mesh_node);
  return body_ ? std::max(of_face, body_->least_morph_targets(mesh_node)) : of_face;
}

void FaceMotion::sample_morphs(NodeIndex mesh_node, double time_s,
                               std::span<double> weights) const {
  if (body_) body_->sample_morphs(mesh_node, time_s, weights);
  face_->sample_morphs(mesh_node, time_s, weights);
}

}  // namespace skinbake
