// What metrics of shape share.

#include "metrics/shape/shape_metric.h"
#include "math/scalar.h"
#include "metrics/topology/surface_parts.h"
#include "rig/surface/triangles.h"

namespace skinbake {

namespace {

// [joint] The positions of the joints in the bind pose.
std::vector<Vec3<double>> bind_joint_positions(const Rig& rig) {
  std::vector<Vec3<double>> positions;
  for (const Joint& joint : rig.joints) {
    positions.push_back(inverse(joint.joint_from_model).translation);
  }
  return positions;
}

}  // namespace

std::vector<SegmentEnds> find_segments(const Rig& rig, const std::vector<Vec3<double>>& positions,
                                       double least_length) {
  const SkinTree tree = build_skin_tree(rig);
  std::vector<SegmentEnds> segments;
  for (JointIndex child = 0; child < rig.joints.size(); ++child) {
    const std::uint32_t parent = tree.parent[tree.rank[child]];
    if (parent == SkinTree::kNone) continue;
    const JointIndex joint = tree.joint[parent];
    if (norm(positions[child] - positions[joint]) > least_length) {
      segments.push_back({joint, child});
    }
  }
  return segments;
}

BaselinePose bind_pose_of(const MetricInput& input) {
  if (input.baseline->kind == Baseline::kBind) return *input.baseline;
  return bind_baseline(*input.rig);
}

std::vector<Vec3<double>> joint_positions(const MetricInput& input, const BaselinePose& pose) {
  std::vector<Vec3<double>> positions = bind_joint_positions(*input.rig);
  if (pose.kind == Baseline::kBind) {
    for (Vec3<double>& position : positions) position = pose.scene_from_bind * position;
    return positions;
  }
  const bool rest = pose.kind == Baseline::kRest;
  PoseSampler sampler(*input.rig, rest ? nullptr : input.clip, {0, 0, 0});
  SampledPose sampled;
  sampler.sample(0, sampled);  // the first frame of the clip, not of the range
  if (!rest && input.space == Space::kMesh) to_mesh_space(sampled);
  for (JointIndex j = 0; j < positions.size(); ++j) {
    positions[j] = sampled.posed_from_rest[j] * positions[j];
  }
  return positions;
}

JointPoser::JointPoser(const MetricInput& input)
    : frames_(input.frames),
      space_(input.space),
      sampler_(*input.rig, input.clip, {0, 0, 0}),
      bind_positions_(bind_joint_positions(*input.rig)) {}

const std::vector<Affine<double>>& JointPoser::at(std::int64_t frame) {
  sampler_.sample(frames_.sample_time_s(frame), pose_);
  if (space_ == Space::kMesh) to_mesh_space(pose_);
  return pose_.posed_from_rest;
}

Vec3<double> JointPoser::position(JointIndex j) const {
  return pose_.posed_from_rest[j] * bind_positions_[j];
}

std::vector<std::int64_t> file_triangles_of(const Rig& rig, const Topology& topology) {
  std::vector<std::int64_t> indices;
  indices.reserve(topology.triangles.size());
  for (std::size_t t = 0; t < rig.mesh->triangles.size(); ++t) {
    if (is_degenerate(rig.mesh->triangles[t], topology.welded)) continue;
    indices.push_back(static_cast<std::int64_t>(t));
  }
  return indices;
}

}  // namespace skinbake
