// Poses of a clip, of a list, and of the range of motion, and their muscles.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "clip/sampling/sample.h"
#include "humanoid/motion/pose_source.h"
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

namespace {

// A pose counts as reached this much earlier: times that are sums of durations are rounded.
constexpr double kSnap_s = 1e-6;

constexpr Quat<double> kUnturned{1, 0, 0, 0};

BoneRotations blend(const BoneRotations& a, const BoneRotations& b, double share) {
  BoneRotations blended;
  for (std::size_t bone = 0; bone < kHumanBones.size(); ++bone) {
    if (!a.bones[bone] && !b.bones[bone]) continue;
    blended.bones[bone] =
        slerp(a.bones[bone].value_or(kUnturned), b.bones[bone].value_or(kUnturned), share);
  }
  return blended;
}

}  // namespace

PoseList::PoseList(std::vector<NamedPose> poses, double fps, const Vec3<double>& hips_at_rest)
    : poses_(std::move(poses)), hips_at_rest_(hips_at_rest) {
  double held_s = 0, frames = 0;
  for (std::size_t p = 0; p < poses_.size(); ++p) {
    if (p > 0 && !poses_[p].hips) poses_[p].hips = poses_[p - 1].hips;
    key_times_.push_back(held_s + frames / fps);  // exactly k / fps without holds
    if (poses_[p].hold_s) {
      held_s += *poses_[p].hold_s;
    } else {
      frames += 1;
    }
  }
  if (poses_.back().hold_s) key_times_.push_back(held_s + frames / fps);
}

PoseList::Place PoseList::place(double time_s) const {
  const auto after = std::upper_bound(key_times_.begin(), key_times_.end(), time_s + kSnap_s);
  if (after == key_times_.begin()) return {};
  const auto key = static_cast<std::size_t>(after - key_times_.begin()) - 1;
  if (key + 1 >= poses_.size()) return {poses_.size() - 1, 0};
  if (!poses_[key].hold_s) return {key, 0};
  const double share = (time_s - key_times_[key]) / *poses_[key].hold_s;
  return {key, std::clamp(share, 0.0, 1.0)};
}

HumanPose PoseList::pose(double time_s) const {
  const auto [from, share] = place(time_s);
  const NamedPose& a = poses_[from];
  HumanPose pose;
  if (share == 0) {
    pose = pose_of(a.rotations);
    pose.hips = a.hips;
    return pose;
  }
  const NamedPose& b = poses_[from + 1];
  pose = pose_of(blend(a.rotations, b.rotations, share));
  if (b.hips) {
    const Vec3<double> from_hips = a.hips.value_or(hips_at_rest_);
    pose.hips = from_hips + share * (*b.hips - from_hips);
  }
  return pose;
}

std::string PoseList::name(double time_s) const {
  const auto [from, share] = place(time_s);
  return poses_[share < 0.5 ? from : from + 1].name;
}

namespace {

constexpr double kWay_s = 1;  // from the T-pose to the end of a range, or back

// Ends of muscles, without their side: '+' the greatest angle, '-' the least.
using Ends = std::vector<std::string_view>;

// Poses in which skinning fails most. Their ends are of one part of the body.
const std::vector<Ends>& combined_ends() {
  static const std::vector<Ends> kEnds{
      {"-ForearmStretch", "+ForearmTwist"},        // elbow bent, forearm twisted outward
      {"-ForearmStretch", "-ForearmTwist"},        // inward
      {"+ArmDownUp", "+ArmTwist"},                 // arm raised and twisted outward
      {"+ArmDownUp", "-ArmTwist"},                 // inward
      {"-HandDownUp", "-HandInOut"},               // wrist
      {"+HandDownUp", "+HandInOut"},               //
      {"-UpperLegFrontBack", "-LowerLegStretch"},  // hip and knee bent
  };
  return kEnds;
}

// "+90°"
std::string text_of(double degrees) {
  const auto whole = static_cast<int>(std::lround(degrees));
  std::string text = std::to_string(whole) + "°";
  if (whole > 0) text.insert(text.begin(), '+');
  return text;
}

// "forearm twist at +90°": one text for both sides if they agree.
std::string text_of(const std::vector<const Muscle*>& moving, double share,
                    const PerMuscle<double>& degrees) {
  std::string text;
  for (const Muscle* m : moving) {
    const auto at = [&](const Muscle& muscle) {
      return text_of(share * degrees[index_of(muscle)]);
    };
    const Muscle& other = opposite(*m);
    const bool is_pair =
        &other != m && std::find(moving.begin(), moving.end(), &other) != moving.end();
    const bool agree = is_pair && at(other) == at(*m);
    if (agree && &other < m) continue;  // the other side has said it
    const BodySide side = without_side(m->bone).side;
    std::string name(m->label);
    if (!agree && side == BodySide::kLeft) name = "left " + name;
    if (!agree && side == BodySide::kRight) name = "right " + name;
    text += (text.empty() ? "" : ", ") + name + " at " + at(*m);
  }
  return text;
}

}  // namespace

RangeOfMotion::RangeOfMotion(std::span<const BodyPart> parts, std::span<const HumanoidBone> bones,
                             const MuscleRanges& ranges)
    : ranges_(ranges_with(ranges)) {
  for (const Muscle& m : muscles()) {
    const bool has_bone = std::any_of(bones.begin(), bones.end(),
                                      [&](const HumanoidBone& b) { return b.bone == m.bone; });
    const bool is_chosen = std::find(parts.begin(), parts.end(), m.part) != parts.end();
    moves_[index_of(m)] = has_bone && is_chosen;
  }
  for (const Muscle& m : muscles()) {
    if (&opposite(m) < &m) continue;  // moves together with the other side
    const std::string name = m.name.substr(m.name.starts_with("left") ? 4 : 0);
    for (const char* const sign : {"+", "-"}) {
      const std::string end = sign + name;
      add_leg(std::array<std::string_view, 1>{end});
    }
  }
  for (const Ends& ends : combined_ends()) add_leg(ends);
  for (std::size_t corner = 0; corner <= 2 * legs_.size(); ++corner) {
    key_times_.push_back(static_cast<double>(corner) * kWay_s);
  }
}

void RangeOfMotion::add_leg(std::span<const std::string_view> ends) {
  Leg leg;
  for (const std::string_view end : ends) {
    const std::string name(end.substr(1));
    bool is_moved = false;
    for (const std::string& full : {name, "left" + name, "right" + name}) {
      const Muscle* m = muscle(full);
      if (m == nullptr || !moves_[index_of(*m)]) continue;
      const MuscleRange& range = ranges_[index_of(*m)];
      const double degrees = end.front() == '+' ? range.max_deg : range.min_deg;
      if (degrees == 0) continue;
      leg.degrees[index_of(*m)] = degrees;
      leg.muscles.push_back(m);
      is_moved = true;
    }
    if (!is_moved) return;
  }
  legs_.push_back(std::move(leg));
}

std::pair<const RangeOfMotion::Leg*, double> RangeOfMotion::place(double time_s) const {
  const double ways = time_s / kWay_s;
  if (!(ways > 0) || ways >= 2 * static_cast<double>(legs_.size())) return {nullptr, 0};
  const auto leg = static_cast<std::size_t>(ways / 2);
  return {&legs_[leg], 1 - std::abs(ways - 2 * static_cast<double>(leg) - 1)};
}

HumanPose RangeOfMotion::pose(double time_s) const {
  PerMuscle<double> degrees{};
  if (const auto [leg, share] = place(time_s); leg != nullptr) {
    for (const Muscle* m : leg->muscles) {
      degrees[index_of(*m)] = share * leg->degrees[index_of(*m)];
    }
  }
  BoneRotations rotations;
  for (const Muscle& m : muscles()) {
    if (!moves_[index_of(m)]) continue;
    rotations.bones[human_bone_index(m.bone)] = rotation_of(m.bone, degrees);
  }
  return pose_of(rotations);
}

std::string RangeOfMotion::name(double time_s) const {
  const auto [leg, share] = place(time_s);
  if (leg == nullptr || share == 0) return "T-pose";
  return text_of(leg->muscles, share, leg->degrees);
}

std::vector<BodyPart> body_parts(std::string_view name) {
  using enum BodyPart;
  if (name.empty()) return {kSpine, kFace, kLegs, kArms, kHands};
  if (name == "spine") return {kSpine};
  if (name == "legs") return {kLegs};
  if (name == "arms") return {kArms};
  if (name == "hands") return {kHands};
  return {};
}

namespace {

constexpr double kTolerance_deg = 1e-3;

double excess_of(double degrees, const MuscleRange& range) {
  return std::max(degrees - range.max_deg, range.min_deg - degrees);
}

// Adds a frame to the frames outside the range.
void add_frame(MuscleExcess& muscle, std::int64_t frame, std::int64_t step, double degrees) {
  if (!muscle.runs.empty() && muscle.runs.back().last + step == frame) {
    muscle.runs.back().last = frame;
  } else {
    muscle.runs.push_back({frame, frame});
  }
  muscle.frames += 1;
  const double excess = excess_of(degrees, muscle.range);
  if (excess <= muscle.worst_excess_deg) return;
  muscle.worst_excess_deg = excess;
  muscle.worst_angle_deg = degrees;
  muscle.worst_frame = frame;
}

}  // namespace

std::vector<MuscleExcess> muscles_outside(const PoseSource& motion, const FrameRange& frames,
                                          const MuscleRanges& ranges) {
  const PerMuscle<MuscleRange> allowed = ranges_with(ranges);
  std::vector<MuscleExcess> found(kMuscleCount);
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    const auto degrees = degrees_of(rotations_of(motion.pose(frames.sample_time_s(k))));
    for (std::size_t m = 0; m < kMuscleCount; ++m) {
      found[m].muscle = &muscles()[m];
      found[m].range = allowed[m];
      if (!(excess_of(degrees[m], allowed[m]) > kTolerance_deg)) continue;
      add_frame(found[m], frames.frame(k), frames.frame_step, degrees[m]);
    }
  }
  std::erase_if(found, [](const MuscleExcess& muscle) { return muscle.frames == 0; });
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.worst_excess_deg > b.worst_excess_deg;
  });
  return found;
}

}  // namespace skinbake
