#include "gltf/clip_file/rest_poses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "gltf/document/message_text.h"
#include "humanoid/pose/human_pose.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "rig/rest_pose.h"

namespace skinbake::gltf {

namespace {

constexpr double kTolerance_deg = 0.1;
// Of a bone's length, and of a scale: exporters round, and rest poses are measured by hand.
constexpr double kTolerance = 0.01;
constexpr double kTolerance_diagonals = 1e-3;  // of joints that lie at their parent
constexpr std::size_t kListed = 10;
// Of the greatest number of a value, or of 1: ten times the rounding of a float.
constexpr double kRestTolerance = 1e-6;
constexpr double kMostProportion = 10;  // characters whose sizes differ more are in other units

const Node& node_of(const RestFrames& rest, NodeIndex node) {
  return rest.skeleton.nodes[static_cast<std::size_t>(node)];
}

Vec3<double> translation_of(const RestFrames& rest, NodeIndex node) {
  const Node& n = node_of(rest, node);
  return n.matrix ? n.matrix->translation : n.translation;
}

const Affine<double>& scene_above(const RestFrames& rest, NodeIndex node) {
  const NodeIndex above = rest.skeleton.base_of(node);
  return above < 0 ? kIdentity : rest.scene[static_cast<std::size_t>(above)];
}

Quat<double> rotation_above(const RestFrames& rest, NodeIndex node) {
  const NodeIndex above = rest.skeleton.base_of(node);
  return above < 0 ? Quat<double>{1, 0, 0, 0} : rest.rotations[static_cast<std::size_t>(above)];
}

// The length in the scene of a unit of the node's translation, if the nodes above scale evenly.
double unit_of(const RestFrames& rest, NodeIndex node) {
  const Affine<double>& m = scene_above(rest, node);
  return std::sqrt((dot(m.x, m.x) + dot(m.y, m.y) + dot(m.z, m.z)) / 3);
}

// A channel replaces the rotation of a node and keeps its scale, so a scale that mirrors is no
// rotation. A matrix does not tell the two apart: then both nodes are factorised alike.
std::pair<Quat<double>, Quat<double>> rest_rotations(const Node& from, const Node& to) {
  if (!from.matrix && !to.matrix) return {from.rotation, to.rotation};
  const auto factor = [](const Node& node) {
    return to_quat(polar_factors(local_at_rest(node)).rotation);
  };
  return {factor(from), factor(to)};
}

double degrees_between(const std::pair<Quat<double>, Quat<double>>& rotations) {
  const double apart = norm(rotations.first - rotations.second);
  const double together = norm(rotations.first + rotations.second);
  return 4 * atan2(std::min(apart, together), std::max(apart, together)) * 57.29577951308232;
}

// The quotients of two scales by component; 1 where they are not numbers.
Vec3<double> ratio_of(const Vec3<double>& to, const Vec3<double>& from) {
  const auto ratio = [](double a, double b) { return std::isfinite(a / b) ? a / b : 1; };
  return {ratio(to.x, from.x), ratio(to.y, from.y), ratio(to.z, from.z)};
}

bool is_near(double a, double b) {
  return std::abs(a - b) <= kTolerance * std::abs(b);
}

bool is_positive(double ratio) {
  return std::isfinite(ratio) && ratio > 0;
}

bool is_proportion(double ratio) {
  return ratio >= 1 / kMostProportion && ratio <= kMostProportion;
}

// The diagonal of the box around nodes at rest in the scene; of a single place its distance from
// the origin.
double size_of(const RestFrames& rest, std::span<const NodePair> pairs, NodeIndex NodePair::*node) {
  const auto place = [&](const NodePair& pair) {
    return rest.scene[static_cast<std::size_t>(pair.*node)].translation;
  };
  Vec3<double> low = place(pairs.front()), high = low;
  for (const NodePair& pair : pairs) {
    const Vec3<double> p = place(pair);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const double diagonal = norm(high - low);
  return diagonal > 0 ? diagonal : norm(low);
}

// The ratio of the summed lengths of the bones, in which errors of single bones cancel out.
double length_ratio(const RestFrames& from, const RestFrames& to, std::span<const NodePair> pairs) {
  double from_m = 0, to_m = 0;
  for (const NodePair& pair : pairs) {
    from_m += unit_of(from, pair.from) * norm(translation_of(from, pair.from));
    to_m += unit_of(to, pair.to) * norm(translation_of(to, pair.to));
  }
  return from_m == 0 && to_m == 0 ? 1 : to_m / from_m;
}

// The ratio of the sizes of the rig's character and the clip's: of the rest heights of the topmost
// partner that moves above the ground, as the hips of a body do; else of the boxes around them.
// `scenes` turns the clip's scene to the rig's.
double size_ratio(const RestFrames& from, const RestFrames& to, std::span<const NodePair> pairs,
                  const Quat<double>& scenes) {
  const double from_m = size_of(from, pairs, &NodePair::from);
  const double to_m = size_of(to, pairs, &NodePair::to);
  double ratio = to_m / from_m;
  std::size_t topmost = from.rank.size();
  for (const NodePair& pair : pairs) {
    const auto a = static_cast<std::size_t>(pair.from), b = static_cast<std::size_t>(pair.to);
    const double height = rotated(scenes, from.scene[a].translation).y;
    const double of_rig = to.scene[b].translation.y;
    const bool is_above = height > kTolerance * from_m && of_rig > kTolerance * to_m;
    if (!pair.moves || !is_above || from.rank[a] >= topmost) continue;
    topmost = from.rank[a];
    ratio = of_rig / height;
  }
  return is_positive(ratio) ? ratio : 1;
}

}  // namespace

RestFrames::RestFrames(const Skeleton& of)
    : skeleton(of), scene(of.nodes.size()), rank(of.nodes.size()) {
  std::vector<Quat<double>> locals;
  for (const Node& node : of.nodes) locals.push_back(rotation_at_rest(node));
  rotations = scene_rotations(of, locals);
  for (std::size_t i = 0; i < of.order.size(); ++i) {
    const auto n = static_cast<std::size_t>(of.order[i]);
    rank[n] = i;
    scene[n] = scene_above(*this, of.order[i]) * local_at_rest(of.nodes[n]);
  }
}

RestComparison::RestComparison(const RestFrames& from, const RestFrames& to,
                               std::span<const NodePair> pairs, std::span<const NodePair> below)
    : from_(from), to_(to), pairs_(pairs) {
  if (pairs.empty()) return;
  diagonal_m_ = size_of(to, pairs, &NodePair::to);
  bool has_rig_lengths = false, has_scale_above = false;
  for (const NodePair& pair : pairs) {
    const Quat<double> rotation = rotation_at_rest(node_of(from, pair.from));
    moves_ = moves_ || pair.moves;
    has_lengths_ = has_lengths_ || norm(translation_of(from, pair.from)) > 0;
    has_rig_lengths = has_rig_lengths || norm(translation_of(to, pair.to)) > 0;
    has_scale_above = has_scale_above || !is_near(unit_of(from, pair.from), 1);
    has_rotations_ = has_rotations_ || norm(vector_part(rotation)) > 0;
  }
  has_unit_ = has_lengths_ || !has_rig_lengths || has_scale_above;
  const double ratio_below = length_ratio(from, to, below);
  const bool is_unit_below = is_positive(ratio_below) && !is_proportion(ratio_below);
  if (!has_lengths_ && !has_rig_lengths && is_unit_below) size_ratio_ = ratio_below;
  const auto agree = [&](const NodePair& pair) { return agrees(pair, 1) && has_scale(pair); };
  if (std::all_of(pairs.begin(), pairs.end(), agree)) return;
  if (has_lengths_) size_ratio_ = length_ratio(from, to, pairs);
  const auto fit = [&](const NodePair& pair) {
    return agrees(pair, factor(pair)) && has_unit(pair);
  };
  if (std::all_of(pairs.begin(), pairs.end(), fit)) {
    relation_ = Relation::kUnit;
    return;
  }
  relation_ = Relation::kOther;
  const NodePair& top =
      *std::min_element(pairs.begin(), pairs.end(), [&](const NodePair& a, const NodePair& b) {
        return from.rank[static_cast<std::size_t>(a.from)] <
               from.rank[static_cast<std::size_t>(b.from)];
      });
  // A node above the skeleton that one file lacks, as an armature, does not turn the axes.
  if (degrees_between(rest_rotations(node_of(from, top.from), node_of(to, top.to))) <=
      kTolerance_deg) {
    scenes_ = rotation_above(to, top.to) * conjugate(rotation_above(from, top.from));
  }
  if (has_lengths_) size_ratio_ = size_ratio(from, to, pairs, scenes_);
}

// What a translation of the clip is multiplied by for the rig's node.
double RestComparison::factor(const NodePair& pair) const {
  return size_ratio_ * unit_of(from_, pair.from) / unit_of(to_, pair.to);
}

// Whether the rotations agree and, multiplied by the factor, the translations.
bool RestComparison::agrees(const NodePair& pair, double factor) const {
  const Node &from = node_of(from_, pair.from), &to = node_of(to_, pair.to);
  if (pair.turns && !(degrees_between(rest_rotations(from, to)) <= kTolerance_deg)) return false;
  if (!moves_ || !has_unit_) return true;
  if (!has_lengths_) {
    const double unit = this->factor(pair);
    return !pair.moves || !is_positive(unit) || is_near(factor, unit);
  }
  const Vec3<double> t = translation_of(to_, pair.to);
  const double apart = norm(t - factor * translation_of(from_, pair.from));
  return apart * unit_of(to_, pair.to) <= tolerance_m(pair);
}

double RestComparison::tolerance_m(const NodePair& pair) const {
  const double bone_m = unit_of(to_, pair.to) * norm(translation_of(to_, pair.to));
  return std::max(kTolerance * bone_m, kTolerance_diagonals * diagonal_m_);
}

bool RestComparison::has_scale(const NodePair& pair) const {
  const Vec3<double>&a = node_of(from_, pair.from).scale, &b = node_of(to_, pair.to).scale;
  return !pair.scales || (is_near(a.x, b.x) && is_near(a.y, b.y) && is_near(a.z, b.z));
}

// Whether units can be the cause of the pair's scales: neither file mirrors what the other does
// not, and the pair's own scales differ evenly.
bool RestComparison::has_unit(const NodePair& pair) const {
  const bool is_mirrored = determinant(scene_above(from_, pair.from)) < 0;
  if (is_mirrored != (determinant(scene_above(to_, pair.to)) < 0)) return false;
  if (!has_unit_ || !is_positive(factor(pair))) return !moves_;
  if (!pair.scales) return true;
  const Vec3<double> ratio = ratio_of(node_of(to_, pair.to).scale, node_of(from_, pair.from).scale);
  return ratio.x > 0 && is_near(ratio.y, ratio.x) && is_near(ratio.z, ratio.x);
}

// A: from the axes of the node above in the clip's file to those of the node above in the rig.
Quat<double> RestComparison::axes(const NodePair& pair) const {
  return conjugate(rotation_above(to_, pair.to)) * scenes_ * rotation_above(from_, pair.from);
}

KeyChange RestComparison::change(const NodePair& pair) const {
  KeyChange change;
  if (relation_ == Relation::kSame) return change;
  const Node &from = node_of(from_, pair.from), &to = node_of(to_, pair.to);
  change.stretch = ratio_of(to.scale, from.scale);
  const double ratio = is_positive(factor(pair)) ? factor(pair) : 1;
  if (has_unit_) change.place = ratio * kIdentity;
  if (relation_ == Relation::kUnit) return change;
  const Quat<double> a = axes(pair);
  if (has_lengths_) {
    change.place = ratio * to_affine(a, Vec3<double>{0, 0, 0});
    change.place.translation =
        translation_of(to_, pair.to) - rotate(change.place, translation_of(from_, pair.from));
  }
  if (has_lengths_ || has_rotations_) {
    const auto [r, r_of_rig] = rest_rotations(from, to);
    change.before = a;
    change.after = conjugate(r) * conjugate(a) * r_of_rig;
  }
  return change;
}

std::string RestComparison::unit_text() const {
  if (relation_ == Relation::kSame) return "";
  const bool is_unit = relation_ == Relation::kUnit;
  std::string text;
  for (const NodePair& pair : pairs_) {
    const double ratio = factor(pair);
    if (!pair.moves || !has_unit_ || !is_positive(ratio)) continue;
    if (is_unit ? is_near(ratio, 1) : is_proportion(ratio)) continue;
    std::array<char, 64> factor_text;
    std::snprintf(factor_text.data(), factor_text.size(), "%.4g", ratio);
    text = "its translations are multiplied by " + std::string(factor_text.data());
    break;
  }
  const auto has_same_scale = [&](const NodePair& pair) { return has_scale(pair); };
  if (!is_unit || std::all_of(pairs_.begin(), pairs_.end(), has_same_scale)) return text;
  return text + (text.empty() ? "" : ", and ") + "its scales are relative to the rest pose";
}

// How a pair's rest poses differ, in the rig's scene.
struct RestComparison::Difference {
  NodeIndex node = -1;  // of the rig
  double degrees = 0, metres = 0;
  bool is_found = false;
};

RestComparison::Difference RestComparison::difference_of(const NodePair& pair) const {
  const Node &from = node_of(from_, pair.from), &to = node_of(to_, pair.to);
  const double unit = is_proportion(size_ratio_) ? 1 : size_ratio_;
  const Vec3<double> t =
      unit * unit_of(from_, pair.from) *
      rotate(to_affine(axes(pair), Vec3<double>{0, 0, 0}), translation_of(from_, pair.from));
  const double metres = norm(unit_of(to_, pair.to) * translation_of(to_, pair.to) - t);
  Difference difference{pair.to, degrees_between(rest_rotations(from, to)),
                        std::isnan(metres) ? HUGE_VAL : metres};  // of numbers beyond doubles
  const bool is_far = moves_ && has_lengths_ && !(difference.metres <= tolerance_m(pair));
  difference.is_found =
      (pair.turns && !(difference.degrees <= kTolerance_deg)) || is_far || !has_scale(pair);
  return difference;
}

std::string RestComparison::differences() const {
  std::vector<Difference> found;
  for (const NodePair& pair : pairs_) {
    const Difference difference = difference_of(pair);
    if (difference.is_found) found.push_back(difference);
  }
  std::stable_sort(found.begin(), found.end(), [](const Difference& a, const Difference& b) {
    const bool turn = std::max(a.degrees, b.degrees) > kTolerance_deg;
    return turn ? a.degrees > b.degrees : a.metres > b.metres;
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kListed); ++i) {
    const std::string& name = node_of(to_, found[i].node).name;
    std::array<char, 64> numbers;
    std::snprintf(numbers.data(), numbers.size(), " by %.1f degrees and %.3g m", found[i].degrees,
                  found[i].metres);
    text += (text.empty() ? "" : ", ") +
            (name.empty() ? "#" + std::to_string(found[i].node) : in_quotes(name)) + numbers.data();
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
  const double greatest =
      std::max({1.0, std::abs(numbers[0]), std::abs(numbers[1]), std::abs(numbers[2])});
  const bool is_cubic = channel.interpolation == Interpolation::kCubicSpline;
  const std::vector<double>& values = *channel.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_tangent = is_cubic && i / 3 % 3 != 1;
    const double expected = is_tangent ? 0 : numbers[i % 3];
    if (!(std::abs(values[i] - expected) <= kRestTolerance * greatest)) return false;
  }
  return true;
}

}  // namespace skinbake::gltf
