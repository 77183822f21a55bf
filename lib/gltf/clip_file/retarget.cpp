#include "gltf/clip_file/retarget.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gltf/document/memory.h"
#include "math/polar.h"
#include "math/scalar.h"
#include "rig/rest_pose.h"

namespace skinbake::gltf {

namespace {

using Bones = std::map<std::string, NodeIndex>;

// VRM defines 55 bones. A larger map does not describe a humanoid, and matching it could take very
// long.
constexpr std::size_t kMostBones = 64;

// Hips below this height do not indicate the size of a body: their node is the root, or the file is
// damaged.
constexpr double kLeastHeight_m = 0.01;

Bones bones_of(const std::vector<HumanoidBone>& humanoid) {
  if (humanoid.size() > kMostBones) return {};
  Bones bones;
  for (const HumanoidBone& entry : humanoid) bones.emplace(entry.bone, entry.node);
  return bones;
}

Quat<double> rotation_of(const Affine<double>& m) {
  return to_quat(polar_factors(m).rotation);
}

Quat<double> conjugate(const Quat<double>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

// The horizontal vector from the right to the left thigh; zero if the map does not have both.
Vec3<double> to_the_left(const Skeleton& skeleton, const Bones& bones) {
  const auto left = bones.find("leftUpperLeg"), right = bones.find("rightUpperLeg");
  if (left == bones.end() || right == bones.end()) return {0, 0, 0};
  const Vec3<double> offset = scene_at_rest(skeleton, left->second).translation -
                              scene_at_rest(skeleton, right->second).translation;
  return {offset.x, 0, offset.z};
}

// An affine map of keys of `width` numbers: a matrix by columns, and a vector that is added to
// values but not to tangents.
struct KeyMap {
  std::size_t width = 0;
  double columns[4][4]{};
  double added[4]{};

  void apply(const double* from, bool is_value, double* to) const {
    for (std::size_t row = 0; row < width; ++row) {
      double sum = is_value ? added[row] : 0;
      for (std::size_t c = 0; c < width; ++c) sum += columns[c][row] * from[c];
      to[row] = sum;
    }
  }
};

// q -> left q right, for x y z w.
KeyMap rotation_map(const Quat<double>& left, const Quat<double>& right) {
  KeyMap map;
  map.width = 4;
  const Quat<double> units[] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}};
  for (std::size_t c = 0; c < 4; ++c) {
    const Quat<double> q = left * units[c] * right;
    const double column[] = {q.x, q.y, q.z, q.w};
    std::copy_n(column, 4, map.columns[c]);
  }
  return map;
}

KeyMap translation_map(const Affine<double>& m) {
  KeyMap map;
  map.width = 3;
  const Vec3<double> columns[] = {m.x, m.y, m.z};
  for (std::size_t c = 0; c < 3; ++c) {
    const double column[] = {columns[c].x, columns[c].y, columns[c].z};
    std::copy_n(column, 3, map.columns[c]);
  }
  const double added[] = {m.translation.x, m.translation.y, m.translation.z};
  std::copy_n(added, 3, map.added);
  return map;
}

Channel mapped(const Channel& channel, const KeyMap& map) {
  const bool cubic = channel.interpolation == Interpolation::kCubicSpline;
  std::vector<double> values(channel.values->size());
  for (std::size_t i = 0, k = 0; i < values.size(); i += map.width, ++k) {
    map.apply(&(*channel.values)[i], !cubic || k % 3 == 1, &values[i]);
  }
  Channel result = channel;
  result.values = std::make_shared<const std::vector<double>>(std::move(values));
  return result;
}

}  // namespace

HumanoidRetarget::HumanoidRetarget(const ClipFile& file, const Asset& rig)
    : file_(file), rig_(rig) {
  const Bones from = bones_of(file.humanoid.bones), to = bones_of(rig.humanoid.bones);
  if (from.empty() || to.empty()) return;
  for (const auto& [bone, node] : from) {
    const auto found = to.find(bone);
    target_.emplace(node, found == to.end() ? -1 : found->second);
  }
  is_turned_ = dot(to_the_left(*file.skeleton, from), to_the_left(*rig.skeleton, to)) < 0;
  const auto hips = from.find("hips"), hips_of_rig = to.find("hips");
  if (hips == from.end() || hips_of_rig == to.end()) return;
  hips_ = hips->second;
  const double height = scene_at_rest(*file.skeleton, hips_).translation.y;
  const double height_of_rig = scene_at_rest(*rig.skeleton, hips_of_rig->second).translation.y;
  const double ratio = height_of_rig / height;
  is_scaled_ = height >= kLeastHeight_m && height_of_rig >= kLeastHeight_m && std::isfinite(ratio);
  if (is_scaled_) height_ratio_ = ratio;
}

std::optional<NodeIndex> HumanoidRetarget::target(NodeIndex clip_node) const {
  const auto found = target_.find(clip_node);
  return found == target_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Channel> HumanoidRetarget::retargeted(const Channel& channel, NodeIndex target) {
  const bool is_rotation = channel.path == ChannelPath::kRotation;
  const bool is_hips = channel.path == ChannelPath::kTranslation && channel.node == hips_;
  if (!is_rotation && !is_hips) return std::nullopt;
  bytes_ = saturated_sum(bytes_, saturated_product(channel.values->size(), sizeof(double)));
  if (bytes_ > file_.memory_left) {
    throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
                "the clip's keys, converted to the frames of the rig, exceed the memory that the "
                "limit leaves; raise the limit, or cut the clip",
                {file_.path, "/nodes/" + std::to_string(channel.node)});
  }
  const Skeleton& from = *file_.skeleton;
  const Skeleton& to = *rig_.skeleton;
  const Affine<double> above = scene_at_rest(from, from.base_of(channel.node));
  const Affine<double> above_rig = scene_at_rest(to, to.base_of(target));
  const Quat<double> turn = is_turned_ ? Quat<double>{0, 0, 1, 0} : Quat<double>{1, 0, 0, 0};
  if (is_hips) {
    const Affine<double> turned = height_ratio_ * to_affine(turn, Vec3<double>{0, 0, 0});
    return mapped(channel, translation_map(inverse(above_rig) * turned * above));
  }
  const Quat<double> left = conjugate(rotation_of(above_rig)) * turn * rotation_of(above);
  const Quat<double> right = conjugate(rotation_of(scene_at_rest(from, channel.node))) *
                             conjugate(turn) * rotation_of(scene_at_rest(to, target));
  return mapped(channel, rotation_map(left, right));
}

}  // namespace skinbake::gltf
