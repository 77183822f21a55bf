#include "fit/collapses.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fit/correctives/residuals.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"

namespace skinbake::fit {

namespace {

constexpr double kDegreesPerRadian = 57.29577951308232;

// The angle between the rotations of two joints.
double degrees_between(const Affine<double>& a, const Affine<double>& b) {
  const Quat<double> p = to_quat(polar_factors(a).rotation), q = to_quat(polar_factors(b).rotation);
  const double cosine = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;  // of half the angle
  const Quat<double> other = cosine < 0 ? -1.0 * q : q;
  return 4 * atan2(norm(p - other), norm(p + other)) * kDegreesPerRadian;
}

// The two joints that move the vertex most; the same joint twice if it has one influence.
std::pair<JointIndex, JointIndex> heaviest_joints(const Rig& rig, VertexIndex v) {
  const std::span<const Influence> influences = rig.influences_of(v);
  const JointIndex first = influences[0].joint;
  return {first, influences.size() > 1 ? influences[1].joint : first};
}

}  // namespace

std::vector<FitCollapse> find_collapses(const Problem& problem, const ClipFrames& clip,
                                        const PositionErrorResult::PerVertex& errors,
                                        double limit_m) {
  std::map<std::pair<JointIndex, JointIndex>, FitCollapse> pairs;
  for (VertexIndex v = 0; v < problem.vertex_count(); ++v) {
    if (!(errors.max[v] > limit_m)) continue;
    const auto frame = static_cast<std::size_t>(errors.max_frame[v]);
    const Affine<double> map = problem.linear_map(clip, frame, v);
    if (!is_flattened(problem, clip, frame, v, map)) continue;
    const auto [a, b] = heaviest_joints(*problem.rig, v);
    FitCollapse& collapse = pairs[{std::min(a, b), std::max(a, b)}];
    ++collapse.vertices;
    if (errors.max[v] <= collapse.error_m) continue;
    const std::span<const Affine<double>> joints = problem.joints(clip, frame);
    collapse.a = a;
    collapse.b = b;
    collapse.vertex = v;
    collapse.frame = clip.frames.frame(static_cast<std::int64_t>(frame));
    collapse.degrees = degrees_between(joints[a], joints[b]);
    collapse.error_m = errors.max[v];
  }
  std::vector<FitCollapse> found;
  for (const auto& [pair, collapse] : pairs) found.push_back(collapse);
  std::stable_sort(found.begin(), found.end(), [](const FitCollapse& a, const FitCollapse& b) {
    return a.error_m > b.error_m;
  });
  return found;
}

}  // namespace skinbake::fit
