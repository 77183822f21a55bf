// Expressions, eyes, and the face that a clip drives.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "clip/sampling/node_sampler.h"
#include "clip/sampling/sample.h"
#include "humanoid/motion/face_player.h"
#include "humanoid/pose/human_pose.h"
#include "math/scalar.h"

namespace skinbake {

// ---- VRM Consortium. VRMC_vrm-1.0, "Expressions": procedural override, and the update algorithm.
// 2022.

namespace {

// How much an expression of this weight takes from the expressions that it overrides.
double taken(ExpressionOverride by, double weight) {
  if (by == ExpressionOverride::kBlock) return weight > 0 ? 1 : 0;
  return by == ExpressionOverride::kBlend ? weight : 0;
}

}  // namespace

ExpressionMixer::Kind ExpressionMixer::kind_of(std::string_view name) {
  constexpr std::array<std::string_view, 3> kBlinks{"blink", "blinkLeft", "blinkRight"};
  constexpr std::array<std::string_view, 4> kLooks{"lookUp", "lookDown", "lookLeft", "lookRight"};
  constexpr std::array<std::string_view, 5> kMouths{"aa", "ih", "ou", "ee", "oh"};
  const auto is_in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return is_in(kBlinks)   ? Kind::kBlink
         : is_in(kLooks)  ? Kind::kLook
         : is_in(kMouths) ? Kind::kMouth
                          : Kind::kOther;
}

ExpressionMixer::ExpressionMixer(std::span<const Expression> expressions) {
  for (const Expression& e : expressions) {
    const std::size_t index = rules_.size();
    index_.emplace(e.name, index);
    rules_.push_back({kind_of(e.name), e.is_binary, e.of_blink, e.of_look, e.of_mouth});
    for (const MorphBind& bind : e.binds) {
      binds_[bind.node].push_back({index, static_cast<std::size_t>(bind.target), bind.weight});
    }
  }
}

std::optional<std::size_t> ExpressionMixer::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

void ExpressionMixer::combine(std::span<double> weights) const {
  double blink = 0, look = 0, mouth = 0;  // parts that the overriding expressions take
  for (std::size_t e = 0; e < rules_.size(); ++e) {
    const Rule& rule = rules_[e];
    double& weight = weights[e];
    weight = rule.is_binary ? (weight > 0.5 ? 1 : 0) : std::clamp(weight, 0.0, 1.0);
    blink += taken(rule.of_blink, weight);
    look += taken(rule.of_look, weight);
    mouth += taken(rule.of_mouth, weight);
  }
  for (std::size_t e = 0; e < rules_.size(); ++e) {
    const Kind kind = rules_[e].kind;
    const double less = kind == Kind::kBlink   ? blink
                        : kind == Kind::kLook  ? look
                        : kind == Kind::kMouth ? mouth
                                               : 0;
    // A binary expression does not appear in part.
    weights[e] *= rules_[e].is_binary && less > 0 ? 0 : 1 - std::min(less, 1.0);
  }
}

void ExpressionMixer::apply(std::span<const double> combined, NodeIndex mesh_node,
                            std::span<double> morphs) const {
  const auto found = binds_.find(mesh_node);
  if (found == binds_.end()) return;
  for (const Bind& bind : found->second) {
    if (bind.target < morphs.size()) morphs[bind.target] = 0;
  }
  for (const Bind& bind : found->second) {
    if (bind.target < morphs.size()) morphs[bind.target] += bind.weight * combined[bind.expression];
  }
}

std::size_t ExpressionMixer::least_targets(NodeIndex mesh_node) const {
  const auto found = binds_.find(mesh_node);
  std::size_t least = 0;
  if (found == binds_.end()) return least;
  for (const Bind& bind : found->second) least = std::max(least, bind.target + 1);
  return least;
}

namespace {

constexpr double kDegree = 0.017453292519943295;  // radians

double mapped(const LookRange& range, double degrees) {
  return range.scale * (std::min(std::abs(degrees), range.most_deg) / range.most_deg);
}

// Files may contain any scale: whole turns are left out, two because of the half angles.
double in_two_turns(double degrees) {
  return std::remainder(degrees, 720);
}

Quat<double> turn(double yaw_deg, double pitch_deg) {
  return about({0, 1, 0}, in_two_turns(yaw_deg) * kDegree) *
         about({1, 0, 0}, in_two_turns(pitch_deg) * kDegree);
}

}  // namespace

Gaze gaze_of(const Quat<double>& q) {
  // The third column of the rotation matrix is the direction of the eyes.
  const double x = 2 * (q.x * q.z + q.w * q.y), y = 2 * (q.y * q.z - q.w * q.x);
  const double z = 1 - 2 * (q.x * q.x + q.y * q.y);
  return {atan2(x, z) / kDegree, atan2(-y, std::sqrt(x * x + z * z)) / kDegree};
}

EyeTurns eye_turns(const LookAt& look, const Gaze& gaze) {
  const bool to_left = gaze.yaw_deg > 0;
  const double out = mapped(look.outer, gaze.yaw_deg), in = mapped(look.inner, gaze.yaw_deg);
  const double pitch =
      gaze.pitch_deg > 0 ? mapped(look.down, gaze.pitch_deg) : -mapped(look.up, gaze.pitch_deg);
  return {turn(to_left ? out : -in, pitch), turn(to_left ? in : -out, pitch)};
}

LookWeights look_weights(const LookAt& look, const Gaze& gaze) {
  LookWeights weights;
  (gaze.yaw_deg > 0 ? weights.left : weights.right) = mapped(look.outer, gaze.yaw_deg);
  if (gaze.pitch_deg > 0) {
    weights.down = mapped(look.down, gaze.pitch_deg);
  } else {
    weights.up = mapped(look.up, gaze.pitch_deg);
  }
  return weights;
}

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
