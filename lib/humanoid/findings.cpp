#include "humanoid/findings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <set>
#include <utility>

#include "base/issue.h"
#include "rig/rest_pose.h"

namespace skinbake {

namespace {

// Scales are rounded to single precision by exporters.
constexpr double kEvenScale = 1e-3;
// A bone counts as being on the other side beyond this part of the hips' height.
constexpr double kSideTolerance = 0.01;

std::string in_degrees(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

bool is_finite(const CharacterFrame& frame) {
  const auto finite = [](const Vec3<double>& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
  };
  return finite(frame.left) && finite(frame.up) && finite(frame.forward);
}

bool is_negative(const Node& node) {
  if (node.matrix) return determinant(*node.matrix) < 0;
  return node.scale.x < 0 || node.scale.y < 0 || node.scale.z < 0;
}

// The nodes above bones that have a negative scale, in ascending order.
std::vector<NodeIndex> negative_above(const Skeleton& skeleton,
                                      const std::vector<HumanoidBone>& bones) {
  std::vector<char> is_above(skeleton.nodes.size());
  for (const HumanoidBone& bone : bones) {
    NodeIndex n = skeleton.base_of(bone.node);
    while (n >= 0 && !is_above[static_cast<std::size_t>(n)]) {
      is_above[static_cast<std::size_t>(n)] = 1;
      n = skeleton.base_of(n);
    }
  }
  std::vector<NodeIndex> found;
  for (std::size_t n = 0; n < is_above.size(); ++n) {
    if (is_above[n] && is_negative(skeleton.nodes[n])) found.push_back(static_cast<NodeIndex>(n));
  }
  return found;
}

Issue scale_above(const std::vector<NodeIndex>& nodes, const std::string& file) {
  const std::string first = std::to_string(nodes.front()), more = std::to_string(nodes.size() - 1);
  return make_issue("HUMANOID_SCALE", file, "/nodes/" + first,
                    "node " + first + (nodes.size() == 1 ? " has" : " and " + more + " more have") +
                        " a negative scale above bones of the human body, which mirrors or turns "
                        "them: their poses are wrong",
                    static_cast<std::int64_t>(nodes.size()));
}

class Findings {
 public:
  Findings(const Skeleton& skeleton, const HumanoidMap& map, std::string file)
      : tree_(skeleton),
        map_(tree_, map.bones),
        body_(humanoid_body(tree_, map)),
        source_(map.source),
        file_(std::move(file)) {}

  Issues run() {
    for (const std::string_view bone : body_.missing) {
      note("HUMANOID_BONE_MISSING", -1,
           "the humanoid map (" + source_ + ") does not have the bone '" + std::string(bone) + "'");
    }
    for (const HumanoidBone& bone : map_.bones()) {
      check_parent(bone);
      check_scale(bone);
    }
    check_scales_above();
    if (body_.pose) {
      check_hips();
      check_sides();
      check_rest_pose();
      check_rolls();
    }
    return std::move(issues_);
  }

 private:
  void note(std::string_view code, NodeIndex node, std::string message) {
    const std::string pointer = node < 0 ? "" : "/nodes/" + std::to_string(node);
    issues_.push_back(make_issue(code, file_, pointer, std::move(message)));
  }

  void check_parent(const HumanoidBone& bone) {
    const std::string_view parent = map_.parent_of(bone.bone);
    if (parent.empty() || tree_.is_below(bone.node, map_.node(parent))) return;
    note("HUMANOID_BONE_MISPLACED", bone.node,
         "bone '" + bone.bone + "' is not below bone '" + std::string(parent) + "', node " +
             std::to_string(map_.node(parent)));
  }

  void check_scale(const HumanoidBone& bone) {
    const Affine<double> local = local_at_rest(tree_.node(bone.node));
    const double x = norm(local.x), y = norm(local.y), z = norm(local.z);
    const double largest = std::max({x, y, z}), smallest = std::min({x, y, z});
    const bool negative = is_negative(tree_.node(bone.node));
    if (!negative && largest - smallest <= kEvenScale * largest) return;
    note("HUMANOID_SCALE", bone.node,
         "bone '" + bone.bone + "' has " + (negative ? "a negative" : "an uneven") + " scale");
  }

  void check_scales_above() {
    std::set<NodeIndex> bones;
    for (const HumanoidBone& bone : map_.bones()) bones.insert(bone.node);
    std::vector<NodeIndex> nodes = negative_above(tree_.skeleton(), map_.bones());
    std::erase_if(nodes, [&](NodeIndex n) { return bones.contains(n); });
    if (!nodes.empty()) issues_.push_back(scale_above(nodes, file_));
  }

  void check_hips() {
    if (body_.hips_height_m > 0) return;
    note("HUMANOID_HIPS_LOW", map_.node("hips"), "bone 'hips' is not above the ground at rest");
  }

  // By construction the upper arms and legs together are on their sides, so one limb that is not is
  // swapped alone. If all are swapped, the character looks backward.
  void check_sides() {
    const CharacterFrame& frame = body_.pose->frame;
    const Vec3<double> middle = tree_.position(map_.node("hips"));
    const double tolerance = kSideTolerance * std::abs(body_.hips_height_m);
    Vec3<double> toes{0, 0, 0};
    for (const HumanoidBone& bone : map_.bones()) {
      const SidedBone sided = without_side(bone.bone);
      if (sided.bone == "Toes") {
        const NodeIndex foot = map_.node(map_.parent_of(bone.bone));
        toes = toes + tree_.position(bone.node) - tree_.position(foot);
      }
      const bool is_limb = sided.bone.ends_with("Arm") || sided.bone.ends_with("Leg");
      if (!is_limb) continue;
      const double left = dot(tree_.position(bone.node) - middle, frame.left);
      if ((sided.side == BodySide::kLeft ? left : -left) >= -tolerance) continue;
      note("HUMANOID_SIDES_SWAPPED", bone.node,
           "bone '" + bone.bone + "' is on the other side of the body");
    }
    if (dot(toes, frame.forward) < -tolerance) {
      note("HUMANOID_SIDES_SWAPPED", map_.node("hips"), "the toes point backward");
    }
  }

  void check_rest_pose() {
    const TPosedBone* worst = nullptr;
    int count = 0;
    const auto excess = [](const TPosedBone& b) { return *b.degrees_off - b.tolerance_deg; };
    for (const TPosedBone& bone : body_.pose->bones) {
      if (!bone.degrees_off || !(excess(bone) > 0)) continue;
      ++count;
      if (worst == nullptr || excess(bone) > excess(*worst)) worst = &bone;
    }
    if (worst == nullptr) return;
    note("HUMANOID_REST_POSE", worst->node,
         std::to_string(count) + (count == 1 ? " bone is" : " bones are") +
             " away from the T-pose; the farthest is '" + std::string(worst->bone) + "', by " +
             in_degrees(*worst->degrees_off) + " degrees");
  }

  void check_rolls() {
    std::string bones;
    NodeIndex first = -1;
    for (const TPosedBone& bone : body_.pose->bones) {
      if (bone.is_roll_known.value_or(true)) continue;
      bones += (bones.empty() ? "'" : ", '") + std::string(bone.bone) + "'";
      if (first < 0) first = bone.node;
    }
    if (first < 0) return;
    note("HUMANOID_ROLL_UNKNOWN", first,
         "the rest pose does not tell how these bones roll: " + bones);
  }

  const NodeTree tree_;
  const HumanMap map_;
  const HumanoidBody body_;
  const std::string source_, file_;
  Issues issues_;
};

}  // namespace

HumanoidBody humanoid_body(const NodeTree& tree, const HumanoidMap& map) {
  const HumanMap bones(tree, map.bones);
  HumanoidBody body;
  for (const HumanBone& bone : kHumanBones) {
    if (bone.is_required && bones.node(bone.name) < 0) body.missing.push_back(bone.name);
  }
  if (!body.missing.empty()) return body;
  TPose pose = t_pose(tree, bones);
  const Vec3<double>& up = pose.frame.up;
  const auto height = [&](const char* bone) { return dot(tree.position(bones.node(bone)), up); };
  const bool is_grounded = map.source.starts_with("vrm");
  const double ground = is_grounded ? 0 : std::min(height("leftFoot"), height("rightFoot"));
  const double hips_height_m = height("hips") - ground;
  if (!is_finite(pose.frame) || !std::isfinite(hips_height_m)) return body;
  body.hips_height_m = hips_height_m;
  body.pose = std::move(pose);
  return body;
}

Issues negative_scales(const Skeleton& skeleton, const HumanoidMap& map, const std::string& file) {
  const std::vector<NodeIndex> nodes = negative_above(skeleton, map.bones);
  return nodes.empty() ? Issues() : Issues{scale_above(nodes, file)};
}

Issues humanoid_findings(const Skeleton& skeleton, const HumanoidMap& map,
                         const std::string& file) {
  return Findings(skeleton, map, file).run();
}

}  // namespace skinbake
