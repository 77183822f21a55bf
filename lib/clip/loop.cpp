// Whether a clip ends in the pose in which it begins.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "base/issue.h"
#include "clip/forward_kinematics.h"
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

LoopGap gap_of(const Rig& rig, const Clip& clip, double last_s) {
  LoopGap gap;
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose first, last;
  sampler.sample(0, first);
  sampler.sample(last_s, last);
  Box whole;
  const std::vector<Box> boxes = boxes_of(rig);
  for (JointIndex j = 0; j < boxes.size(); ++j) {
    if (boxes[j].min[0] > boxes[j].max[0]) continue;
    whole.add(boxes[j]);
    const double metres = largest_move(boxes[j], first.posed_from_rest[j], last.posed_from_rest[j]);
    if (gap.rig != nullptr && !(metres > gap.metres)) continue;
    gap = {&rig, joint_id(rig, j), metres, 0};
  }
  if (gap.metres > 0) gap.relative = gap.metres / diagonal_of(whole);
  return gap;
}

}  // namespace

LoopGap loop_gap(std::span<const Rig* const> rigs, const Clip& clip, double fps) {
  const double last_s = static_cast<double>(last_frame(clip.duration_s, fps)) / fps;
  LoopGap largest;
  for (const Rig* rig : rigs) {
    LoopGap gap = gap_of(*rig, clip, last_s);
    if (largest.rig == nullptr || gap.relative > largest.relative) largest = std::move(gap);
  }
  return largest;
}

Issues loop_issues(const LoopGap& gap, const Clip& clip, double fps, const std::string& file) {
  if (!(gap.relative > kTolerance)) return {};
  std::array<char, 160> numbers;
  std::snprintf(numbers.data(), numbers.size(), "%.4g m, %.3g %% of the diagonal", gap.metres,
                100 * gap.relative);
  return {make_issue(IssueCode::LOOP_OPEN, file, "",
                     "clip '" + clip.id + "': frame " +
                         std::to_string(last_frame(clip.duration_s, fps)) +
                         " does not repeat frame 0; joint '" + gap.joint + "' of mesh '" +
                         gap.rig->id + "' moves its vertices by up to " + numbers.data())};
}

}  // namespace skinbake
