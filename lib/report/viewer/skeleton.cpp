#include <cmath>
#include <limits>
#include <map>

#include "clip/poses/forward_kinematics.h"
#include "math/scalar.h"
#include "rig/joint_tree.h"
#include "skinbake/tool/report/viewer.h"

namespace skinbake {

namespace {

// A joint of the page, and the first rig that has it.
struct Source {
  const Rig* rig = nullptr;
  JointIndex joint = 0;
};

using JointNumbers = std::map<NodeIndex, int>;  // position in ViewSkeleton::joints

int parent_of(const Rig& rig, NodeIndex node, const JointNumbers& numbers) {
  const std::vector<Node>& nodes = rig.skeleton->nodes;
  do node = nodes[static_cast<std::size_t>(node)].parent;
  while (node >= 0 && !numbers.contains(node));
  return node < 0 ? -1 : numbers.at(node);
}

// A position that is not finite becomes one quiet NaN, so that pages have equal bytes.
float shown(double value) {
  const auto number = static_cast<float>(value);
  return std::isfinite(number) ? number : std::numeric_limits<float>::quiet_NaN();
}

// Evaluates the joints that come from one rig.
void add_positions(const Rig& rig, const Clip* clip, std::span<const Source> sources,
                   const FrameRange& kept, std::vector<float>& positions) {
  PoseSampler sampler(rig, clip, {0, 0, 0});
  SampledPose pose;
  for (std::int64_t k = 0; k < kept.frame_count; ++k) {
    sampler.sample(kept.time_s(k), pose);
    for (std::size_t s = 0; s < sources.size(); ++s) {
      if (sources[s].rig != &rig) continue;
      const JointIndex j = sources[s].joint;
      const Vec3<double> at =
          pose.posed_from_rest[j] * inverse(rig.joints[j].joint_from_model).translation;
      float* const to = positions.data() + (static_cast<std::size_t>(k) * sources.size() + s) * 3;
      to[0] = shown(at.x);
      to[1] = shown(at.y);
      to[2] = shown(at.z);
    }
  }
}

}  // namespace

ViewSkeleton view_skeleton(std::span<const Rig* const> rigs, const Clip* clip,
                           const FrameRange& kept, Space space) {
  ViewSkeleton skeleton;
  if (space == Space::kMesh) return skeleton;
  JointNumbers numbers;
  std::vector<Source> sources;  // [joint]
  std::vector<const Rig*> used;
  for (const Rig* rig : rigs) {
    if (!rig->skinned || rig->skeleton == nullptr) continue;
    const std::size_t before = sources.size();
    for (JointIndex j = 0; j < rig->joints.size(); ++j) {
      const int number = static_cast<int>(sources.size());
      if (!numbers.emplace(rig->joints[j].node, number).second) continue;
      sources.push_back({rig, j});
      skeleton.joints.push_back(joint_id(*rig, j));
    }
    if (sources.size() > before) used.push_back(rig);
  }
  for (const auto& [rig, joint] : sources) {
    skeleton.parents.push_back(parent_of(*rig, rig->joints[joint].node, numbers));
  }
  skeleton.positions.resize(sources.size() * static_cast<std::size_t>(kept.frame_count) * 3);
  for (const Rig* rig : used) add_positions(*rig, clip, sources, kept, skeleton.positions);
  return skeleton;
}

}  // namespace skinbake
