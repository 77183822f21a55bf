// A crack opens by ‖x_a - x_b‖, with the vertices a and b of one position at rest and
//
//     x = sum_j w_j M_j p      M  posed_from_rest, p  the rest position with morph targets

#include "metrics/topology/cracks.h"

#include <array>
#include <cstdio>

#include "base/issue.h"
#include "clip/poses/skinning.h"
#include "math/scalar.h"
#include "rig/surface/cracks.h"

namespace skinbake {

namespace {

// Transforms of joints and vertices; some seconds of work.
constexpr std::int64_t kMostTransforms = std::int64_t{1} << 26;

// The part of the bind diagonal by which a seam may open without a warning, as in LOOP_OPEN.
constexpr double kTolerance = 1e-3;

Vec3<double> blended(const Rig& rig, const SampledPose& pose, VertexIndex v) {
  const auto vector_at = [v](const std::vector<float>& vectors) {
    const float* p = vectors.data() + std::size_t{v} * 3;
    return Vec3<double>{p[0], p[1], p[2]};
  };
  Vec3<double> rest = vector_at(rig.mesh->positions);
  for (std::size_t t = 0; t < pose.morph_weights.size(); ++t) {
    const std::vector<float>& target = rig.mesh->morph_targets[t].positions;
    if (pose.morph_weights[t] != 0 && !target.empty()) {
      rest = rest + pose.morph_weights[t] * vector_at(target);
    }
  }
  Vec3<double> posed{0, 0, 0};
  for (const Influence& i : rig.influences_of(v)) {
    posed = posed + i.weight * (pose.posed_from_rest[i.joint] * rest);
  }
  return posed;
}

bool is_too_long(const Rig& rig, std::size_t pairs, const FrameRange& frames) {
  const std::size_t of_vertex = 8 + rig.mesh->morph_targets.size();
  const auto per_frame = static_cast<std::int64_t>(rig.joints.size() + 2 * pairs * of_vertex);
  return frames.frame_count > kMostTransforms / per_frame;
}

}  // namespace

std::optional<Crack> widest_crack(const Rig& rig, const Clip* clip, const FrameRange& frames) {
  const std::vector<std::array<VertexIndex, 2>> pairs = cracked_pairs(rig);
  if (pairs.empty() || is_too_long(rig, pairs.size(), frames)) return {};
  PoseSampler sampler(rig, clip, {0, 0, 0});
  SampledPose pose;
  Crack widest;
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    sampler.sample(frames.sample_time_s(k), pose);
    for (const auto& [a, b] : pairs) {
      const double gap_m = norm(blended(rig, pose, a) - blended(rig, pose, b));
      if (gap_m > widest.gap_m) widest = {gap_m, {.frame = k, .edge = {a, b}}};
    }
  }
  return widest.gap_m > 0 ? std::optional(widest) : std::nullopt;
}

Issues crack_issues(const Rig& rig, const Crack& crack, const std::string& clip,
                    const FrameRange& frames, double bbox_diagonal_m) {
  if (!(crack.gap_m > kTolerance * bbox_diagonal_m)) return {};
  std::array<char, 32> gap;
  std::snprintf(gap.data(), gap.size(), "%.3g m", crack.gap_m);
  return {make_issue("SEAM_OPENS", "", "/nodes/" + std::to_string(rig.node),
                     "the seam at vertices " + std::to_string(crack.at.edge[0]) + " / " +
                         std::to_string(crack.at.edge[1]) + " of mesh '" + rig.id + "' opens by " +
                         gap.data() + " in frame " + std::to_string(frames.frame(crack.at.frame)) +
                         (clip.empty() ? " of the rest pose" : " of clip '" + clip + "'") +
                         ", because their weights differ")};
}

}  // namespace skinbake
