#include "support/rigs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/scalar.h"
#include "skinbake/frames.h"

namespace skinbake::test {

namespace {

void add_vertex(Mesh& mesh, const Vec3<double>& p, const Vec3<double>& n) {
  for (const double x : {p.x, p.y, p.z}) mesh.positions.push_back(static_cast<float>(x));
  for (const double x : {n.x, n.y, n.z}) mesh.normals.push_back(static_cast<float>(x));
}

std::shared_ptr<Mesh> tube_mesh(const TubeShape& s) {
  auto mesh = std::make_shared<Mesh>();
  for (int r = 0; r < s.rings; ++r) {
    const double y = s.height * r / (s.rings - 1);
    for (int k = 0; k < s.segments; ++k) {
      const double a = 2 * std::numbers::pi * k / s.segments;
      const Vec3<double> out{std::cos(a), 0, std::sin(a)};
      add_vertex(*mesh, s.origin + Vec3<double>{s.radius * out.x, y, s.radius * out.z}, out);
    }
  }
  add_vertex(*mesh, s.origin, {0, -1, 0});
  add_vertex(*mesh, s.origin + Vec3<double>{0, s.height, 0}, {0, 1, 0});
  const auto at = [&](int ring, int k) {
    return static_cast<VertexIndex>(ring * s.segments + k % s.segments);
  };
  const auto bottom = static_cast<VertexIndex>(s.rings * s.segments), top = bottom + 1;
  for (int k = 0; k < s.segments; ++k) {
    for (int r = 0; r + 1 < s.rings; ++r) {
      mesh->triangles.push_back({at(r, k), at(r + 1, k), at(r + 1, k + 1)});
      mesh->triangles.push_back({at(r, k), at(r + 1, k + 1), at(r, k + 1)});
    }
    mesh->triangles.push_back({bottom, at(0, k), at(0, k + 1)});
    mesh->triangles.push_back({top, at(s.rings - 1, k + 1), at(s.rings - 1, k)});
  }
  mesh->primitives.push_back({0, mesh->vertex_count()});
  return mesh;
}

// The `count` nearest joints of a vertical chain. The weight of a joint decreases with its
// distance.
std::vector<Influence> nearest(double at, int joints, int count) {
  std::vector<Influence> all;
  for (int j = 0; j < joints; ++j) {
    all.push_back({static_cast<JointIndex>(j), 1 / (0.25 + std::abs(at - j))});
  }
  std::sort(all.begin(), all.end(), [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  all.resize(static_cast<std::size_t>(std::min(count, joints)));
  double sum = 0;
  for (const Influence& i : all) sum += i.weight;
  for (Influence& i : all) i.weight /= sum;
  return all;
}

void set_influences(Rig& rig, const std::vector<std::vector<Influence>>& influences) {
  rig.first_influence = {0};
  for (const std::vector<Influence>& of_vertex : influences) {
    rig.influences.insert(rig.influences.end(), of_vertex.begin(), of_vertex.end());
    rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
  }
}

std::shared_ptr<Skeleton> skeleton_of(std::vector<Node> nodes) {
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->nodes = std::move(nodes);
  for (std::size_t n = 0; n < skeleton->nodes.size(); ++n) {
    skeleton->order.push_back(static_cast<NodeIndex>(n));
  }
  return skeleton;
}

// One joint for each node, at its rest position: the bind pose is the rest pose.
void bind_at_rest(Rig& rig, NodeIndex joint_count) {
  std::vector<Affine<double>> globals;
  for (NodeIndex n = 0; n < joint_count; ++n) {
    const Node& node = rig.skeleton->nodes[n];
    const Affine<double> turned = to_affine(node.rotation, node.translation);
    const Affine<double> local{node.scale.x * turned.x, node.scale.y * turned.y,
                               node.scale.z * turned.z, node.translation};
    globals.push_back(node.parent < 0 ? local : globals[node.parent] * local);
    rig.joints.push_back({n, inverse(globals.back())});
  }
}

}  // namespace

Rig tube(const TubeShape& s) {
  Rig rig;
  std::vector<Node> nodes(static_cast<std::size_t>(s.joints) + 1);
  const double step = s.height / s.joints;
  for (int j = 0; j < s.joints; ++j) {
    nodes[j].name = "joint" + std::to_string(j);
    nodes[j].parent = j - 1;
    nodes[j].translation =
        j == 0 ? s.origin + Vec3<double>{0, step / 2, 0} : Vec3<double>{0, step, 0};
  }
  nodes[s.joints].name = rig.id = "tube";
  rig.node = s.joints;
  rig.skinned = true;
  rig.skeleton = skeleton_of(std::move(nodes));
  const auto mesh = tube_mesh(s);
  rig.mesh = mesh;
  bind_at_rest(rig, s.joints);
  std::vector<std::vector<Influence>> influences;
  for (VertexIndex v = 0; v < mesh->vertex_count(); ++v) {
    const double y = double{mesh->positions[v * 3 + 1]} - s.origin.y;
    influences.push_back(nearest(y / step - 0.5, s.joints, s.influences));
  }
  set_influences(rig, influences);
  return rig;
}

Rig tube_of_many_tiles() {
  return tube({.rings = static_cast<int>(kVerticesPerTile) / 5, .segments = 13});
}

Rig loose(const std::vector<Vec3<double>>& points, const std::vector<Node>& nodes,
          const std::vector<std::vector<Influence>>& influences) {
  Rig rig;
  auto mesh = std::make_shared<Mesh>();
  for (const Vec3<double>& p : points) add_vertex(*mesh, p, {0, 0, 1});
  mesh->primitives.push_back({0, mesh->vertex_count()});
  rig.mesh = mesh;
  std::vector<Node> all = nodes;
  all.emplace_back().name = rig.id = "loose";
  rig.node = static_cast<NodeIndex>(nodes.size());
  rig.skinned = true;
  rig.skeleton = skeleton_of(std::move(all));
  bind_at_rest(rig, rig.node);
  set_influences(rig, influences);
  return rig;
}

void close_surface(Mesh& mesh) {
  const VertexIndex n = mesh.vertex_count();
  const VertexIndex turn = n >= 17 ? 6 : 2;
  for (VertexIndex v = 0; v < n; ++v) {
    const VertexIndex next = (v + 1) % n, up = (v + turn) % n, across = (v + turn + 1) % n;
    mesh.triangles.push_back({v, next, across});
    mesh.triangles.push_back({v, across, up});
  }
}

Channel channel(NodeIndex node, ChannelPath path, Interpolation interpolation,
                std::vector<double> times, std::vector<double> values, int width) {
  Channel c;
  c.node = node;
  c.path = path;
  c.interpolation = interpolation;
  c.width = width;
  c.times = std::make_shared<const std::vector<double>>(std::move(times));
  c.values = std::make_shared<const std::vector<double>>(std::move(values));
  return c;
}

Clip turning_clip(const Rig& rig, const Vec3<double>& axis, double angle, double duration_s) {
  Clip clip;
  clip.id = clip.name = "turn";
  clip.duration_s = duration_s;
  const double part = angle / static_cast<double>(std::max<std::size_t>(1, rig.joints.size() - 1));
  const double s = std::sin(part / 2), c = std::cos(part / 2);
  for (std::size_t j = 1; j < rig.joints.size(); ++j) {
    clip.channels.push_back(channel(rig.joints[j].node, ChannelPath::kRotation,
                                    Interpolation::kLinear, {0, duration_s},
                                    {0, 0, 0, 1, s * axis.x, s * axis.y, s * axis.z, c}, 4));
  }
  return clip;
}

}  // namespace skinbake::test
