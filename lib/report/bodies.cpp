// Adds up the numbers of meshes that one skeleton moves. Sums over vertices and volumes of meshes
// are exact: no frame is evaluated again.

#include "report/bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "math/scalar.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

bool is_worse(double value, double than) {
  return value > than || (std::isnan(value) && !std::isnan(than));
}

// ---- Which meshes are a body

// The joint that moves every vertex of a mesh without another one; none: several do.
std::optional<JointIndex> only_joint(const Rig& rig) {
  if (!rig.mesh->morph_targets.empty() || rig.influences.empty()) return {};
  const JointIndex joint = rig.influences.front().joint;
  const bool is_only = std::all_of(rig.influences.begin(), rig.influences.end(),
                                   [&](const Influence& each) { return each.joint == joint; });
  return is_only ? std::optional(joint) : std::nullopt;
}

std::set<NodeIndex> joint_nodes(const std::vector<MeshRecord>& meshes) {
  std::set<NodeIndex> nodes;
  for (const MeshRecord& mesh : meshes) {
    if (!mesh.rig->skinned) continue;
    for (const Joint& joint : mesh.rig->joints) nodes.insert(joint.node);
  }
  return nodes;
}

// The nearest node, the node itself or an ancestor, that is a joint; -1: none.
NodeIndex nearest_joint(const Skeleton& skeleton, NodeIndex node,
                        const std::set<NodeIndex>& joints) {
  while (node >= 0 && !joints.contains(node)) {
    node = skeleton.nodes[static_cast<std::size_t>(node)].parent;
  }
  return node;
}

NodeIndex topmost_joint(const Skeleton& skeleton, NodeIndex node,
                        const std::set<NodeIndex>& joints) {
  NodeIndex topmost = node;
  for (; node >= 0; node = skeleton.nodes[static_cast<std::size_t>(node)].parent) {
    if (joints.contains(node)) topmost = node;
  }
  return topmost;
}

std::string name_of(const Skeleton& skeleton, NodeIndex node) {
  const std::string& name = skeleton.nodes[static_cast<std::size_t>(node)].name;
  return name.empty() ? "#" + std::to_string(node) : name;
}

// ---- Their numbers

// Finds the extremes of a series of losses. Of equal losses, the first frame counts.
void find_extremes(const std::vector<double>& loss, VolumeExtremes& extremes) {
  for (std::size_t f = 0; f < loss.size(); ++f) {
    const auto frame = static_cast<std::int64_t>(f);
    if (f == 0 || is_worse(loss[f], extremes.max_loss)) {
      extremes.max_loss = loss[f];
      extremes.max_loss_at = {.frame = frame};
    }
    if (f == 0 || is_worse(-loss[f], -extremes.min_loss)) {
      extremes.min_loss = loss[f];
      extremes.min_loss_at = {.frame = frame};
    }
  }
}

// Volumes of several surfaces over time: their sum, and its loss.
struct VolumeSum {
  double baseline_m3 = 0;
  std::vector<double> volume_m3;  // [frame]

  void add(double baseline, const std::vector<double>& loss) {
    baseline_m3 += baseline;
    volume_m3.resize(loss.size());
    for (std::size_t f = 0; f < loss.size(); ++f) volume_m3[f] += baseline * (1 - loss[f]);
  }

  std::vector<double> loss() const {
    std::vector<double> losses;
    for (const double volume : volume_m3) losses.push_back(1 - volume / baseline_m3);
    return losses;
  }
};

struct Part {
  const MeshRecord* mesh;
  const RunRecord* run;
};

std::optional<BodyError> error_of(const std::vector<Part>& parts, double diagonal_m) {
  BodyError sum;
  double vertices = 0;
  for (const auto& [mesh, run] : parts) {
    if (!run->error) return {};
    const PositionErrorResult& error = *run->error;
    const auto count = static_cast<double>(mesh->rig->mesh->vertex_count());
    const std::size_t frames = error.per_frame.rms.size();
    sum.reference = run->reference;
    sum.rms_of_frame.resize(frames);
    sum.mean_of_frame.resize(frames);
    sum.max_of_frame.resize(frames, -1);
    for (std::size_t f = 0; f < frames; ++f) {
      sum.rms_of_frame[f] += error.per_frame.rms[f] * error.per_frame.rms[f] * count;
      sum.mean_of_frame[f] += error.per_frame.mean[f] * count;
      if (is_worse(error.per_frame.max[f], sum.max_of_frame[f])) {
        sum.max_of_frame[f] = error.per_frame.max[f];
      }
    }
    sum.rms += error.rms * error.rms * count;
    sum.mean += error.mean * count;
    const bool is_first = vertices == 0;
    const bool is_earlier =
        error.max == sum.max && error.max_at.frame < sum.max_at.at.frame;  // of equal ones
    if (is_first || is_earlier || is_worse(error.max, sum.max)) {
      sum.max = error.max;
      sum.max_at = {mesh->rig->id, error.max_at};
    }
    vertices += count;
  }
  sum.rms = std::sqrt(sum.rms / vertices);
  sum.mean /= vertices;
  for (double& rms : sum.rms_of_frame) rms = std::sqrt(rms / vertices);
  for (double& mean : sum.mean_of_frame) mean /= vertices;
  sum.rms_relative = sum.rms / diagonal_m;
  sum.max_relative = sum.max / diagonal_m;
  return sum;
}

std::optional<BodyVolume> volume_of(const std::vector<Part>& parts) {
  BodyVolume body;
  VolumeSum total;
  std::vector<VolumeSum> regions;  // [joint of the body]
  std::map<std::string, std::size_t> known;
  for (const auto& [mesh, run] : parts) {
    if (!run->volume || !run->volume->total) {
      body.unmeasured.push_back(mesh->rig->id);
      continue;
    }
    total.add(run->volume->total->baseline_m3, run->volume->loss);
    for (const VolumeResult::PerJoint& joint : run->volume->joints) {
      const std::string id = joint_id(*mesh->rig, joint.joint);
      const auto [found, is_new] = known.try_emplace(id, regions.size());
      if (is_new) {
        regions.emplace_back();
        body.joints.push_back({id, 0, {}, {}});
      }
      regions[found->second].add(joint.baseline_m3, joint.loss);
      body.joints[found->second].triangle_count += joint.triangle_count;
    }
  }
  if (body.unmeasured.size() == parts.size()) return {};
  const auto settle = [](const VolumeSum& sum, VolumeExtremes& extremes,
                         std::vector<double>& loss) {
    extremes.baseline_m3 = sum.baseline_m3;
    loss = sum.loss();
    find_extremes(loss, extremes);
  };
  settle(total, body.total, body.loss);
  body.volume_m3 = total.volume_m3;
  for (std::size_t j = 0; j < regions.size(); ++j) {
    settle(regions[j], body.joints[j].extremes, body.joints[j].loss);
  }
  return body;
}

// The diagonal of the box around all meshes in the bind pose.
double diagonal_of(const std::vector<const MeshRecord*>& meshes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, 3> low{kInfinity, kInfinity, kInfinity};
  std::array<double, 3> high{-kInfinity, -kInfinity, -kInfinity};
  for (const MeshRecord* mesh : meshes) {
    const std::vector<double> positions = bind_baseline(*mesh->rig).positions;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      low[i % 3] = std::min(low[i % 3], positions[i]);
      high[i % 3] = std::max(high[i % 3], positions[i]);
    }
  }
  return norm(Vec3<double>{high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

// Runs of one number are of one clip and method in all meshes.
std::vector<BodyRun> runs_of(const std::vector<const MeshRecord*>& meshes, double diagonal_m) {
  std::vector<BodyRun> runs;
  for (std::size_t r = 0; r < meshes.front()->runs.size(); ++r) {
    std::vector<Part> parts;
    for (const MeshRecord* mesh : meshes) parts.push_back({mesh, &mesh->runs[r]});
    const RunRecord& first = *parts.front().run;
    BodyRun& run = runs.emplace_back();
    run.clip = first.clip;
    run.method = first.name();
    run.frames = first.frames;
    run.error = error_of(parts, diagonal_m);
    run.volume = volume_of(parts);
  }
  return runs;
}

BodyRecord body_of(std::string id, const std::vector<const MeshRecord*>& meshes) {
  BodyRecord body;
  body.id = std::move(id);
  for (const MeshRecord* mesh : meshes) {
    body.meshes.push_back(mesh->rig->id);
    body.vertex_count += mesh->rig->mesh->vertex_count();
    body.triangle_count += static_cast<std::int64_t>(mesh->rig->mesh->triangles.size());
  }
  body.bbox_diagonal_m = diagonal_of(meshes);
  body.runs = runs_of(meshes, body.bbox_diagonal_m);
  return body;
}

}  // namespace

void find_props(std::vector<MeshRecord>& meshes) {
  const std::set<NodeIndex> joints = joint_nodes(meshes);
  for (MeshRecord& mesh : meshes) {
    const std::optional<JointIndex> only = only_joint(*mesh.rig);
    if (!only) continue;
    const Skeleton& skeleton = *mesh.rig->skeleton;
    const NodeIndex node = nearest_joint(skeleton, mesh.rig->joints[*only].node, joints);
    if (node >= 0) mesh.follows_joint = name_of(skeleton, node);
  }
}

std::vector<BodyRecord> bodies_of(const std::vector<MeshRecord>& meshes) {
  const std::set<NodeIndex> joints = joint_nodes(meshes);
  std::vector<NodeIndex> roots;  // in the order of the meshes
  std::map<NodeIndex, std::vector<const MeshRecord*>> meshes_of;
  for (const MeshRecord& mesh : meshes) {
    if (!mesh.rig->skinned || !mesh.follows_joint.empty()) continue;
    const NodeIndex root =
        topmost_joint(*mesh.rig->skeleton, mesh.rig->joints.front().node, joints);
    std::vector<const MeshRecord*>& of_root = meshes_of[root];
    if (of_root.empty()) roots.push_back(root);
    of_root.push_back(&mesh);
  }
  std::map<std::string, int> names;
  for (const NodeIndex root : roots) ++names[name_of(*meshes.front().rig->skeleton, root)];
  std::vector<BodyRecord> bodies;
  for (const NodeIndex root : roots) {
    if (meshes_of[root].size() < 2) continue;
    const std::string name = name_of(*meshes.front().rig->skeleton, root);
    bodies.push_back(
        body_of(names[name] == 1 ? name : "#" + std::to_string(root), meshes_of[root]));
  }
  return bodies;
}

}  // namespace skinbake
