#include "fit/correctives/corrective_fit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "support/rigs.h"

namespace skinbake {
namespace {

// A square of two triangles in the plane z = 0, with normals along z.
Rig square() {
  Rig rig = test::loose({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {Node{}},
                        {{{0, 1}}, {{0, 1}}, {{0, 1}}, {{0, 1}}});
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  mesh->normals = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  rig.mesh = mesh;
  return rig;
}

// A target that tilts the plane: z = slope x.
AddedMorphs tilt(float slope, float rest) {
  AddedMorphs morphs;
  morphs.base_positions = {0, 0, 0, 1, 0, -rest * slope, 1, 1, -rest * slope, 0, 1, 0};
  morphs.targets = {{{0, 0, 0, 0, 0, slope, 0, 0, slope, 0, 0, 0}, {}, {}}};
  morphs.rest_weights = {rest};
  return morphs;
}

}  // namespace

TEST_CASE("fit: the normal of a plane that a target tilts turns by the slope") {
  AddedMorphs morphs = tilt(0.25f, 0);
  fit::add_normals(square(), morphs);
  REQUIRE(morphs.targets[0].normals.size() == 12);
  for (std::size_t v = 0; v < 12; v += 3) {
    CHECK(morphs.targets[0].normals[v] == doctest::Approx(-0.25));
    CHECK(morphs.targets[0].normals[v + 1] == doctest::Approx(0));
    CHECK(morphs.targets[0].normals[v + 2] == doctest::Approx(0));
  }
  CHECK(morphs.base_normals == square().mesh->normals);
}

TEST_CASE("fit: base normals are of unit length, and with weights at rest have the old direction") {
  AddedMorphs morphs = tilt(0.5f, 0.5f);
  fit::add_normals(square(), morphs);
  for (std::size_t v = 0; v < 12; v += 3) {
    const float* base = morphs.base_normals.data() + v;
    const float* turn = morphs.targets[0].normals.data() + v;
    CHECK(std::hypot(base[0], base[1], base[2]) == doctest::Approx(1));
    CHECK(base[0] / base[2] == doctest::Approx(0.25));  // the base is tilted to the other side
    CHECK(base[0] + 0.5f * turn[0] == doctest::Approx(0));
    CHECK((base[0] + turn[0]) / base[2] == doctest::Approx(-0.25));
  }
}

TEST_CASE("fit: a mesh without normals does not get any") {
  Rig rig = square();
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->normals.clear();
  rig.mesh = mesh;
  AddedMorphs morphs = tilt(1, 0);
  fit::add_normals(rig, morphs);
  CHECK(morphs.targets[0].normals.empty());
  CHECK(morphs.base_normals.empty());
}

}  // namespace skinbake
