#include "humanoid/motion/range_of_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace skinbake {

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

}  // namespace skinbake
