#include "compare/surface/joint_pairs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "math/scalar.h"

namespace skinbake {
namespace {

constexpr std::uint32_t kUnpaired = std::numeric_limits<std::uint32_t>::max();
constexpr double kJointPlace = 1e-4;  // of the diagonal of the joints' places

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
  Pairing(BindSurface& a, BindSurface& b) : a_(a), b_(b) {
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

  void by_place() {
    const double near = kJointPlace * diagonal_of_places(a_.joints);
    for (std::uint32_t j = 0; j < a_.joints.size(); ++j) {
      if (a_.joint_ids[j] != kUnpaired) continue;
      for (std::uint32_t k = 0; k < b_.joints.size(); ++k) {
        if (b_.joint_ids[k] != kUnpaired) continue;
        if (norm(a_.joints[j].rest_position - b_.joints[k].rest_position) > near) continue;
        pair(j, k);
        break;
      }
    }
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
  void pair(std::uint32_t a, std::uint32_t b) { a_.joint_ids[a] = b_.joint_ids[b] = next_++; }

  BindSurface& a_;
  BindSurface& b_;
  std::uint32_t next_ = 0;
};

}  // namespace

void pair_joints(BindSurface& a, BindSurface& b) {
  Pairing pairing(a, b);
  pairing.by_name();
  pairing.by_place();
  pairing.number_rest();
}

}  // namespace skinbake
