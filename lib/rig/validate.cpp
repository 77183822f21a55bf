#include "rig/validate.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace skinbake {

namespace {

// Rounding of each division by the sum, and of each addition afterwards.
constexpr double kRounding = 4.5e-16;

// Rounding of a normalised vector's squared length, with room to spare.
constexpr double kUnit = 1e-12;

[[noreturn]] void fail(const std::string& name, const char* what, const Location& location) {
  throw Error(ErrorKind::kInput, "RIG_INVALID", name + " " + what, location);
}

class RigValidator {
 public:
  RigValidator(const Rig& rig, const Location& location) : rig_(rig), location_(location) {}

  void run() const {
    require(rig_.skeleton && rig_.mesh, "has no skeleton or no mesh");
    require(rig_.morph_weights.size() == rig_.mesh->morph_targets.size(),
            "has another number of morph weights than targets");
    check_joints();
    check_influences();
    check_twists();
  }

 private:
  void require(bool holds, const char* what) const {
    if (!holds) fail("mesh node '" + rig_.id + "'", what, location_);
  }

  bool is_node(NodeIndex node) const {
    return node >= 0 && static_cast<std::size_t>(node) < rig_.skeleton->nodes.size();
  }

  void check_joints() const {
    require(!rig_.joints.empty(), "has no joints");
    require(is_node(rig_.node), "is not a node");
    for (const Joint& joint : rig_.joints) require(is_node(joint.node), "has a joint out of range");
  }

  void check_influences() const {
    const std::size_t vertices = rig_.mesh->vertex_count();
    require(rig_.first_influence.size() == vertices + 1 && rig_.first_influence.front() == 0 &&
                rig_.first_influence.back() == rig_.influences.size(),
            "has influences for another number of vertices");
    require(rig_.weight_sums.empty() || rig_.weight_sums.size() == vertices,
            "has weight sums for another number of vertices");
    require(rig_.first_listed.empty() || rig_.first_listed.size() == vertices,
            "has first influences for another number of vertices");
    for (std::size_t v = 0; v < vertices; ++v) {
      require(rig_.first_influence[v] < rig_.first_influence[v + 1],
              "has a vertex without an influence");
      check_vertex(rig_.influences_of(static_cast<VertexIndex>(v)));
      require(rig_.first_listed.empty() ||
                  rig_.first_listed[v] < rig_.influences_of(static_cast<VertexIndex>(v)).size(),
              "has a first influence out of range");
    }
  }

  void check_vertex(std::span<const Influence> influences) const {
    double sum = 0;
    for (std::size_t i = 0; i < influences.size(); ++i) {
      const Influence& here = influences[i];
      require(here.joint < rig_.joints.size(), "has an influence of a joint out of range");
      require(here.weight > 0, "has a weight that is not positive");
      sum += here.weight;
      if (i == 0) continue;
      const Influence& before = influences[i - 1];
      require(before.weight > here.weight ||
                  (before.weight == here.weight && before.joint < here.joint),
              "has influences out of order");
    }
    require(std::abs(sum - 1) <= kRounding * static_cast<double>(influences.size() + 1),
            "has weights whose sum is not 1");
  }

  void check_twists() const {
    const auto require_joint = [&](JointIndex j) {
      require(j < rig_.joints.size(), "has a twist of a joint out of range");
    };
    for (const TwistChain& chain : rig_.twists) {
      for (const JointIndex j : {chain.joint, chain.from, chain.to}) require_joint(j);
      for (const TwistChain::Helper& helper : chain.helpers) require_joint(helper.joint);
      const Vec3<double>& a = chain.axis;
      require(std::abs(a.x * a.x + a.y * a.y + a.z * a.z - 1) <= kUnit,
              "has a twist about an axis that is not of unit length");
    }
  }

  const Rig& rig_;
  const Location& location_;
};

}  // namespace

void validate(const Skeleton& skeleton, const Location& location) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds) fail("the node hierarchy", what, location);
  };
  const std::size_t count = skeleton.nodes.size();
  const auto is_node = [&](NodeIndex n) { return n >= 0 && static_cast<std::size_t>(n) < count; };
  require(skeleton.order.size() == count, "has an order that is not complete");
  std::vector<bool> placed(count);
  for (const NodeIndex node : skeleton.order) {
    require(is_node(node), "has a node out of range");
    require(!placed[static_cast<std::size_t>(node)], "has a node twice in its order");
    const NodeIndex parent = skeleton.nodes[static_cast<std::size_t>(node)].parent;
    require(parent == -1 || (is_node(parent) && placed[static_cast<std::size_t>(parent)]),
            "has a node that comes before its parent");
    placed[static_cast<std::size_t>(node)] = true;
  }
}

void validate(const Mesh& mesh, const Location& location) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds) fail("mesh '" + mesh.name + "'", what, location);
  };
  const std::size_t size = mesh.positions.size();
  require(size != 0 && size % 3 == 0, "has no vertices");
  require(mesh.normals.empty() || mesh.normals.size() == size, "has too few or too many normals");
  require(mesh.tangents.empty() || (!mesh.normals.empty() && mesh.tangents.size() / 4 == size / 3),
          "has too few or too many tangents, or no normals beside them");
  for (const MorphTarget& target : mesh.morph_targets) {
    require(target.positions.empty() || target.positions.size() == size,
            "has a morph target of another size");
    require(target.normals.empty() || target.normals.size() == mesh.normals.size(),
            "has morphed normals of another number");
    require(target.tangents.empty() || (!mesh.tangents.empty() && target.tangents.size() == size),
            "has morphed tangents of another number");
  }
  VertexIndex greatest = 0;
  for (const auto& [a, b, c] : mesh.triangles) greatest = std::max({greatest, a, b, c});
  require(greatest < mesh.vertex_count(), "has a triangle with a vertex out of range");
}

void validate(const Rig& rig, const Location& location) {
  RigValidator(rig, location).run();
}

}  // namespace skinbake
