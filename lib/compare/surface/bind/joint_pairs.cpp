#include "compare/surface/bind/joint_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "math/scalar.h"

namespace skinbake {
namespace {

constexpr std::uint32_t kUnpaired = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostComparisons = 20'000'000;
constexpr std::size_t kMostNearJoints = std::size_t{1} << 20;  // 16 MiB
constexpr double kJointPlace = 1e-4;  // of the diagonal of the joints' places

using NearJoints = std::tuple<double, std::uint32_t, std::uint32_t>;  // distance, joints

// The joints with a name that no other joint has.
std::map<std::string, std::uint32_t> unique_names(const std::vector<SurfaceJoint>& joints) {
  std::map<std::string, std::uint32_t> names;
  for (std::uint32_t j = 0; j < joints.size(); ++j) {
    if (!joints[j].has_name) continue;
    const auto [at, is_new] = names.emplace(joints[j].name, j);
    if (!is_new) at->second = kUnpaired;
  }
  std::erase_if(names, [](const auto& name) { return name.second == kUnpaired; });
  return names;
}

double diagonal_of_places(const std::vector<SurfaceJoint>& joints) {
  Vec3<double> low = joints.front().rest_position, high = low;
  for (const SurfaceJoint& joint : joints) {
    const Vec3<double>& p = joint.rest_position;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return norm(high - low);
}

// Pairs joints of both sides that do not have ids yet.
class Pairing {
 public:
  Pairing(const std::vector<JointCentre>& a_centres, const std::vector<JointCentre>& b_centres,
          BindSurface& a, BindSurface& b)
      : a_centres_(a_centres), b_centres_(b_centres), a_(a), b_(b) {
    a.joint_ids.assign(a.joints.size(), kUnpaired);
    b.joint_ids.assign(b.joints.size(), kUnpaired);
  }

  void by_name() {
    const auto b_names = unique_names(b_.joints);
    for (const auto& [name, j] : unique_names(a_.joints)) {
      const auto same = b_names.find(name);
      if (same != b_names.end()) pair(j, same->second);
    }
  }

  // Joints that move vertices pair with one another first.
  void by_place() {
    const double near = kJointPlace * diagonal_of_places(a_.joints);
    pair_nearest(unpaired(a_, a_centres_, true), unpaired(b_, b_centres_, true), near);
    pair_nearest(unpaired(a_, a_centres_, false), unpaired(b_, b_centres_, false), near);
    pair_nearest(unpaired(a_, a_centres_, true), unpaired(b_, b_centres_, false), near);
    pair_nearest(unpaired(a_, a_centres_, false), unpaired(b_, b_centres_, true), near);
  }

  void number_rest() {
    for (BindSurface* surface : {&a_, &b_}) {
      for (std::uint32_t& id : surface->joint_ids) {
        if (id == kUnpaired) id = next_++;
      }
    }
    a_.joint_id_count = b_.joint_id_count = next_;
  }

 private:
  // `moving`: those that move vertices, or those that do not.
  static std::vector<std::uint32_t> unpaired(const BindSurface& surface,
                                             const std::vector<JointCentre>& centres, bool moving) {
    std::vector<std::uint32_t> joints;
    for (std::uint32_t j = 0; j < surface.joints.size(); ++j) {
      const bool is_moving = centres[j].weight > 0;
      if (surface.joint_ids[j] == kUnpaired && is_moving == moving) joints.push_back(j);
    }
    return joints;
  }

  void pair_nearest(const std::vector<std::uint32_t>& of_a, const std::vector<std::uint32_t>& of_b,
                    double near) {
    // Files of so many joints without names would need a minute.
    if (of_a.size() * of_b.size() > kMostComparisons) return;
    std::vector<NearJoints> candidates;
    for (const std::uint32_t j : of_a) {
      for (const std::uint32_t k : of_b) {
        const double places = norm(a_.joints[j].rest_position - b_.joints[k].rest_position);
        const std::optional<double> centres = distance(a_centres_[j], b_centres_[k]);
        const double apart = places + centres.value_or(0);
        const bool is_near = places <= near || (centres && *centres <= near);
        if (!is_near || std::isnan(apart)) continue;
        // So many joints at one place cannot be told apart.
        if (candidates.size() == kMostNearJoints) return;
        candidates.push_back({apart, j, k});
      }
    }
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [distance, j, k] : candidates) {
      if (a_.joint_ids[j] == kUnpaired && b_.joint_ids[k] == kUnpaired) pair(j, k);
    }
  }

  // None if a joint moves no vertex: it has no centre.
  static std::optional<double> distance(const JointCentre& a, const JointCentre& b) {
    if (!(a.weight > 0) || !(b.weight > 0)) return {};
    const double apart = norm((1 / a.weight) * a.sum - (1 / b.weight) * b.sum);
    return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
  }

  void pair(std::uint32_t a, std::uint32_t b) { a_.joint_ids[a] = b_.joint_ids[b] = next_++; }

  const std::vector<JointCentre>& a_centres_;
  const std::vector<JointCentre>& b_centres_;
  BindSurface& a_;
  BindSurface& b_;
  std::uint32_t next_ = 0;
};

}  // namespace

void pair_joints(const std::vector<JointCentre>& a_centres,
                 const std::vector<JointCentre>& b_centres, BindSurface& a, BindSurface& b) {
  Pairing pairing(a_centres, b_centres, a, b);
  pairing.by_name();
  pairing.by_place();
  pairing.number_rest();
}

}  // namespace skinbake
