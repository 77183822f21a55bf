#include "rig/validate.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

#include "rig/surface/weld.h"
#include "support/gltf/gltf_file.h"
#include "support/rigs.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

// A rig of two triangles with every kind of data that validation looks at, as mutable parts.
struct Parts {
  Rig rig;
  Skeleton skeleton;
  Mesh mesh;
};

Parts valid_parts() {
  Parts parts;
  parts.rig = load(skinned_triangle()).rigs.at(0);
  parts.skeleton = *parts.rig.skeleton;
  parts.mesh = *parts.rig.mesh;
  const std::size_t vertices = parts.mesh.vertex_count();
  parts.mesh.normals.assign(vertices * 3, 1);
  parts.mesh.tangents.assign(vertices * 4, 1);
  parts.mesh.morph_targets = {{parts.mesh.positions, parts.mesh.normals, parts.mesh.positions}};
  parts.rig.morph_weights = {0.5};
  parts.rig.first_listed.assign(vertices, 0);
  TwistChain chain;
  chain.helpers = {{1, 0.5}};
  chain.to = 1;
  parts.rig.twists = {chain};
  return parts;
}

// The problem that `validate` names after a change; empty: the rig is valid.
std::string problem_after(const std::function<void(Parts&)>& change) {
  Parts parts = valid_parts();
  parts.rig.id = "R";
  parts.mesh.name = "M";
  change(parts);
  if (parts.rig.skeleton) parts.rig.skeleton = std::make_shared<const Skeleton>(parts.skeleton);
  if (parts.rig.mesh) parts.rig.mesh = std::make_shared<const Mesh>(parts.mesh);
  try {
    validate(parts.rig);
  } catch (const Error& error) {
    CHECK(error.code() == "RIG_INVALID");
    CHECK(error.kind() == ErrorKind::kInput);
    const std::string text = error.message();
    const std::size_t subject_end = text.find("' ");
    const std::size_t start = subject_end == std::string::npos ? 0 : subject_end + 2;
    return text.substr(start);
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("validate: rigs of the loader and rigs built in code are valid") {
  CHECK(problem_after([](Parts&) {}) == "");
  CHECK_NOTHROW(validate(load(skinned_triangle()).rigs.at(0)));
  CHECK_NOTHROW(validate(tube({})));
}

TEST_CASE("validate: a rig without a skeleton or a mesh is rejected") {
  CHECK(has(problem_after([](Parts& p) { p.rig.skeleton = nullptr; }), "does not have a skeleton"));
  CHECK(has(problem_after([](Parts& p) { p.rig.mesh = nullptr; }), "does not have a skeleton"));
  CHECK_THROWS_AS(validate(Rig{}), Error);
  CHECK_THROWS_AS(validate(Rig{}, {}), Error);
}

TEST_CASE("validate: one broken condition of the skeleton at a time") {
  CHECK(has(problem_after([](Parts& p) { p.skeleton.order.pop_back(); }), "another number"));
  CHECK(has(problem_after([](Parts& p) { p.skeleton.order[0] = 99; }), "a node out of range"));
  CHECK(has(problem_after([](Parts& p) { p.skeleton.order[0] = -1; }), "a node out of range"));
  CHECK(has(problem_after([](Parts& p) { p.skeleton.order[1] = p.skeleton.order[0]; }), "twice"));
  CHECK(has(problem_after([](Parts& p) {
              p.skeleton.nodes[static_cast<std::size_t>(p.skeleton.order[0])].parent =
                  p.skeleton.order[1];
            }),
            "before its parent"));
  CHECK(has(problem_after([](Parts& p) { p.skeleton.nodes[0].parent = 99; }), "before its parent"));
  CHECK(has(problem_after([](Parts& p) { p.skeleton.nodes[0].parent = -2; }), "before its parent"));
  CHECK(has(problem_after([](Parts& p) { p.skeleton.nodes[0].rotation.w = 2; }), "rotation"));
  CHECK(problem_after([](Parts& p) {
          p.skeleton.nodes[0].rotation.w = 2;
          p.skeleton.nodes[0].matrix = kIdentity;  // the rotation is not used
        }) == "");
}

TEST_CASE("validate: one broken condition of the mesh at a time") {
  CHECK(has(problem_after([](Parts& p) { p.mesh.positions.clear(); }), "does not have vertices"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.positions.pop_back(); }), "three coordinates"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.normals.pop_back(); }), "normals for another"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.tangents.pop_back(); }), "tangents for another"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.normals.clear(); }), "does not have normals"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.morph_targets[0].positions.pop_back(); }),
            "morph target for another"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.morph_targets[0].normals.pop_back(); }),
            "morphed normals"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.morph_targets[0].tangents.pop_back(); }),
            "morphed tangents"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.tangents.clear(); }), "morphed tangents"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.triangles = {{0, 1, 99}}; }), "corner"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.primitives = {{1, 2}}; }), "follow one another"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.primitives = {{0, 1}}; }), "cover its vertices"));
  CHECK(has(problem_after([](Parts& p) { p.mesh.primitives = {{0, ~VertexIndex{0}}}; }), "cover"));
  CHECK(problem_after([](Parts& p) { p.mesh.primitives.clear(); }) == "");
}

TEST_CASE("validate: one broken condition of nodes, joints and morph weights at a time") {
  CHECK(has(problem_after([](Parts& p) { p.rig.morph_weights = {1, 2}; }), "morph weight"));
  CHECK(has(problem_after([](Parts& p) { p.rig.node = -1; }), "is not a node"));
  CHECK(has(problem_after([](Parts& p) { p.rig.node = 99; }), "is not a node"));
  CHECK(has(problem_after([](Parts& p) { p.rig.joints.clear(); }), "does not have joints"));
  CHECK(has(problem_after([](Parts& p) { p.rig.joints[0].node = 99; }), "joint whose node"));
  CHECK(has(problem_after([](Parts& p) { p.rig.joints[0].node = -1; }), "joint whose node"));
  CHECK(has(problem_after([](Parts& p) { p.rig.skinned = false; }), "is not skinned"));
}

TEST_CASE("validate: one broken condition of the influences at a time") {
  CHECK(has(problem_after([](Parts& p) { p.rig.first_influence.clear(); }), "another number"));
  CHECK(has(problem_after([](Parts& p) { p.rig.first_influence.pop_back(); }), "another number"));
  CHECK(has(problem_after([](Parts& p) { p.rig.first_influence[0] = 1; }), "another number"));
  CHECK(has(problem_after([](Parts& p) { p.rig.influences.pop_back(); }), "another number"));
  CHECK(has(problem_after([](Parts& p) { p.rig.first_influence[1] = 0; }), "without an influence"));
  CHECK(has(problem_after([](Parts& p) { p.rig.first_influence[1] = 1000; }), "out of range"));
  CHECK(has(problem_after([](Parts& p) { p.rig.influences[0].joint = 99; }), "joint is out of"));
  CHECK(has(problem_after([](Parts& p) { p.rig.joints.pop_back(); }), "joint is out of"));
  CHECK(has(problem_after([](Parts& p) { p.rig.influences[0].weight = 0; }), "not positive"));
  CHECK(has(problem_after([](Parts& p) {
              p.rig.influences[0].weight = std::numeric_limits<double>::quiet_NaN();
            }),
            "not positive"));
  CHECK(has(problem_after([](Parts& p) { p.rig.influences[0].weight = 0.6; }), "do not sum to 1"));
  CHECK(has(problem_after([](Parts& p) { std::swap(p.rig.influences[2], p.rig.influences[3]); }),
            "do not descend"));
  CHECK(has(problem_after([](Parts& p) { p.rig.influences[1].joint = 0; }), "do not descend"));
  CHECK(has(problem_after([](Parts& p) {
              p.rig.influences[0] = {0, 0.75};
              p.rig.influences[1] = {0, 0.25};
            }),
            "two influences of one joint"));
}

TEST_CASE("validate: one broken condition of the arrays per vertex at a time") {
  CHECK(has(problem_after([](Parts& p) { p.rig.first_listed.pop_back(); }), "first listed"));
  CHECK(has(problem_after([](Parts& p) { p.rig.first_listed[0] = 9; }), "first listed"));
  CHECK(has(
      problem_after([](Parts& p) { p.rig.weld_before_modifiers = std::make_shared<const Weld>(); }),
      "modified influences"));
}

TEST_CASE("validate: one broken condition of the twists at a time") {
  CHECK(has(problem_after([](Parts& p) { p.rig.twists[0].joint = 99; }), "twist whose joint"));
  CHECK(has(problem_after([](Parts& p) { p.rig.twists[0].from = 99; }), "twist whose joint"));
  CHECK(has(problem_after([](Parts& p) { p.rig.twists[0].to = 99; }), "twist whose joint"));
  CHECK(has(problem_after([](Parts& p) { p.rig.twists[0].helpers[0].joint = 99; }),
            "twist whose joint"));
  CHECK(has(problem_after([](Parts& p) { p.rig.twists[0].helpers[0].share = -1.5; }), "share"));
  CHECK(has(problem_after([](Parts& p) { p.rig.twists[0].axis = {0, 2, 0}; }), "unit length"));
}

TEST_CASE("validate: the message names the element of a list") {
  CHECK(problem_after([](Parts& p) { p.rig.influences.back().weight = 0; }) ==
        "has a weight that is not positive (vertex 2)");
  CHECK(problem_after([](Parts& p) { p.rig.joints[1].node = 99; }) ==
        "has a joint whose node is out of range (joint 1)");
  CHECK(problem_after([](Parts& p) { p.rig.first_listed[1] = 9; }) ==
        "has a first listed influence out of range (vertex 1)");
  CHECK(problem_after([](Parts& p) {
          p.rig.twists[0].axis = {0, 2, 0};
        }) == "has a twist whose axis is not of unit length (twist 0)");
  CHECK(problem_after([](Parts& p) {
          p.mesh.triangles = {{0, 1, 2}, {0, 1, 99}};
        }) == "has a triangle whose corner is out of range (triangle 1)");
  CHECK(problem_after([](Parts& p) {
          p.mesh.primitives = {{0, 2}, {1, 1}};
        }) == "has primitives that do not follow one another (primitive 1)");
  CHECK(problem_after([](Parts& p) { p.mesh.morph_targets[0].positions.pop_back(); }) ==
        "has a morph target for another number of vertices (morph target 0)");
}

TEST_CASE("validate: the parts name their location") {
  const Location location{"test.gltf", "/meshes/0"};
  Mesh mesh;
  try {
    validate(mesh, location);
    FAIL("an empty mesh is invalid");
  } catch (const Error& error) {
    CHECK(error.location().pointer == "/meshes/0");
  }
}
