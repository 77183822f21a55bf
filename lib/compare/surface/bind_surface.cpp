// Pairs of joints, and the bind of one surface to another.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "compare/surface/bind_surface.h"
#include "compare/surface/placement.h"
#include "math/scalar.h"
#include "metrics/baseline.h"
#include "metrics/kernels.h"
#include "rig/rest_pose.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::uint32_t kUnpaired = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostComparisons = 20'000'000;
constexpr std::size_t kMostNearJoints = std::size_t{1} << 20;  // 16 MiB
constexpr double kJointPlace = 1e-4;  // of the diagonal of the joints' places

using NearJoints = std::tuple<double, std::uint32_t, std::uint32_t>;  // distance, joints

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
  Pairing(const std::vector<JointCentre>& a_centres, const std::vector<JointCentre>& b_centres,
          BindSurface& a, BindSurface& b)
      : a_centres_(a_centres), b_centres_(b_centres), a_(a), b_(b) {
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

  // Joints that move vertices pair with one another first.
  void by_place() {
    const double near = kJointPlace * diagonal_of_places(a_.joints);
    pair_nearest(unpaired(a_, a_centres_, true), unpaired(b_, b_centres_, true), near);
    pair_nearest(unpaired(a_, a_centres_, false), unpaired(b_, b_centres_, false), near);
    pair_nearest(unpaired(a_, a_centres_, true), unpaired(b_, b_centres_, false), near);
    pair_nearest(unpaired(a_, a_centres_, false), unpaired(b_, b_centres_, true), near);
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
  // `moving`: whether joints that move vertices are meant, or joints that do not.
  static std::vector<std::uint32_t> unpaired(const BindSurface& surface,
                                             const std::vector<JointCentre>& centres, bool moving) {
    std::vector<std::uint32_t> joints;
    for (std::uint32_t j = 0; j < surface.joints.size(); ++j) {
      const bool is_moving = centres[j].weight > 0;
      if (surface.joint_ids[j] == kUnpaired && is_moving == moving) joints.push_back(j);
    }
    return joints;
  }

  void pair_nearest(const std::vector<std::uint32_t>& of_a, const std::vector<std::uint32_t>& of_b,
                    double near) {
    // Files of so many joints without names would need a minute.
    if (of_a.size() * of_b.size() > kMostComparisons) return;
    std::vector<NearJoints> candidates;
    for (const std::uint32_t j : of_a) {
      for (const std::uint32_t k : of_b) {
        const double places = norm(a_.joints[j].rest_position - b_.joints[k].rest_position);
        const std::optional<double> centres = distance(a_centres_[j], b_centres_[k]);
        const double apart = places + centres.value_or(0);
        const bool is_near = places <= near || (centres && *centres <= near);
        if (!is_near || std::isnan(apart)) continue;
        // So many joints at one place cannot be told apart.
        if (candidates.size() == kMostNearJoints) return;
        candidates.push_back({apart, j, k});
      }
    }
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [distance, j, k] : candidates) {
      if (a_.joint_ids[j] == kUnpaired && b_.joint_ids[k] == kUnpaired) pair(j, k);
    }
  }

  // None if a joint moves no vertex: it has no centre.
  static std::optional<double> distance(const JointCentre& a, const JointCentre& b) {
    if (!(a.weight > 0) || !(b.weight > 0)) return {};
    const double apart = norm((1 / a.weight) * a.sum - (1 / b.weight) * b.sum);
    return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
  }

  void pair(std::uint32_t a, std::uint32_t b) { a_.joint_ids[a] = b_.joint_ids[b] = next_++; }

  const std::vector<JointCentre>& a_centres_;
  const std::vector<JointCentre>& b_centres_;
  BindSurface& a_;
  BindSurface& b_;
  std::uint32_t next_ = 0;
};

}  // namespace

void pair_joints(const std::vector<JointCentre>& a_centres,
                 const std::vector<JointCentre>& b_centres, BindSurface& a, BindSurface& b) {
  Pairing pairing(a_centres, b_centres, a, b);
  pairing.by_name();
  pairing.by_place();
  pairing.number_rest();
}

namespace {

using Rigs = std::span<const Rig* const>;

// The nodes that move vertices of a scene, each once.
struct SceneJoints {
  std::map<NodeIndex, std::uint32_t> index;  // into BindSurface::joints

  explicit SceneJoints(Rigs rigs) {
    for (const Rig* rig : rigs) {
      for (const Joint& joint : rig->joints) index.emplace(joint.node, 0u);
    }
    std::uint32_t next = 0;
    for (auto& [node, i] : index) i = next++;
  }
};

// The transforms of nodes at rest. The rigs of a file usually share their skeleton.
class SideScenes {
 public:
  RestScenes& of(const Rig& rig) {
    if (rig.skeleton.get() != skeleton_) scenes_.emplace(*rig.skeleton);
    skeleton_ = rig.skeleton.get();
    return *scenes_;
  }

 private:
  const Skeleton* skeleton_ = nullptr;  // of the rig of the last call
  std::optional<RestScenes> scenes_;
};

void add_joints(const Rig& first, const SceneJoints& nodes, SideScenes& scenes,
                BindSurface& surface) {
  const Skeleton& skeleton = *first.skeleton;
  RestScenes& rest = scenes.of(first);
  for (const auto& [node, index] : nodes.index) {
    SurfaceJoint joint;
    if (node >= 0) joint.name = skeleton.nodes[static_cast<std::size_t>(node)].name;
    joint.has_name = !joint.name.empty();
    if (!joint.has_name) joint.name = "#" + std::to_string(node);
    joint.rest_position = rest.scene_from_node(node).translation;
    surface.joints.push_back(joint);
  }
}

void add_influences(const Rig& rig, const SceneJoints& nodes, BindSurface& surface) {
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    for (const Influence& i : rig.influences_of(v)) {
      surface.influences.push_back({nodes.index.at(rig.joints[i.joint].node), i.weight});
    }
    surface.first_influence.push_back(static_cast<std::uint32_t>(surface.influences.size()));
  }
}

// [mesh] Their joints, without ids.
SideMeshes side_meshes(Rigs rigs, SideScenes& scenes) {
  SideMeshes meshes;
  for (const Rig* rig : rigs) meshes.push_back(mesh_joints(*rig, scenes.of(*rig)));
  return meshes;
}

// [joint] The vertices that each joint moves, in the rest pose.
std::vector<JointCentre> centres_of(Rigs rigs, const SceneJoints& nodes, SideScenes& scenes,
                                    const SideMeshes& meshes) {
  std::vector<JointCentre> centres(nodes.index.size());
  for (std::size_t r = 0; r < rigs.size(); ++r) {
    RestScenes& rest = scenes.of(*rigs[r]);
    for (std::size_t j = 0; j < meshes[r].size(); ++j) {
      const Joint& joint = rigs[r]->joints[j];
      const JointCentre posed =
          moved(meshes[r][j].in_mesh, rest.scene_from_node(joint.node) * joint.joint_from_model);
      JointCentre& centre = centres[nodes.index.at(joint.node)];
      centre.sum = centre.sum + posed.sum;
      centre.weight += posed.weight;
    }
  }
  return centres;
}

void set_ids(Rigs rigs, const SceneJoints& nodes, const BindSurface& surface, SideMeshes& meshes) {
  for (std::size_t r = 0; r < rigs.size(); ++r) {
    for (std::size_t j = 0; j < meshes[r].size(); ++j) {
      meshes[r][j].id = surface.joint_ids[nodes.index.at(rigs[r]->joints[j].node)];
    }
  }
}

// The joint ids in the order of the weight that they have in the surface.
std::vector<std::uint32_t> heaviest_first(const BindSurface& surface) {
  std::vector<double> sums(surface.joint_id_count, 0);
  for (const Influence& i : surface.influences) sums[surface.joint_ids[i.joint]] += i.weight;
  std::vector<std::uint32_t> order(sums.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sums[a] > sums[b]; });
  return order;
}

void add_positions(const Rig& rig, const Affine<double>& k, BindSurface& surface) {
  std::vector<double> positions = bind_positions(rig);
  move_points(k, positions);
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (std::abs(positions[i + axis]) <= std::numeric_limits<float>::max()) continue;
      throw Error("NON_FINITE_POSITION",
                  "mesh '" + rig.id + "', vertex " + std::to_string(i / 3) +
                      ": the position at bind is not a finite number; export it again");
    }
    // Rounded like frames, so that weighted means of equal positions are equal (SurfacePoint).
    const auto rounded = [&](std::size_t axis) {
      return double{static_cast<float>(positions[i + axis])};
    };
    surface.positions.push_back({rounded(0), rounded(1), rounded(2)});
  }
}

void add_morphed(const Rig& rig, const Affine<double>& k, BindSurface& surface) {
  const std::size_t first = surface.morphed.size();
  surface.morphed.insert(surface.morphed.end(),
                         surface.positions.begin() + static_cast<std::ptrdiff_t>(first),
                         surface.positions.end());
  Affine<double> turn = k;
  turn.translation = {0, 0, 0};
  double weight = 0;
  for (const MorphTarget& target : rig.mesh->morph_targets) {
    weight += 1;
    for (std::size_t i = 0; i < target.positions.size(); i += 3) {
      const float* d = target.positions.data() + i;
      Vec3<double>& p = surface.morphed[first + i / 3];
      p = p + (1 / weight) * (turn * Vec3<double>{d[0], d[1], d[2]});
    }
  }
  // NaN has no place in an order of vertices.
  for (std::size_t v = first; v < surface.morphed.size(); ++v) {
    if (!std::isfinite(norm(surface.morphed[v]))) surface.morphed[v] = surface.positions[v];
  }
}

void add_normals(const Rig& rig, const Affine<double>& k, BindSurface& surface) {
  Affine<double> turn = k;
  turn.translation = {0, 0, 0};
  std::vector<double> normals = bind_normals(rig);
  normals.resize(rig.mesh->positions.size());
  move_points(turn, normals);
  for (std::size_t i = 0; i < normals.size(); i += 3) {
    const Vec3<double> n{normals[i], normals[i + 1], normals[i + 2]};
    const double length = norm(n);
    surface.normals.push_back(length > 0 ? (1 / length) * n : Vec3<double>{0, 0, 0});
  }
}

// A node that mirrors its mesh reverses the triangles (glTF 2.0, 3.7.4). The node of a skinned mesh
// does not place it.
void add_triangles(const Rig& rig, const Affine<double>& k, VertexIndex first_vertex,
                   BindSurface& surface) {
  const bool is_mirrored = !rig.skinned && determinant(k) < 0;
  for (auto t : rig.mesh->triangles) {
    if (is_mirrored) std::swap(t[1], t[2]);
    surface.triangles.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex});
  }
}

void add_meshes(Rigs rigs, const SideMeshes& meshes, const std::vector<std::uint32_t>& ranks,
                BindSurface& surface) {
  for (std::size_t r = 0; r < rigs.size(); ++r) {
    const Rig& rig = *rigs[r];
    const VertexIndex first_vertex = surface.vertex_count();
    const Affine<double>& k = scene_from_bind(meshes[r], ranks);
    add_positions(rig, k, surface);
    add_morphed(rig, k, surface);
    add_normals(rig, k, surface);
    add_triangles(rig, k, first_vertex, surface);
  }
  // A vertex that no triangle has would make every relative error smaller.
  surface.diagonal_m =
      surface.triangles.empty() ? diagonal_of(surface.positions) : extent_of(surface).diagonal_m;
}

// Vectors that grow would need twice the memory.
void reserve(Rigs rigs, BindSurface& surface) {
  std::size_t vertices = 0, triangles = 0, influences = 0;
  for (const Rig* rig : rigs) {
    vertices += rig->mesh->vertex_count();
    triangles += rig->mesh->triangles.size();
    influences += rig->influences.size();
  }
  for (auto* vectors : {&surface.positions, &surface.normals, &surface.morphed}) {
    vectors->reserve(vertices);
  }
  surface.triangles.reserve(triangles);
  surface.first_influence.reserve(vertices + 1);
  surface.influences.reserve(influences);
}

BindSurface joints_and_influences(Rigs rigs, const SceneJoints& nodes, SideScenes& scenes) {
  BindSurface surface;
  reserve(rigs, surface);
  add_joints(*rigs.front(), nodes, scenes, surface);
  surface.first_influence.push_back(0);
  for (const Rig* rig : rigs) add_influences(*rig, nodes, surface);
  return surface;
}

}  // namespace

double diagonal_of(const std::vector<Vec3<double>>& positions) {
  Vec3<double> low = positions.front(), high = low;
  for (const Vec3<double>& p : positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return norm(high - low);
}

Vec3<double> BindSurface::position(const SurfacePoint& point) const {
  if (point.is_vertex()) return positions[point.corners[0]];
  Vec3<double> sum{0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3<double>& p = positions[point.corners[i]];
    const double w = point.weights[i];
    sum = {sum.x + w * p.x, sum.y + w * p.y, sum.z + w * p.z};
  }
  return sum;
}

std::uint32_t heaviest_joint(const BindSurface& surface, const SurfacePoint& point) {
  if (point.is_vertex()) return surface.influences_of(point.corners[0]).front().joint;
  std::map<std::uint32_t, double> sums;
  for (std::size_t i = 0; i < 3; ++i) {
    if (point.weights[i] == 0) continue;
    for (const Influence& influence : surface.influences_of(point.corners[i])) {
      sums[influence.joint] += point.weights[i] * influence.weight;
    }
  }
  const auto heaviest = std::max_element(
      sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return heaviest == sums.end() ? 0 : heaviest->first;
}

namespace {

const std::string& name_in(const BindSurface& surface, std::uint32_t id) {
  const auto joint = std::find(surface.joint_ids.begin(), surface.joint_ids.end(), id);
  return surface.joints[static_cast<std::size_t>(joint - surface.joint_ids.begin())].name;
}

}  // namespace

PlacedSurfaces placed_surfaces(Rigs a, Rigs b) {
  const SceneJoints a_nodes(a), b_nodes(b);
  SideScenes a_scenes, b_scenes;
  SideMeshes a_meshes = side_meshes(a, a_scenes), b_meshes = side_meshes(b, b_scenes);
  BindSurfaces surfaces{joints_and_influences(a, a_nodes, a_scenes),
                        joints_and_influences(b, b_nodes, b_scenes)};
  pair_joints(centres_of(a, a_nodes, a_scenes, a_meshes),
              centres_of(b, b_nodes, b_scenes, b_meshes), surfaces.a, surfaces.b);
  set_ids(a, a_nodes, surfaces.a, a_meshes);
  set_ids(b, b_nodes, surfaces.b, b_meshes);
  const PlacingJoints placing = placing_joints(a_meshes, b_meshes, heaviest_first(surfaces.a));
  std::optional<OtherPlacement> placement;
  if (const auto& instead = placing.instead) {
    placement = OtherPlacement{name_in(surfaces.a, instead->id),
                               name_in(surfaces.a, instead->heaviest), instead->apart_m};
  }
  add_meshes(a, a_meshes, placing.ranks, surfaces.a);
  add_meshes(b, b_meshes, placing.ranks, surfaces.b);
  return {std::move(surfaces), std::move(placement)};
}

BindSurfaces bind_surfaces(Rigs a, Rigs b) {
  return placed_surfaces(a, b).surfaces;
}

}  // namespace skinbake
