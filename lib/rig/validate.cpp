// Validation of rigs, and the search for the element that makes a position overflow.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "rig/joint_tree.h"
#include "rig/surface/weld.h"
#include "rig/validate.h"

namespace skinbake {

namespace {

// Rounding error of the division of each weight by the sum, and of each addition afterwards.
constexpr double kSumRounding = 4.5e-16;

// Rounding errors of the squared length of a normalised vector, with a margin: computed in double,
// and stored in float.
constexpr double kUnitDouble = 1e-12;
constexpr double kUnitFloat = 1e-6;

// An element of the checked array, for messages: "vertex 17".
struct Of {
  const char* array;
  std::size_t index;
};

// Throws Error: "<subject> <problem>", or "<subject> <problem> (<element>)".
class Checker {
 public:
  Checker(std::string subject, const Location& location)
      : subject_(std::move(subject)), location_(location) {}

  void require(bool condition, const char* problem) const {
    if (!condition) fail(problem);
  }
  void require(bool condition, const char* problem, const Of& element) const {
    if (!condition) {
      fail(std::string(problem) + " (" + element.array + " " + std::to_string(element.index) + ")");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error("RIG_INVALID", subject_ + " " + problem, location_);
  }

  std::string subject_;
  const Location& location_;
};

bool is_node(const Skeleton& skeleton, NodeIndex node) {
  return node >= 0 && static_cast<std::size_t>(node) < skeleton.nodes.size();
}

bool is_unit(double squared_length, double tolerance) {
  return std::abs(squared_length - 1) <= tolerance;
}

bool is_identity(const Affine<double>& m) {
  return std::equal(&m.x.x, &m.x.x + 12, &kIdentity.x.x);
}

// Conditions 11 to 21, in their order.
class RigValidator : Checker {
 public:
  RigValidator(const Rig& rig, const Location& location)
      : Checker("mesh node '" + rig.id + "'", location), rig_(rig) {}

  void run() const {
    require(rig_.skeleton && rig_.mesh, "does not have a skeleton and a mesh");
    require(rig_.morph_weights.size() == rig_.mesh->morph_targets.size(),
            "does not have one morph weight per morph target");
    check_joints();
    check_influences();
    check_vertex_arrays();
    for (std::size_t t = 0; t < rig_.twists.size(); ++t) check_twist(rig_.twists[t], {"twist", t});
  }

 private:
  std::size_t vertex_count() const { return rig_.mesh->vertex_count(); }

  void check_joints() const {
    require(is_node(*rig_.skeleton, rig_.node), "is not a node of its skeleton");
    require(!rig_.joints.empty(), "does not have joints");
    for (std::size_t j = 0; j < rig_.joints.size(); ++j) {
      require(is_node(*rig_.skeleton, rig_.joints[j].node),
              "has a joint whose node is out of range", {"joint", j});
    }
    require(rig_.skinned || (rig_.joints.size() == 1 && rig_.joints[0].node == rig_.node &&
                             is_identity(rig_.joints[0].joint_from_model)),
            "is not skinned, but its own node with the identity is not its only joint");
  }

  void check_influences() const {
    const std::vector<std::uint32_t>& first = rig_.first_influence;
    require(first.size() == vertex_count() + 1 && first.front() == 0 &&
                first.back() == rig_.influences.size(),
            "has influences for another number of vertices");
    for (std::size_t v = 0; v < vertex_count(); ++v) {
      const Of vertex{"vertex", v};
      require(first[v] < first[v + 1], "has a vertex without an influence", vertex);
      require(first[v + 1] <= rig_.influences.size(), "has influences out of range", vertex);
      check_vertex(rig_.influences_of(static_cast<VertexIndex>(v)), vertex);
    }
  }

  void check_vertex(std::span<const Influence> influences, const Of& vertex) const {
    double sum = 0;
    for (std::size_t i = 0; i < influences.size(); ++i) {
      const Influence& here = influences[i];
      require(here.joint < rig_.joints.size(), "has an influence whose joint is out of range",
              vertex);
      require(here.weight > 0, "has a weight that is not positive", vertex);
      sum += here.weight;
      if (i == 0) continue;
      const Influence& before = influences[i - 1];
      require(before.weight > here.weight ||
                  (before.weight == here.weight && before.joint < here.joint),
              "has influences that do not descend by weight", vertex);
    }
    require(std::abs(sum - 1) <= kSumRounding * static_cast<double>(influences.size() + 1),
            "has a vertex whose weights do not sum to 1", vertex);
  }

  // Condition 16 for all vertices: a list per vertex would be quadratic in its influences.
  void check_joints_differ() const {
    std::vector<VertexIndex> last_vertex(rig_.joints.size(), ~VertexIndex{0});
    for (VertexIndex v = 0; v < vertex_count(); ++v) {
      for (const Influence& i : rig_.influences_of(v)) {
        require(last_vertex[i.joint] != v, "has a vertex with two influences of one joint",
                {"vertex", v});
        last_vertex[i.joint] = v;
      }
    }
  }

  void check_vertex_arrays() const {
    check_joints_differ();
    require(rig_.first_listed.empty() || rig_.first_listed.size() == vertex_count(),
            "has first listed influences for another number of vertices");
    for (std::size_t v = 0; v < rig_.first_listed.size(); ++v) {
      require(rig_.first_listed[v] < rig_.influences_of(static_cast<VertexIndex>(v)).size(),
              "has a first listed influence out of range", {"vertex", v});
    }
    const Weld* weld = rig_.weld_before_modifiers.get();
    require(weld == nullptr || weld->welded.size() == vertex_count(),
            "has modified influences of a mesh with another number of vertices");
  }

  void check_twist(const TwistChain& chain, const Of& twist) const {
    const auto require_joint = [&](JointIndex j) {
      require(j < rig_.joints.size(), "has a twist whose joint is out of range", twist);
    };
    for (const JointIndex j : {chain.joint, chain.from, chain.to}) require_joint(j);
    for (const TwistChain::Helper& helper : chain.helpers) {
      require_joint(helper.joint);
      require(std::abs(helper.share) <= 1, "has a twist with a share that is not from -1 to 1",
              twist);
    }
    const Vec3<double>& a = chain.axis;
    require(is_unit(a.x * a.x + a.y * a.y + a.z * a.z, kUnitDouble),
            "has a twist whose axis is not of unit length", twist);
  }

  const Rig& rig_;
};

}  // namespace

void validate(const Rig& rig) {
  require_read(rig);
  const Location location;
  Checker("mesh node '" + rig.id + "'", location)
      .require(rig.skeleton && rig.mesh, "does not have a skeleton and a mesh");
  validate(*rig.skeleton, location);
  validate(*rig.mesh, location);
  validate(rig, location);
}

void validate(const Skeleton& skeleton, const Location& location) {
  const Checker check("the node hierarchy", location);
  const std::size_t count = skeleton.nodes.size();
  check.require(skeleton.order.size() == count, "has an order with another number of nodes");
  std::vector<bool> seen(count);
  for (std::size_t i = 0; i < count; ++i) {
    const NodeIndex node = skeleton.order[i];
    check.require(is_node(skeleton, node), "has an order with a node out of range", {"entry", i});
    const auto n = static_cast<std::size_t>(node);
    check.require(!seen[n], "has an order with a node twice", {"node", n});
    const NodeIndex parent = skeleton.nodes[n].parent;
    check.require(
        parent == -1 || (is_node(skeleton, parent) && seen[static_cast<std::size_t>(parent)]),
        "has an order with a node before its parent", {"node", n});
    seen[n] = true;
    const Quat<double>& q = skeleton.nodes[n].rotation;
    check.require(skeleton.nodes[n].matrix ||
                      is_unit(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, kUnitFloat),
                  "has a rotation that is not of unit length", {"node", n});
  }
}

void validate(const Mesh& mesh, const Location& location) {
  const Checker check("mesh '" + mesh.name + "'", location);
  const std::size_t size = mesh.positions.size();
  check.require(size != 0 && size % 3 == 0,
                "does not have vertices, or not three coordinates per vertex");
  check.require(mesh.normals.empty() || mesh.normals.size() == size,
                "has normals for another number of vertices");
  check.require(
      mesh.tangents.empty() || (!mesh.normals.empty() && mesh.tangents.size() == size / 3 * 4),
      "has tangents for another number of vertices, or has tangents and does not have normals");
  for (std::size_t m = 0; m < mesh.morph_targets.size(); ++m) {
    const MorphTarget& target = mesh.morph_targets[m];
    const Of element{"morph target", m};
    check.require(target.positions.empty() || target.positions.size() == size,
                  "has a morph target for another number of vertices", element);
    check.require(target.normals.empty() || target.normals.size() == mesh.normals.size(),
                  "has another number of morphed normals than of normals", element);
    check.require(
        target.tangents.empty() || (!mesh.tangents.empty() && target.tangents.size() == size),
        "has another number of morphed tangents than of tangents", element);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    check.require(std::max({a, b, c}) < mesh.vertex_count(),
                  "has a triangle whose corner is out of range", {"triangle", t});
  }
  std::uint64_t end = 0;  // of the primitives so far
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    check.require(mesh.primitives[p].first_vertex == end,
                  "has primitives that do not follow one another", {"primitive", p});
    end += mesh.primitives[p].vertex_count;
  }
  check.require(mesh.primitives.empty() || end == mesh.vertex_count(),
                "has primitives that do not cover its vertices");
}

void validate(const Rig& rig, const Location& location) {
  RigValidator(rig, location).run();
}

namespace {

// Metres. No model is as large; two factors below it have a product that a float can represent.
constexpr double kHuge = 1e15;

struct Largest {
  double size = kHuge, value = 0;
  std::string element;

  void add(double x, const std::string& of) {
    if (!(std::abs(x) > size)) return;
    size = std::abs(x);
    value = x;
    element = of;
  }
};

std::string text_of(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", value);
  return digits;
}

}  // namespace

std::string huge_value(const Rig& rig, VertexIndex vertex, std::span<const JointIndex> joints) {
  Largest largest;
  const std::string of_vertex = " of vertex " + std::to_string(vertex);
  for (std::size_t i = std::size_t{vertex} * 3; i < std::size_t{vertex} * 3 + 3; ++i) {
    largest.add(rig.mesh->positions[i], "the POSITION" + of_vertex);
    for (std::size_t m = 0; m < rig.mesh->morph_targets.size(); ++m) {
      const std::vector<float>& deltas = rig.mesh->morph_targets[m].positions;
      const std::string element = "the POSITION in morph target " + std::to_string(m) + of_vertex;
      if (i < deltas.size()) largest.add(deltas[i], element);
    }
  }
  for (const JointIndex joint : joints) {
    const Affine<double>& matrix = rig.joints[joint].joint_from_model;
    const std::string element = "the inverse bind matrix of joint '" + joint_id(rig, joint) + "'";
    for (const Vec3<double>& v : {matrix.x, matrix.y, matrix.z, matrix.translation}) {
      for (const double x : {v.x, v.y, v.z}) largest.add(x, element);
    }
  }
  if (largest.element.empty()) return "";
  return largest.element + " contains " + text_of(largest.value);
}

}  // namespace skinbake
