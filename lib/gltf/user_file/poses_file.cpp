#include "gltf/user_file/poses_file.h"

#include <array>
#include <cmath>

#include "gltf/document/message_text.h"
#include "gltf/user_file/user_json.h"
#include "humanoid/muscles/muscles.h"
#include "json/json_text.h"
#include "math/scalar.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr std::size_t kMostPoses = 100'000;  // 55 minutes of a pose per frame at 30 fps
constexpr double kLeastHold_s = 1e-3, kMostHold_s = 3600;
constexpr double kLeastLength = 1e-6;  // of a quaternion, below which rounding decides the rotation
constexpr double kMostDegrees = 36'000;
constexpr double kMostHips = 1e6;  // heights of the hips

Quat<double> turn(const Vec3<double>& axis, double degrees) {
  const auto [s, c] = sin_cos(degrees / 2 / 57.29577951308232);
  return {c, s * axis.x, s * axis.y, s * axis.z};
}

class PosesReader {
 public:
  PosesReader(const UserFile& file, const MuscleRanges& ranges)
      : file_(file), ranges_(ranges_with(ranges)) {}

  PosesFile read() {
    const UserJson list = read_user_json(file_);
    if (list.value.empty()) fail_in(file_, "the list of poses", "", "is empty");
    if (list.value.size() > kMostPoses) {
      fail_in(file_, "the list of poses", "",
              "has " + std::to_string(list.value.size()) + " poses, more than " +
                  std::to_string(kMostPoses));
    }
    PosesFile result{{}, list.input};
    result.poses.reserve(list.value.size());
    for (const json& value : list.value) result.poses.push_back(pose(value, result.poses.size()));
    return result;
  }

 private:
  // A value in the file, as messages name it.
  struct Position {
    std::string name;  // "pose 'wave', bone 'head'"
    std::string pointer;
  };

  static Position below(const Position& above, const std::string& kind, const std::string& key) {
    return {above.name + ", " + kind + in_quotes(key), above.pointer + "/" + pointer_token(key)};
  }

  [[noreturn]] void fail(const Position& position, const std::string& message) const {
    fail_in(file_, position.name, position.pointer, message);
  }

  NamedPose pose(const json& value, std::size_t number) {
    Position position{"pose " + std::to_string(number), "/" + std::to_string(number)};
    if (!value.is_object()) fail(position, "is not an object");
    NamedPose pose;
    pose.name = "pose " + std::to_string(number);
    if (const auto name = value.find("name"); name != value.end()) {
      if (!name->is_string()) fail(below(position, "", "name"), "is not a string");
      pose.name = name->get<std::string>();
      if (pose.name.size() > kMostPoseNameBytes) {
        fail(below(position, "", "name"), "is longer than 256 bytes");
      }
      position.name = "pose " + in_quotes(pose.name);
    }
    for (const auto& [key, member] : value.items()) {
      const Position at = below(position, "", key);
      if (key == "name") continue;
      if (key == "hold_s") {
        pose.hold_s = hold(at, member);
      } else if (key == "hips") {
        const auto [x, y, z] = numbers<3>(at, member, kMostHips, "[0, 1, 0]");
        pose.hips = {x, y, z};
      } else if (key == "bones") {
        read_bones(position, at, member, pose.rotations);
      } else if (key != "muscles") {
        fail(at, "is none of name, hold_s, hips, bones and muscles");
      }
    }
    // After the bones, which the muscles must leave alone.
    if (const auto muscles = value.find("muscles"); muscles != value.end()) {
      read_muscles(position, below(position, "", "muscles"), *muscles, pose.rotations);
    }
    return pose;
  }

  double hold(const Position& at, const json& value) const {
    const double seconds = value.is_number() ? value.get<double>() : NAN;
    if (seconds >= kLeastHold_s && seconds <= kMostHold_s) return seconds;
    fail(at, "is not a number from 0.001 to 3600");
  }

  template <std::size_t N>
  std::array<double, N> numbers(const Position& at, const json& value, double most,
                                const char* example) const {
    std::array<double, N> found{};
    bool is_right = value.is_array() && value.size() == N;
    for (std::size_t i = 0; is_right && i < N; ++i) {
      is_right = value[i].is_number();
      if (is_right) found[i] = value[i].get<double>();
      is_right = is_right && std::abs(found[i]) <= most;
    }
    if (is_right) return found;
    fail(at,
         "is not a list of " + std::to_string(N) + " numbers of a usual size, such as " + example);
  }

  void read_bones(const Position& pose, const Position& at, const json& bones,
                  BoneRotations& rotations) const {
    if (!bones.is_object()) fail(at, "is not an object");
    for (const auto& [bone, value] : bones.items()) {
      const Position position{pose.name + ", bone " + in_quotes(bone),
                              at.pointer + "/" + pointer_token(bone)};
      if (human_bone(bone) == nullptr) {
        fail(position, "is not a bone of VRM 1.0");
      }
      rotations.bones[human_bone_index(bone)] = rotation(position, value);
    }
  }

  Quat<double> rotation(const Position& bone, const json& value) const {
    if (!value.is_object() || value.size() != 1 ||
        !(value.contains("rotation") || value.contains("degrees"))) {
      fail(bone, "does not have exactly one of rotation and degrees");
    }
    const auto member = value.begin();
    const Position at = below(bone, "", member.key());
    if (member.key() == "degrees") {
      const auto [x, y, z] = numbers<3>(at, *member, kMostDegrees, "[0, 0, 90]");
      return turn({0, 1, 0}, y) * (turn({1, 0, 0}, x) * turn({0, 0, 1}, z));
    }
    const auto [x, y, z, w] = numbers<4>(at, *member, 1 / kLeastLength, "[0, 0, 0, 1]");
    const Quat<double> q{w, x, y, z};
    if (!(norm(q) >= kLeastLength)) {
      fail(at, "is zero, which is no rotation");
    }
    return (1 / norm(q)) * q;
  }

  void read_muscles(const Position& pose, const Position& at, const json& muscles,
                    BoneRotations& rotations) const {
    if (!muscles.is_object()) fail(at, "is not an object");
    PerMuscle<double> values{};
    std::array<bool, kHumanBones.size()> moves{};
    for (const auto& [name, value] : muscles.items()) {
      const Position position{pose.name + ", muscle " + in_quotes(name),
                              at.pointer + "/" + pointer_token(name)};
      const Muscle* known = muscle(name);
      if (known == nullptr) {
        fail(position, "does not exist");
      }
      const std::size_t bone = human_bone_index(known->bone);
      if (rotations.bones[bone]) {
        fail(position, "turns bone " + in_quotes(std::string(known->bone)) +
                           ", which has a rotation in the same pose");
      }
      const double number = value.is_number() ? value.get<double>() : NAN;
      if (!(std::abs(number) <= 1)) {
        fail(position, "is not a number from -1 to 1");
      }
      values[index_of(*known)] = number;
      moves[bone] = true;
    }
    const PerMuscle<double> degrees = degrees_of(values, ranges_);
    for (std::size_t b = 0; b < moves.size(); ++b) {
      if (moves[b]) rotations.bones[b] = rotation_of(kHumanBones[b].name, degrees);
    }
  }

  const UserFile& file_;
  PerMuscle<MuscleRange> ranges_;
};

}  // namespace

PosesFile load_poses_file(const std::string& path, const MuscleRanges& ranges) {
  const UserFile file{path, "the file of poses", "POSES_INVALID", JsonForm::kList};
  return PosesReader(file, ranges).read();
}

}  // namespace skinbake::gltf
