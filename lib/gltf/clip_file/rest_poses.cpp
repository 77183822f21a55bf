#include "gltf/clip_file/rest_poses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "gltf/document/message_text.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "rig/rest_pose.h"

namespace skinbake::gltf {

namespace {

constexpr double kTolerance_deg = 0.1;
constexpr std::size_t kListed = 10;
// Scales, and metres: ten times the rounding of a float that is near 1.
constexpr double kRestTolerance = 1e-6;

struct Difference {
  NodeIndex node;  // of the rig
  double degrees, metres;
};

// A channel replaces the rotation of a node and keeps its scale, so a scale that mirrors is no
// rotation. A matrix does not tell the two apart: then both nodes are factorised alike.
std::pair<Quat<double>, Quat<double>> rest_rotations(const Node& from, const Node& to) {
  if (!from.matrix && !to.matrix) return {from.rotation, to.rotation};
  const auto factor = [](const Node& node) {
    return to_quat(polar_factors(local_at_rest(node)).rotation);
  };
  return {factor(from), factor(to)};
}

Difference difference_of(const Node& from, const Node& to, NodeIndex node) {
  const Affine<double> a = local_at_rest(from), b = local_at_rest(to);
  const auto [p, q] = rest_rotations(from, to);
  const double apart = norm(p - q), together = norm(p + q);
  const double half = atan2(std::min(apart, together), std::max(apart, together));
  return {node, 4 * half * 57.29577951308232, norm(b.translation - a.translation)};
}

std::string described(const Difference& difference, const Skeleton& rig) {
  const std::string& name = rig.nodes[static_cast<std::size_t>(difference.node)].name;
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), " by %.1f degrees and %.3g m", difference.degrees,
                difference.metres);
  return (name.empty() ? "#" + std::to_string(difference.node) : in_quotes(name)) + text.data();
}

}  // namespace

std::string rest_differences(const Skeleton& from, const Skeleton& to,
                             std::span<const NodePair> pairs) {
  std::vector<Difference> found;
  for (const NodePair& pair : pairs) {
    const Difference difference =
        difference_of(from.nodes[static_cast<std::size_t>(pair.from)],
                      to.nodes[static_cast<std::size_t>(pair.to)], pair.to);
    if (difference.degrees > kTolerance_deg) found.push_back(difference);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Difference& a, const Difference& b) { return a.degrees > b.degrees; });
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kListed); ++i) {
    text += (text.empty() ? "" : ", ") + described(found[i], to);
  }
  if (found.size() > kListed) text += " and " + std::to_string(found.size() - kListed) + " more";
  return text;
}

bool keeps_rest(const Channel& channel, const Skeleton& skeleton) {
  const Node& rest = skeleton.nodes[static_cast<std::size_t>(channel.node)];
  if (channel.path == ChannelPath::kWeights || rest.matrix) return false;
  const bool is_scale = channel.path == ChannelPath::kScale;
  const Vec3<double>& at_rest = is_scale ? rest.scale : rest.translation;
  const double numbers[] = {at_rest.x, at_rest.y, at_rest.z};
  const bool is_cubic = channel.interpolation == Interpolation::kCubicSpline;
  const std::vector<double>& values = *channel.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_tangent = is_cubic && i / 3 % 3 != 1;
    const double expected = is_tangent ? 0 : numbers[i % 3];
    if (!(std::abs(values[i] - expected) <= kRestTolerance)) return false;
  }
  return true;
}

}  // namespace skinbake::gltf
