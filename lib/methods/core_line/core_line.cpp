#include "methods/core_line/core_line.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "math/scalar.h"
#include "rig/joint_tree.h"
#include "rig/surface/weld.h"

namespace skinbake {

namespace {

// Joints that are closer than this share of the skeleton's size have the same position, as in
// JointTree.
constexpr double kSamePlace = 1e-6;
constexpr double kLeastReach = 0.01;  // share of the shorter bone
constexpr std::size_t kEdgeNumbers = 11;

// An edge of one vertex, with the weights of its two influences.
struct EdgeWeights {
  JointIndex parent, child;
  double parent_weight, child_weight;
};

// The edges of a vertex, in the order of its influences.
std::vector<EdgeWeights> edges_of(const BindInput& input, VertexIndex v) {
  std::vector<EdgeWeights> edges;
  const auto influences = input.rig.influences_of(v);
  for (const Influence& child : influences) {
    const int parent = input.tree.parents[child.joint];
    if (parent < 0) continue;
    for (const Influence& other : influences) {
      if (other.joint != static_cast<JointIndex>(parent)) continue;
      edges.push_back({other.joint, child.joint, other.weight, child.weight});
    }
  }
  return edges;
}

// A direction and a length; both are zero if head and tip are at one position.
struct Bone {
  Vec3<double> axis{0, 0, 0};
  double length = 0;
};

Bone bone_between(const Vec3<double>& from, const Vec3<double>& to, double same) {
  const Vec3<double> d = to - from;
  const double length = norm(d);
  if (!(length > same)) return {};
  return {(1 / length) * d, length};
}

struct Edge : CoreEdge {
  double parent_length = 0, child_length = 0;
};

Edge make_edge(const JointTree& tree, JointIndex child, double same) {
  Edge edge;
  edge.child = child;
  edge.parent = static_cast<JointIndex>(tree.parents[child]);
  edge.head = tree.heads[child];
  Bone before = bone_between(tree.heads[edge.parent], edge.head, same);
  Bone after = bone_between(edge.head, tree.tips[child], same);
  if (after.length == 0) after = {tree.directions[child], before.length};
  if (norm(after.axis) == 0) after.axis = before.axis;
  if (before.length == 0) before = after;
  edge.parent_axis = before.axis;
  edge.child_axis = after.axis;
  edge.parent_length = before.length;
  edge.child_length = after.length;
  return edge;
}

double foot_of(const CoreEdge& edge, const Vec3<double>& v) {
  const Vec3<double> from_head = v - edge.head;
  return std::min(0.0, dot(from_head, edge.parent_axis)) +
         std::max(0.0, dot(from_head, edge.child_axis));
}

// The point of the core at arc length x.
Vec3<double> core_point(const CoreEdge& edge, double x) {
  return fma(x, x < 0 ? edge.parent_axis : edge.child_axis, edge.head);
}

// Sums over the vertices of an edge, weighted by w_0 w_1.
struct Moments {
  double weight = 0, first = 0, second = 0;
};

void find_reaches(const Moments& moments, Edge& edge) {
  const double mean = moments.first / moments.weight;
  const double variance = std::max(0.0, moments.second / moments.weight - mean * mean);
  const double half = sqrt(5.0) * sqrt(variance);
  const double least = kLeastReach * std::min(edge.parent_length, edge.child_length);
  edge.parent_reach = std::clamp(half - mean, least, edge.parent_length);
  edge.child_reach = std::clamp(half + mean, least, edge.child_length);
}

void set_joint_parameters(const BindInput& input, CoreEdge& edge) {
  auto given = input.joint_parameters.find(joint_id(input.rig, edge.child));
  if (given == input.joint_parameters.end()) {  // if several joints have the name
    const NodeIndex node = input.rig.joints[edge.child].node;
    given = input.joint_parameters.find("#" + std::to_string(node));
  }
  if (given == input.joint_parameters.end()) return;
  const auto set = [&](const char* name, double& number) {
    const auto one = given->second.find(name);
    if (one != given->second.end()) number = one->second;
  };
  set("r0", edge.parent_reach);
  set("r1", edge.child_reach);
  set("s", edge.s);
}

struct Edges {
  std::vector<Edge> edges;    // in the order of their children
  std::vector<int> of_child;  // [joint] or -1
};

// Every edge whose two joints share a vertex.
Edges find_edges(const BindInput& input, const CoreSettings& settings) {
  const std::size_t joint_count = input.rig.joints.size();
  double size = 0;
  for (const Vec3<double>& head : input.tree.heads) {
    size = std::max(size, norm(head - input.tree.heads[0]));
  }
  std::vector<Edge> all(joint_count);
  for (const JointIndex j : input.tree.order) {
    if (input.tree.parents[j] >= 0) all[j] = make_edge(input.tree, j, kSamePlace * size);
  }
  std::vector<Moments> moments(joint_count);
  const Weld weld = weld_vertices(input.rig, WeldBy::kFinal);
  for (VertexIndex v = 0; v < weld.welded.size(); ++v) {
    if (weld.welded[v] != v) continue;
    for (const EdgeWeights& e : edges_of(input, v)) {
      const double x = foot_of(all[e.child], input.position(v));
      const double weight = e.parent_weight * e.child_weight;
      Moments& sums = moments[e.child];
      sums.weight += weight;
      sums.first += weight * x;
      sums.second += weight * x * x;
    }
  }
  Edges found;
  found.of_child.assign(joint_count, -1);
  for (JointIndex j = 0; j < joint_count; ++j) {
    if (!(moments[j].weight > 0)) continue;
    find_reaches(moments[j], all[j]);
    all[j].s = settings.s;
    set_joint_parameters(input, all[j]);
    found.of_child[j] = static_cast<int>(found.edges.size());
    found.edges.push_back(all[j]);
  }
  return found;
}

void put_vector(const Vec3<double>& v, double* to) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

void add_part(const CoreEdge& e, BindData& bind_data) {
  bind_data.part_joints.insert(bind_data.part_joints.end(), {e.parent, e.child});
  bind_data.first_part_joint.push_back(static_cast<std::uint32_t>(bind_data.part_joints.size()));
  for (const Vec3<double>& v : {e.head, e.parent_axis, e.child_axis}) {
    bind_data.part_numbers.insert(bind_data.part_numbers.end(), {v.x, v.y, v.z});
  }
  bind_data.part_numbers.insert(bind_data.part_numbers.end(), {e.parent_reach, e.child_reach});
}

// The clamped foot of a vertex, for curves that depend on the foot alone.
double clamped_foot(const CoreEdge& edge, const CoreFoot& foot) {
  const double width = edge.parent_reach + edge.child_reach;
  const double middle = (1 - foot.t) * width - edge.parent_reach;
  const double most = width * sqrt(foot.t * (1 - foot.t) / 3);
  return std::clamp(foot.x, middle - most, middle + most);
}

class Binder {
 public:
  Binder(const BindInput& input, const CoreCurve& curve, const CoreSettings& settings)
      : input_(input), curve_(curve), settings_(settings), edges_(find_edges(input, settings)) {}

  BindData bind() const {
    BindData bind_data;
    bind_data.numbers_per_part = kEdgeNumbers;
    bind_data.first_part_joint = {0};
    for (const Edge& edge : edges_.edges) add_part(edge, bind_data);
    const std::size_t row = numbers_per_edge(curve_.number_count);
    bind_data.numbers_per_entry = static_cast<std::uint32_t>(row / kEntriesPerEdge);
    const VertexIndex vertex_count = input_.rig.mesh->vertex_count();
    bind_data.first_entry = {0};
    for (VertexIndex v = 0; v < vertex_count; ++v) {
      const std::size_t entries = kEntriesPerEdge * bound_edges(v).size();
      bind_data.first_entry.push_back(bind_data.first_entry.back() +
                                      static_cast<std::uint32_t>(entries));
    }
    bind_data.indices.resize(bind_data.first_entry.back());
    bind_data.numbers.resize(std::size_t{bind_data.first_entry.back()} *
                             bind_data.numbers_per_entry);
    input_.in_parallel(vertex_count, [&](std::size_t first, std::size_t last) {
      for (std::size_t v = first; v < last; ++v)
        bind_vertex(static_cast<VertexIndex>(v), bind_data);
    });
    return bind_data;
  }

 private:
  // The edges of a vertex whose product of weights is not rounded to zero.
  std::vector<EdgeWeights> bound_edges(VertexIndex v) const {
    std::vector<EdgeWeights> edges = edges_of(input_, v);
    std::erase_if(edges, [&](const EdgeWeights& e) {
      return edges_.of_child[e.child] < 0 || !(e.parent_weight * e.child_weight > 0);
    });
    return edges;
  }

  void bind_vertex(VertexIndex v, BindData& bind_data) const {
    const std::vector<EdgeWeights> edges = bound_edges(v);
    double products = 0;
    for (const EdgeWeights& e : edges) products += e.parent_weight * e.child_weight;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const EdgeWeights& e = edges[i];
      const std::size_t entry = bind_data.first_entry[v] + kEntriesPerEdge * i;
      const auto part = static_cast<std::size_t>(edges_.of_child[e.child]);
      const double sum = e.parent_weight + e.child_weight;
      double* numbers = bind_data.numbers.data() + entry * bind_data.numbers_per_entry;
      numbers[kEdgeShare] = e.parent_weight / sum;
      numbers[kEdgeCounts] = sum * (e.parent_weight * e.child_weight / products);
      set_curve(edges_.edges[part], input_.position(v), numbers);
      bind_data.indices[entry] = static_cast<std::uint32_t>(part);
      bind_data.indices[entry + 1] = e.parent;
      bind_data.indices[entry + 2] = e.child;
    }
  }

  void set_curve(const CoreEdge& edge, const Vec3<double>& v, double* numbers) const {
    CoreFoot foot{numbers[kEdgeShare], foot_of(edge, v)};
    const Vec3<double> core = core_point(edge, foot.x);
    if (curve_.of_foot_alone && !settings_.faithful) foot.x = clamped_foot(edge, foot);
    double* of_curve = numbers + kNumbersBeforeCurve;
    curve_.describe(edge, foot, of_curve);
    const Vec3<double> rest = settings_.faithful ? core : curve_.at_rest(edge, of_curve);
    put_vector(rest, numbers + kEdgeRest);
  }

  const BindInput& input_;
  const CoreCurve& curve_;
  const CoreSettings& settings_;
  Edges edges_;
};

}  // namespace

BindData bind_core_line(const BindInput& input, const CoreCurve& curve,
                        const CoreSettings& settings) {
  return Binder(input, curve, settings).bind();
}

CoreEdge edge_of(const PartOf& part) {
  const std::span<const double> n = part.numbers;
  CoreEdge edge;
  edge.parent = part.joints[0];
  edge.child = part.joints[1];
  edge.head = {n[0], n[1], n[2]};
  edge.parent_axis = {n[3], n[4], n[5]};
  edge.child_axis = {n[6], n[7], n[8]};
  edge.parent_reach = n[9];
  edge.child_reach = n[10];
  return edge;
}

}  // namespace skinbake
