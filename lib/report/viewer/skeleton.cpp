#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "clip/poses/skinning.h"
#include "math/scalar.h"
#include "report/viewer/viewer.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

// A joint of the page, and the first rig that has it.
struct Source {
  const Rig* rig = nullptr;
  JointIndex joint = 0;
};

using JointNumbers = std::map<NodeIndex, int>;  // position in ViewSkeleton::joints

// [node] The number of the nearest joint above, or -1. Parents come first: a node inherits the
// result of its parent.
std::vector<int> joints_above(const Skeleton& skeleton, const JointNumbers& numbers) {
  std::vector<int> above(skeleton.nodes.size(), -1);
  for (const NodeIndex n : skeleton.order) {
    const NodeIndex parent = skeleton.nodes[static_cast<std::size_t>(n)].parent;
    if (parent < 0) continue;
    const auto joint = numbers.find(parent);
    above[static_cast<std::size_t>(n)] =
        joint != numbers.end() ? joint->second : above[static_cast<std::size_t>(parent)];
  }
  return above;
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
    sampler.sample(kept.sample_time_s(k), pose);
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
  const Skeleton* last = nullptr;  // most rigs have one skeleton
  std::vector<int> above;
  for (const auto& [rig, joint] : sources) {
    if (rig->skeleton.get() != last) {
      last = rig->skeleton.get();
      above = joints_above(*last, numbers);
    }
    skeleton.parents.push_back(above[static_cast<std::size_t>(rig->joints[joint].node)]);
  }
  skeleton.positions.resize(sources.size() * static_cast<std::size_t>(kept.frame_count) * 3);
  for (const Rig* rig : used) add_positions(*rig, clip, sources, kept, skeleton.positions);
  return skeleton;
}

}  // namespace skinbake
