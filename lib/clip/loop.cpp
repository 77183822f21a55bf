// Whether a clip ends in the pose in which it begins.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include "base/issue.h"
#include "clip/poses/skinning.h"
#include "math/bounds.h"
#include "math/scalar.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

// Exporters round the keys of the last frame otherwise than those of the first.
constexpr double kTolerance = 1e-3;

double diagonal_of(const Box& box) {
  const double x = double(box.max[0]) - box.min[0], y = double(box.max[1]) - box.min[1];
  const double z = double(box.max[2]) - box.min[2];
  return std::sqrt(x * x + y * y + z * z);
}

// [joint] The box around the rest positions of its vertices.
std::vector<Box> boxes_of(const Rig& rig) {
  std::vector<Box> boxes(rig.joints.size());
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const float* position = &rig.mesh->positions[std::size_t{3} * v];
    boxes[rig.influences_of(v).front().joint].add(position);
  }
  return boxes;
}

// The farthest that a corner of the box is between two transforms.
double largest_move(const Box& box, const Affine<double>& a, const Affine<double>& b) {
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [&](std::size_t axis) {
      return double((corner >> axis & 1) != 0 ? box.max[axis] : box.min[axis]);
    };
    const Vec3<double> point{side(0), side(1), side(2)};
    largest = std::max(largest, norm(b * point - a * point));
  }
  return largest;
}

// The box around the vertices where the joints with their largest weights pose them, so that a
// scale of the rig counts as it does in the moves.
Box posed_box(const Rig& rig, const SampledPose& pose) {
  Box box;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const float* p = &rig.mesh->positions[std::size_t{3} * v];
    const Vec3<double> place =
        pose.posed_from_rest[rig.influences_of(v).front().joint] * Vec3<double>{p[0], p[1], p[2]};
    const std::array<float, 3> point{static_cast<float>(place.x), static_cast<float>(place.y),
                                     static_cast<float>(place.z)};
    box.add(point.data());
  }
  return box;
}

// [vertex] How the morph targets move the rest positions from one instant to the other; empty: they
// do not.
std::vector<Vec3<double>> morph_moves(const Rig& rig, const SampledPose& first,
                                      const SampledPose& last) {
  std::vector<Vec3<double>> moves;
  for (std::size_t t = 0; t < first.morph_weights.size(); ++t) {
    const std::vector<float>& target = rig.mesh->morph_targets[t].positions;
    const double change = last.morph_weights[t] - first.morph_weights[t];
    if (change == 0 || target.empty()) continue;
    moves.resize(target.size() / 3);
    for (std::size_t v = 0; v < moves.size(); ++v) {
      const float* d = &target[3 * v];
      moves[v] = moves[v] + change * Vec3<double>{d[0], d[1], d[2]};
    }
  }
  return moves;
}

// The farthest that the morph targets move a vertex, in metres of the first pose.
double largest_morph(const Rig& rig, const SampledPose& first, const SampledPose& last) {
  const std::vector<Vec3<double>> moves = morph_moves(rig, first, last);
  double largest = 0;
  for (std::size_t v = 0; v < moves.size(); ++v) {
    const JointIndex joint = rig.influences_of(static_cast<VertexIndex>(v)).front().joint;
    largest = std::max(largest, norm(rotate(first.posed_from_rest[joint], moves[v])));
  }
  return largest;
}

// The parts of a clip that move single rigs. A sampler looks at all channels of its clip; for a
// scene of many meshes, that would take the product of the numbers of meshes and channels.
class ClipParts {
 public:
  explicit ClipParts(const Clip& clip) : channels_(clip.channels), part_(clip) {
    part_.channels.clear();
    for (std::size_t c = 0; c < channels_.size(); ++c) by_node_[channels_[c].node].push_back(c);
  }

  // The clip with the channels of the rig's nodes and their ancestors.
  Clip of(const Rig& rig) const {
    std::set<NodeIndex> nodes;
    const auto add = [&](NodeIndex n) {
      while (n >= 0 && nodes.insert(n).second) n = rig.skeleton->nodes[n].parent;
    };
    add(rig.node);
    for (const Joint& joint : rig.joints) add(joint.node);
    std::vector<std::size_t> kept;
    for (const NodeIndex n : nodes) {
      const auto found = by_node_.find(n);
      if (found != by_node_.end())
        kept.insert(kept.end(), found->second.begin(), found->second.end());
    }
    std::sort(kept.begin(), kept.end());
    Clip part = part_;
    for (const std::size_t c : kept) part.channels.push_back(channels_[c]);
    return part;
  }

 private:
  const std::vector<Channel>& channels_;
  Clip part_;  // without channels
  std::map<NodeIndex, std::vector<std::size_t>> by_node_;
};

LoopGap gap_of(const Rig& rig, const Clip& clip, double last_s) {
  LoopGap gap;
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose first, last;
  sampler.sample(0, first);
  sampler.sample(last_s, last);
  const std::vector<Box> boxes = boxes_of(rig);
  for (JointIndex j = 0; j < boxes.size(); ++j) {
    if (boxes[j].min[0] > boxes[j].max[0]) continue;
    const double metres = largest_move(boxes[j], first.posed_from_rest[j], last.posed_from_rest[j]);
    if (gap.rig != nullptr && !(metres > gap.metres)) continue;
    gap = {&rig, joint_id(rig, j), metres, 0};
  }
  const double morphed = largest_morph(rig, first, last);
  if (gap.rig != nullptr && morphed > gap.metres) gap = {&rig, "", morphed, 0};
  if (gap.metres > 0) gap.relative = gap.metres / diagonal_of(posed_box(rig, first));
  return gap;
}

}  // namespace

LoopGap loop_gap(std::span<const Rig* const> rigs, const Clip& clip, double fps) {
  const double last_s = static_cast<double>(last_frame(clip.duration_s, fps)) / fps;
  const ClipParts parts(clip);
  LoopGap largest;
  for (const Rig* rig : rigs) {
    LoopGap gap = gap_of(*rig, parts.of(*rig), last_s);
    if (largest.rig == nullptr || gap.relative > largest.relative) largest = std::move(gap);
  }
  return largest;
}

Issues loop_issues(const LoopGap& gap, const Clip& clip, double fps, const std::string& file) {
  if (!(gap.relative > kTolerance)) return {};
  std::array<char, 160> numbers;
  std::snprintf(numbers.data(), numbers.size(), "%.4g m", gap.metres);
  std::string distance = numbers.data();
  if (std::isfinite(gap.relative)) {  // the diagonal is not 0
    std::snprintf(numbers.data(), numbers.size(), ", %.3g %% of the diagonal", 100 * gap.relative);
    distance += numbers.data();
  }
  const std::string mover = gap.joint.empty()
                                ? "the morph targets of mesh '" + gap.rig->id + "' move"
                                : "joint '" + gap.joint + "' of mesh '" + gap.rig->id + "' moves";
  return {make_issue(
      "LOOP_OPEN", file, "",
      "clip '" + clip.id + "': frame " + std::to_string(last_frame(clip.duration_s, fps)) +
          " does not repeat frame 0; " + mover + " its vertices by up to " + distance)};
}

}  // namespace skinbake
