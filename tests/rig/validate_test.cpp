#include "rig/validate.h"

#include <doctest/doctest.h>

#include <functional>

#include "support/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

bool is_valid_after(const std::function<void(Rig&)>& change) {
  Rig rig = load(skinned_triangle()).rigs.at(0);
  change(rig);
  try {
    validate(rig, {"test.gltf", "/nodes/0"});
  } catch (const Error& error) {
    CHECK(error.code() == "RIG_INVALID");
    CHECK(error.kind() == ErrorKind::kInput);
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("validate: what the loader makes is valid") {
  CHECK(is_valid_after([](Rig&) {}));
}

TEST_CASE("validate: one broken invariant of a rig at a time") {
  CHECK(!is_valid_after([](Rig& r) { r.joints.clear(); }));
  CHECK(!is_valid_after([](Rig& r) { r.joints[0].node = 99; }));
  CHECK(!is_valid_after([](Rig& r) { r.joints.pop_back(); }));
  CHECK(!is_valid_after([](Rig& r) { r.node = -1; }));
  CHECK(!is_valid_after([](Rig& r) { r.mesh = nullptr; }));
  CHECK(!is_valid_after([](Rig& r) { r.morph_weights = {1}; }));
  CHECK(!is_valid_after([](Rig& r) { r.weight_sums = {1}; }));
  CHECK(!is_valid_after([](Rig& r) { r.first_influence.pop_back(); }));
  CHECK(!is_valid_after([](Rig& r) { r.first_influence[1] = 0; }));
  CHECK(!is_valid_after([](Rig& r) { r.influences.pop_back(); }));
  CHECK(!is_valid_after([](Rig& r) { r.influences[0].weight = 0; }));
  CHECK(!is_valid_after([](Rig& r) { r.influences[0].weight = 0.6; }));
  CHECK(!is_valid_after([](Rig& r) { std::swap(r.influences[2], r.influences[3]); }));
  CHECK(!is_valid_after([](Rig& r) { r.influences[1].joint = 0; }));
}

TEST_CASE("validate: skeletons have parents first, meshes indices in range") {
  Skeleton skeleton{{Node{}, Node{}}, {0, 1}};
  skeleton.nodes[0].parent = 1;
  CHECK_THROWS_AS(validate(skeleton, {}), Error);
  skeleton.order = {1, 0};
  CHECK_NOTHROW(validate(skeleton, {}));
  skeleton.order = {1, 1};
  CHECK_THROWS_AS(validate(skeleton, {}), Error);

  Mesh mesh;
  CHECK_THROWS_AS(validate(mesh, {}), Error);
  mesh.positions.resize(9);
  CHECK_NOTHROW(validate(mesh, {}));
  mesh.triangles = {{0, 1, 3}};
  CHECK_THROWS_AS(validate(mesh, {}), Error);
  mesh.triangles.clear();
  mesh.normals.resize(3);
  CHECK_THROWS_AS(validate(mesh, {}), Error);
}
