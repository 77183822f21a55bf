// The frame of a character at rest, and the T-pose.

#include <algorithm>
#include <cmath>
#include <string>

#include "humanoid/pose/t_pose.h"

namespace skinbake {

namespace {

constexpr double kCos30 = 0.8660254037844386;

// The axis of the scene within 30 degrees of a unit vector, or the vector.
Vec3<double> snapped(const Vec3<double>& v) {
  if (std::abs(v.x) > kCos30) return {std::copysign(1.0, v.x), 0, 0};
  if (std::abs(v.y) > kCos30) return {0, std::copysign(1.0, v.y), 0};
  if (std::abs(v.z) > kCos30) return {0, 0, std::copysign(1.0, v.z)};
  return v;
}

}  // namespace

CharacterFrame character_frame(const NodeTree& tree, const HumanMap& map) {
  const auto at = [&](const char* bone) { return tree.position(map.node(bone)); };
  const Vec3<double> left_arm = at("leftUpperArm"), right_arm = at("rightUpperArm");
  const Vec3<double> left_leg = at("leftUpperLeg"), right_leg = at("rightUpperLeg");
  const Vec3<double> across = unit(left_leg - right_leg) + unit(left_arm - right_arm);
  CharacterFrame frame;
  frame.up = snapped(unit((left_arm + right_arm) - (left_leg + right_leg)));
  frame.left = unit(across - dot(frame.up, across) * frame.up);
  frame.forward = cross(frame.left, frame.up);
  return frame;
}

CharacterFrame upright(const CharacterFrame& frame) {
  const Quat<double> turn = smallest_rotation(frame.up, {0, 1, 0}, frame.left);
  return {rotated(turn, frame.left), {0, 1, 0}, rotated(turn, frame.forward)};
}

namespace {

constexpr double kDegrees = 57.29577951308232;  // of one radian
constexpr double kLeastBend = 3 / kDegrees;     // below it a bend does not tell the hinge's axis
constexpr double kRightAngle = 90 / kDegrees;

// The part of a direction that the T-pose fixes.
enum class Plane { kSpace, kHorizontal, kFrontal };

// The direction of a bone in the T-pose, of the left side: x left, y up, z forward.
struct BoneDirection {
  std::string_view bone;  // without its side
  Vec3<double> direction;
  double tolerance_deg;
  Plane plane = Plane::kSpace;
};

constexpr BoneDirection kDirections[] = {
    {"spine", {0, 1, 0}, 30},
    {"chest", {0, 1, 0}, 30},
    {"upperChest", {0, 1, 0}, 30},
    {"neck", {0, 1, 0}, 30},
    {"UpperLeg", {0.05, -1, 0}, 15},
    {"LowerLeg", {0.05, -1, -0.15}, 20},
    {"Foot", {0.05, 0, 1}, 20, Plane::kHorizontal},
    {"Shoulder", {1, 0, 0}, 20},
    {"UpperArm", {1, 0, 0}, 5},
    {"LowerArm", {1, 0, 0}, 5},
    {"Hand", {1, 0, 0}, 10, Plane::kFrontal},
    {"ThumbMetacarpal", {1, 0, 1}, 10},
    {"ThumbProximal", {1, 0, 1}, 5},
    {"IndexProximal", {1, 0, 0}, 10},
    {"IndexIntermediate", {1, 0, 0}, 5},
    {"MiddleProximal", {1, 0, 0}, 10},
    {"MiddleIntermediate", {1, 0, 0}, 5},
    {"RingProximal", {1, 0, 0}, 10},
    {"RingIntermediate", {1, 0, 0}, 5},
    {"LittleProximal", {1, 0, 0}, 10},
    {"LittleIntermediate", {1, 0, 0}, 5},
};

constexpr double kHipsTolerance_deg = 15;

const BoneDirection* direction_of(std::string_view bone) {
  for (const BoneDirection& row : kDirections) {
    if (row.bone == bone) return &row;
  }
  return nullptr;
}

Vec3<double> without(const Vec3<double>& v, const Vec3<double>& axis) {
  return v - dot(v, axis) * axis;
}

class TPoser {
 public:
  TPoser(const NodeTree& tree, const HumanMap& map) : tree_(tree), map_(map) {
    pose_.frame = character_frame(tree, map);
    stands_ = upright(pose_.frame);
    total_.assign(tree.skeleton().nodes.size(), {1, 0, 0, 0});
  }

  TPose run() {
    std::vector<std::string_view> bone_of(total_.size());
    for (const HumanBone& bone : kHumanBones) {
      const NodeIndex node = map_.node(bone.name);
      if (node >= 0) bone_of[index(node)] = bone.name;
    }
    // Parents come before children, so that the fingers follow the hand, the arm and the spine.
    for (const NodeIndex n : tree_.skeleton().order) {
      const NodeIndex above = tree_.parent(n);
      total_[index(n)] = above < 0 ? Quat<double>{1, 0, 0, 0} : total_[index(above)];
      if (!bone_of[index(n)].empty()) correct(bone_of[index(n)], n);
    }
    std::sort(pose_.bones.begin(), pose_.bones.end(),
              [](const auto& a, const auto& b) { return human_bone(a.bone) < human_bone(b.bone); });
    find_positions();
    return std::move(pose_);
  }

 private:
  static std::size_t index(NodeIndex n) { return static_cast<std::size_t>(n); }

  // From a bone to the next mapped bone, at rest; none: the rig does not have it.
  std::optional<Vec3<double>> offset_at_rest(std::string_view bone) const {
    const std::string_view child = child_of(bone);
    if (child.empty()) return std::nullopt;
    return tree_.position(map_.node(child)) - tree_.position(map_.node(bone));
  }

  // The mapped bone in whose direction a bone points; empty: none.
  std::string_view child_of(std::string_view bone) const {
    const SidedBone sided = without_side(bone);
    const bool is_hand = sided.bone == "Hand";
    const bool is_left = sided.side == BodySide::kLeft;
    const std::string_view middle = is_left ? "leftMiddleProximal" : "rightMiddleProximal";
    if (is_hand && map_.node(middle) >= 0) return middle;
    for (const HumanBone& below : kHumanBones) {
      if (map_.node(below.name) < 0 || map_.parent_of(below.name) != bone) continue;
      const SidedBone part = without_side(below.name);
      const bool is_thumb = part.bone == "ThumbMetacarpal";
      if (part.side == sided.side && !is_thumb) return below.name;
    }
    return "";
  }

  Vec3<double> in_plane(const Vec3<double>& v, Plane plane) const {
    if (plane == Plane::kHorizontal) return without(v, stands_.up);
    return plane == Plane::kFrontal ? without(v, stands_.forward) : v;
  }

  // The bone's direction in the T-pose, in the scene.
  Vec3<double> target(const BoneDirection& row, BodySide side) const {
    Vec3<double> d = row.direction;
    if (side == BodySide::kRight) d.x = -d.x;
    return stands_.in_scene(d);
  }

  void correct(std::string_view bone, NodeIndex node) {
    TPosedBone result{bone, node, std::nullopt, 0, {1, 0, 0, 0}, {1, 0, 0, 0}, std::nullopt};
    const Quat<double> before = total_[index(node)];
    Quat<double>& total = total_[index(node)];
    if (bone == "hips") {
      total = smallest_rotation(pose_.frame.up, stands_.up, pose_.frame.left) * total;
      result.degrees_off = kDegrees * angle_between(pose_.frame.up, stands_.up);
      result.tolerance_deg = kHipsTolerance_deg;
    } else if (const BoneDirection* row = direction_of(without_side(bone).bone)) {
      // A foot keeps the orientation that it has when the body stands.
      if (row->plane == Plane::kHorizontal) total = total_[index(map_.node("hips"))];
      if (row->bone == "Hand") result.is_roll_known = false;
      turn(*row, result);
      roll(*row, result);
    }
    const Quat<double> undone{before.w, -before.x, -before.y, -before.z};
    result.correction = total * undone;
    result.total = total;
    pose_.bones.push_back(result);
  }

  // Turns the bone to its direction in the T-pose.
  void turn(const BoneDirection& row, TPosedBone& bone) {
    const auto offset = offset_at_rest(bone.bone);
    if (!offset) return;
    const Vec3<double> goal = target(row, without_side(bone.bone).side);
    const Vec3<double> at_rest =
        in_plane(rotated(total_[index(map_.node("hips"))], *offset), row.plane);
    Quat<double>& total = total_[index(bone.node)];
    const Vec3<double> now = in_plane(rotated(total, *offset), row.plane);
    if (!(norm(now) > 0) || !(norm(at_rest) > 0)) return;
    bone.degrees_off = kDegrees * angle_between(at_rest, goal);
    bone.tolerance_deg = row.tolerance_deg;
    if (row.bone == "Hand" && turn_palm(bone)) return;
    const Vec3<double> normal = row.plane == Plane::kFrontal ? stands_.forward : stands_.up;
    total = smallest_rotation(now, goal, without(normal, unit(now))) * total;
  }

  // Turns the bone about its direction in the T-pose, where a bent knee or elbow says how it rolls.
  void roll(const BoneDirection& row, TPosedBone& bone) {
    const bool is_leg = row.bone == "UpperLeg";
    if (!is_leg && row.bone != "UpperArm") return;
    const bool is_left = without_side(bone.bone).side == BodySide::kLeft;
    bone.is_roll_known = false;
    const auto bent_about = hinge(bone.bone);
    if (!bent_about) return;
    // A knee bends backward, an elbow forward.
    const Vec3<double> goal = is_leg ? stands_.left : is_left ? -stands_.up : stands_.up;
    Quat<double>& total = total_[index(bone.node)];
    const Vec3<double> axis = unit(target(row, without_side(bone.bone).side));
    const Vec3<double> from = without(rotated(total, *bent_about), axis), to = without(goal, axis);
    const double angle = atan2(dot(axis, cross(from, to)), dot(from, to));
    // A joint that is bent the wrong way does not tell the axis of its hinge.
    if (!(std::abs(angle) < kRightAngle)) return;
    bone.is_roll_known = true;
    total = about(axis, angle) * total;
  }

  // Turns the palm down, which also brings the hand into the direction of the arm as seen from the
  // front. Returns false if the rig does not have fingers that show the palm.
  bool turn_palm(TPosedBone& bone) {
    const auto normal = back_of_hand(bone.bone);
    if (!normal) return false;
    bone.is_roll_known = true;
    Quat<double>& total = total_[index(bone.node)];
    const Vec3<double> now = rotated(total, *normal);
    const Vec3<double> along = target(*direction_of("Hand"), without_side(bone.bone).side);
    total = smallest_rotation(now, stands_.up, without(along, now)) * total;
    return true;
  }

  // The axis about which a knee or an elbow is bent at rest.
  std::optional<Vec3<double>> hinge(std::string_view upper) const {
    const std::string_view lower = child_of(upper);
    if (lower.empty()) return std::nullopt;
    const auto above = offset_at_rest(upper), below = offset_at_rest(lower);
    if (!above || !below || !(angle_between(*above, *below) > kLeastBend)) return std::nullopt;
    return unit(cross(*above, *below));
  }

  // The normal of the back of the hand at rest: of the plane through the hand, the index finger and
  // the little finger, or the last finger before it.
  std::optional<Vec3<double>> back_of_hand(std::string_view hand) const {
    const std::string side(hand.substr(0, hand.size() - 4));  // "left"
    const NodeIndex index_finger = map_.node(side + "IndexProximal");
    for (const char* finger : {"LittleProximal", "RingProximal", "MiddleProximal"}) {
      const NodeIndex other = map_.node(side + finger);
      if (index_finger < 0 || other < 0) continue;
      const Vec3<double>& wrist = tree_.position(map_.node(hand));
      const Vec3<double> plane = cross(tree_.position(other) - wrist,  //
                                       tree_.position(index_finger) - wrist);
      const double sign = side == "left" ? -1 : 1;
      return norm(plane) > 0 ? std::optional(sign / norm(plane) * plane) : std::nullopt;
    }
    return std::nullopt;
  }

  void find_positions() {
    const Skeleton& skeleton = tree_.skeleton();
    pose_.positions.resize(skeleton.nodes.size());
    for (const NodeIndex n : skeleton.order) {
      const NodeIndex above = tree_.parent(n);
      pose_.positions[index(n)] =
          above < 0 ? tree_.position(n)
                    : pose_.positions[index(above)] +
                          rotated(total_[index(above)], tree_.position(n) - tree_.position(above));
    }
  }

  const NodeTree& tree_;
  const HumanMap& map_;
  CharacterFrame stands_;            // the frame of the T-pose: the character's, upright
  std::vector<Quat<double>> total_;  // [node]
  TPose pose_;
};

}  // namespace

TPose t_pose(const NodeTree& tree, const HumanMap& map) {
  return TPoser(tree, map).run();
}

}  // namespace skinbake
