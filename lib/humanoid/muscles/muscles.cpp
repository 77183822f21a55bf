#include "humanoid/muscles/muscles.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "humanoid/pose/t_pose.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

constexpr double kDegreesPerRadian = 57.29577951308232;  // of one radian

constexpr Vec3<double> kLeft{1, 0, 0}, kRight{-1, 0, 0}, kUp{0, 1, 0}, kDown{0, -1, 0},
    kForward{0, 0, 1}, kBack{0, 0, -1};

// The direction of a bone in the T-pose, of the left side.
struct MuscleDirection {
  std::string_view bone;  // without its side
  Vec3<double> direction;
};
constexpr MuscleDirection kMuscleDirections[] = {
    {"UpperLeg", {0.05, -1, 0}},
    {"LowerLeg", {0.05, -1, -0.15}},
    {"Foot", {0.05, 0, 1}},
    {"Toes", {0.05, 0, 1}},
    {"Eye", kForward},
    {"jaw", kForward},
    {"ThumbMetacarpal", {1, 0, 1}},
    {"ThumbProximal", {1, 0, 1}},
    {"ThumbDistal", {1, 0, 1}},
};

Vec3<double> muscle_direction(std::string_view bone) {
  for (const MuscleDirection& row : kMuscleDirections) {
    if (row.bone == without_side(bone).bone) return unit(row.direction);
  }
  return without_side(bone).side == BodySide::kMiddle ? kUp : kLeft;
}

// A muscle of the left side or of the middle.
struct Row {
  BodyPart part;
  std::string_view bone, name, label;  // without their side
  MuscleAxis axis;
  // Of a swing, where a positive angle moves the end of the bone. Of a twist, the axis of a
  // positive angle, which is the bone's direction or its opposite; the nearest axis of the frame.
  Vec3<double> towards;
  MuscleRange range;
};

using enum BodyPart;
constexpr MuscleAxis x = MuscleAxis::kTwist, y = MuscleAxis::kSwingY, z = MuscleAxis::kSwingZ;

// Ranges of Unity's muscles, relative to the T-pose: of upper legs, lower legs, arms, forearms and
// the first two bones of fingers, the angle of the T-pose of Unity's skeleton is subtracted, in
// whole degrees.
constexpr Row kRows[] = {
    {kSpine, "spine", "spineFrontBack", "spine front-back", z, kBack, {-40, 40}},
    {kSpine, "spine", "spineLeftRight", "spine left-right", y, kRight, {-40, 40}},
    {kSpine, "spine", "spineTwist", "spine twist", x, kDown, {-40, 40}},
    {kSpine, "chest", "chestFrontBack", "chest front-back", z, kBack, {-40, 40}},
    {kSpine, "chest", "chestLeftRight", "chest left-right", y, kRight, {-40, 40}},
    {kSpine, "chest", "chestTwist", "chest twist", x, kDown, {-40, 40}},
    {kSpine, "upperChest", "upperChestFrontBack", "upper chest front-back", z, kBack, {-20, 20}},
    {kSpine, "upperChest", "upperChestLeftRight", "upper chest left-right", y, kRight, {-20, 20}},
    {kSpine, "upperChest", "upperChestTwist", "upper chest twist", x, kDown, {-20, 20}},
    {kSpine, "neck", "neckFrontBack", "neck front-back", z, kBack, {-40, 40}},
    {kSpine, "neck", "neckLeftRight", "neck left-right", y, kRight, {-40, 40}},
    {kSpine, "neck", "neckTwist", "neck twist", x, kDown, {-40, 40}},
    {kSpine, "head", "headFrontBack", "head front-back", z, kBack, {-40, 40}},
    {kSpine, "head", "headLeftRight", "head left-right", y, kRight, {-40, 40}},
    {kSpine, "head", "headTwist", "head twist", x, kDown, {-40, 40}},
    {kFace, "Eye", "EyeDownUp", "eye down-up", z, kUp, {-10, 15}},
    {kFace, "Eye", "EyeInOut", "eye in-out", y, kLeft, {-20, 20}},
    {kFace, "jaw", "jawClose", "jaw close", z, kUp, {-10, 10}},
    {kFace, "jaw", "jawLeftRight", "jaw left-right", y, kRight, {-10, 10}},
    {kLegs, "UpperLeg", "UpperLegFrontBack", "upper leg front-back", z, kBack, {-120, 20}},
    {kLegs, "UpperLeg", "UpperLegInOut", "upper leg in-out", y, kLeft, {-60, 60}},
    {kLegs, "UpperLeg", "UpperLegTwist", "upper leg twist", x, kUp, {-60, 60}},
    {kLegs, "LowerLeg", "LowerLegStretch", "lower leg stretch", z, kForward, {-160, 0}},
    {kLegs, "LowerLeg", "LowerLegTwist", "lower leg twist", x, kUp, {-90, 90}},
    {kLegs, "Foot", "FootDownUp", "foot down-up", z, kUp, {-50, 50}},
    {kLegs, "Foot", "FootTwist", "foot twist", x, kForward, {-30, 30}},
    {kLegs, "Toes", "ToesDownUp", "toes down-up", z, kUp, {-50, 50}},
    {kArms, "Shoulder", "ShoulderDownUp", "shoulder down-up", z, kUp, {-15, 30}},
    {kArms, "Shoulder", "ShoulderFrontBack", "shoulder front-back", y, kBack, {-15, 15}},
    {kArms, "UpperArm", "ArmDownUp", "arm down-up", z, kUp, {-99, 61}},
    {kArms, "UpperArm", "ArmFrontBack", "arm front-back", y, kBack, {-129, 71}},
    {kArms, "UpperArm", "ArmTwist", "arm twist", x, kRight, {-90, 90}},
    {kArms, "LowerArm", "ForearmStretch", "forearm stretch", z, kBack, {-160, 0}},
    {kArms, "LowerArm", "ForearmTwist", "forearm twist", x, kRight, {-90, 90}},
    {kArms, "Hand", "HandDownUp", "hand down-up", z, kUp, {-80, 80}},
    {kArms, "Hand", "HandInOut", "hand in-out", y, kBack, {-40, 40}},
    {kHands, "ThumbMetacarpal", "Thumb1Stretch", "thumb 1 stretch", z, kUp, {-20, 20}},
    {kHands, "ThumbMetacarpal", "ThumbSpread", "thumb spread", y, kForward, {-25, 25}},
    {kHands, "ThumbProximal", "Thumb2Stretch", "thumb 2 stretch", z, kUp, {-63, 12}},
    {kHands, "ThumbDistal", "Thumb3Stretch", "thumb 3 stretch", z, kUp, {-40, 35}},
    {kHands, "IndexProximal", "Index1Stretch", "index finger 1 stretch", z, kUp, {-83, 17}},
    {kHands, "IndexProximal", "IndexSpread", "index finger spread", y, kForward, {-20, 20}},
    {kHands, "IndexIntermediate", "Index2Stretch", "index finger 2 stretch", z, kUp, {-81, 9}},
    {kHands, "IndexDistal", "Index3Stretch", "index finger 3 stretch", z, kUp, {-45, 45}},
    {kHands, "MiddleProximal", "Middle1Stretch", "middle finger 1 stretch", z, kUp, {-83, 17}},
    {kHands, "MiddleProximal", "MiddleSpread", "middle finger spread", y, kForward, {-7.5, 7.5}},
    {kHands, "MiddleIntermediate", "Middle2Stretch", "middle finger 2 stretch", z, kUp, {-81, 9}},
    {kHands, "MiddleDistal", "Middle3Stretch", "middle finger 3 stretch", z, kUp, {-45, 45}},
    {kHands, "RingProximal", "Ring1Stretch", "ring finger 1 stretch", z, kUp, {-83, 17}},
    {kHands, "RingProximal", "RingSpread", "ring finger spread", y, kBack, {-7.5, 7.5}},
    {kHands, "RingIntermediate", "Ring2Stretch", "ring finger 2 stretch", z, kUp, {-81, 9}},
    {kHands, "RingDistal", "Ring3Stretch", "ring finger 3 stretch", z, kUp, {-45, 45}},
    {kHands, "LittleProximal", "Little1Stretch", "little finger 1 stretch", z, kUp, {-83, 17}},
    {kHands, "LittleProximal", "LittleSpread", "little finger spread", y, kBack, {-20, 20}},
    {kHands, "LittleIntermediate", "Little2Stretch", "little finger 2 stretch", z, kUp, {-81, 9}},
    {kHands, "LittleDistal", "Little3Stretch", "little finger 3 stretch", z, kUp, {-45, 45}},
};

bool has_sides(const Row& row) {
  return human_bone(row.bone) == nullptr;
}

Vec3<double> axis_of(const Row& row) {
  const Vec3<double> direction =
      muscle_direction(has_sides(row) ? "left" + std::string(row.bone) : std::string(row.bone));
  if (row.axis != MuscleAxis::kTwist) return unit(cross(direction, row.towards));
  return dot(direction, row.towards) > 0 ? direction : -1.0 * direction;
}

// The name that the human skeleton has for a bone, which lives as long as the program.
std::string_view human_name(const std::string& bone) {
  return human_bone(bone)->name;
}

std::array<Muscle, kMuscleCount> make_muscles() {
  std::array<Muscle, kMuscleCount> all;
  std::size_t count = 0;
  const auto add = [&](const Row& row, const std::string& side, const Vec3<double>& axis) {
    all[count++] = {side + std::string(row.name),
                    row.label,
                    human_name(side + std::string(row.bone)),
                    row.part,
                    row.axis,
                    axis,
                    row.range};
  };
  for (const Row& row : kRows) {
    const Vec3<double> axis = axis_of(row);
    if (!has_sides(row)) {
      add(row, "", axis);
      continue;
    }
    add(row, "left", axis);
    add(row, "right", {axis.x, -axis.y, -axis.z});  // the mirror at x = 0 turns about this axis
  }
  assert(count == kMuscleCount);
  return all;
}

// The muscles of one bone; null: the bone does not have it.
struct BoneMuscles {
  const Muscle* of_axis[3] = {nullptr, nullptr, nullptr};  // [MuscleAxis]
  const Muscle* operator[](MuscleAxis axis) const { return of_axis[static_cast<int>(axis)]; }
};

const std::array<BoneMuscles, kHumanBones.size()>& muscles_of_bones() {
  static const auto kTable = [] {
    std::array<BoneMuscles, kHumanBones.size()> table;
    for (const Muscle& m : muscles()) {
      table[human_bone_index(m.bone)].of_axis[static_cast<int>(m.axis)] = &m;
    }
    return table;
  }();
  return kTable;
}

Quat<double> rotation_about(const Vec3<double>& axis, double degrees) {
  const auto [s, c] = sin_cos(0.5 * degrees / kDegreesPerRadian);
  return {c, s * axis.x, s * axis.y, s * axis.z};
}

// The twist's axis: of the muscle, or the bone's direction if it does not have the muscle.
Vec3<double> twist_axis(const BoneMuscles& of_bone, std::string_view bone) {
  if (of_bone[x] != nullptr) return of_bone[x]->turns_about;
  const Vec3<double> direction = muscle_direction(bone);
  return without_side(bone).side == BodySide::kRight
             ? Vec3<double>{-direction.x, direction.y, direction.z}
             : direction;
}

void find_degrees(std::string_view bone, const Quat<double>& rotation, PerMuscle<double>& degrees) {
  const BoneMuscles& of_bone = muscles_of_bones()[human_bone_index(bone)];
  const Quat<double> q = rotation.w < 0 ? -1.0 * rotation : rotation;
  const Vec3<double> axis = twist_axis(of_bone, bone);
  const double twist = kDegreesPerRadian * 2 * atan2(dot(vector_part(q), axis), q.w);
  if (of_bone[x] != nullptr) degrees[index_of(*of_bone[x])] = twist;
  const Quat<double> swing = q * rotation_about(axis, -twist);
  const double sine = norm(vector_part(swing));
  if (!(sine > 0)) return;
  const double angle = kDegreesPerRadian * 2 * atan2(sine, swing.w);
  for (const MuscleAxis a : {y, z}) {
    if (of_bone[a] == nullptr) continue;
    degrees[index_of(*of_bone[a])] =
        angle / sine * dot(vector_part(swing), of_bone[a]->turns_about);
  }
}

}  // namespace

const std::array<Muscle, kMuscleCount>& muscles() {
  static const std::array<Muscle, kMuscleCount> kMuscles = make_muscles();
  return kMuscles;
}

const Muscle* muscle(std::string_view name) {
  for (const Muscle& m : muscles()) {
    if (m.name == name) return &m;
  }
  return nullptr;
}

const Muscle& opposite(const Muscle& muscle) {
  const BodySide side = without_side(muscle.bone).side;
  if (side == BodySide::kMiddle) return muscle;
  return side == BodySide::kLeft ? *(&muscle + 1) : *(&muscle - 1);
}

PerMuscle<MuscleRange> ranges_with(const MuscleRanges& given) {
  PerMuscle<MuscleRange> ranges;
  for (const Muscle& m : muscles()) ranges[index_of(m)] = m.range;
  for (const auto& [name, range] : given) ranges[index_of(*muscle(name))] = range;
  return ranges;
}

PerMuscle<double> degrees_of(const PerMuscle<double>& values,
                             const PerMuscle<MuscleRange>& ranges) {
  PerMuscle<double> degrees;
  for (std::size_t m = 0; m < kMuscleCount; ++m) {
    degrees[m] = values[m] * (values[m] < 0 ? -ranges[m].min_deg : ranges[m].max_deg);
  }
  return degrees;
}

PerMuscle<double> values_of(const PerMuscle<double>& degrees,
                            const PerMuscle<MuscleRange>& ranges) {
  PerMuscle<double> values;
  for (std::size_t m = 0; m < kMuscleCount; ++m) {
    const double most = degrees[m] < 0 ? -ranges[m].min_deg : ranges[m].max_deg;
    values[m] = most > 0 ? degrees[m] / most : 0;
  }
  return values;
}

bool has_muscle(std::string_view bone) {
  const BoneMuscles& of_bone = muscles_of_bones()[human_bone_index(bone)];
  return std::any_of(std::begin(of_bone.of_axis), std::end(of_bone.of_axis),
                     [](const Muscle* m) { return m != nullptr; });
}

Quat<double> rotation_of(std::string_view bone, const PerMuscle<double>& degrees) {
  const BoneMuscles& of_bone = muscles_of_bones()[human_bone_index(bone)];
  Vec3<double> swing{0, 0, 0};  // the axis times the angle in degrees
  for (const MuscleAxis a : {y, z}) {
    if (of_bone[a] == nullptr) continue;
    swing = swing + degrees[index_of(*of_bone[a])] * of_bone[a]->turns_about;
  }
  Quat<double> q{1, 0, 0, 0};
  if (const double angle = norm(swing); angle > 0) q = rotation_about((1 / angle) * swing, angle);
  if (of_bone[x] == nullptr) return q;
  return q * rotation_about(of_bone[x]->turns_about, degrees[index_of(*of_bone[x])]);
}

BoneRotations rotations_of(const PerMuscle<double>& degrees) {
  BoneRotations rotations;
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
    if (has_muscle(kHumanBones[b].name)) {
      rotations.bones[b] = rotation_of(kHumanBones[b].name, degrees);
    }
  }
  return rotations;
}

PerMuscle<double> degrees_of(const BoneRotations& rotations) {
  PerMuscle<double> degrees{};
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
    if (rotations.bones[b]) find_degrees(kHumanBones[b].name, *rotations.bones[b], degrees);
  }
  return degrees;
}

}  // namespace skinbake
