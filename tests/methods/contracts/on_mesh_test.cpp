// Parameters that follow the mesh.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "skinbake/methods.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::captured;

// Points of two joints: so many have joint 0 alone, ten times as many joint 1 alone.
Rig regions_of(int points) {
  std::vector<Vec3<double>> positions;
  std::vector<std::vector<Influence>> influences;
  for (int i = 0; i < 11 * points; ++i) {
    positions.push_back({i * 0.25, (i % 7) * 0.5, 0});
    influences.push_back({{i < points ? 0u : 1u, 1}});
  }
  return test::loose(positions, std::vector<Node>(2), influences);
}

std::string on(const char* method, int points) {
  return on_mesh(parse_method(method), regions_of(points)).canonical();
}

}  // namespace

TEST_CASE("parameters that follow the mesh: a region is the lower median of the joints' points") {
  CHECK(region_points(regions_of(45)) == 45);
  CHECK(region_points(regions_of(1)) == 1);
}

TEST_CASE("parameters that follow the mesh: smoothing is a quarter of a region") {
  CHECK(on("dm", 3) == "dm:iterations=1");
  CHECK(on("dm", 45) == "dm:iterations=5");
  CHECK(on("dm", 500) == "dm:iterations=10");
  CHECK(on("ddm", 13) == "ddm:lambda=0.81,kappa=0.27,p=1");
  CHECK(on("ddm", 107) == "ddm:lambda=3,kappa=1,p=2");
  CHECK(on("ddm", 2000) == "ddm:lambda=3,kappa=1,p=20");
  CHECK(on("ddm", 1) == "ddm:lambda=0.06,kappa=0.02,p=1");
}

TEST_CASE("parameters that follow the mesh: explicit values keep their meaning") {
  for (const char* name : {"dm:iterations=10", "dm:iterations=0", "ddm:lambda=3,kappa=1,p=20",
                           "lbs", "cor:sigma=0.2"}) {
    CHECK(on(name, 13) == name);
  }
  CHECK(on("ddm:kappa=1", 13) == "ddm:lambda=3,kappa=1,p=1");  // lambda stays above kappa
  CHECK(on("ddm:lambda=0.003", 13) == "ddm:lambda=0.003,kappa=0.001,p=1");
  CHECK(parse_method("dm:iterations=auto") == parse_method("dm"));
  CHECK_THROWS(parse_method("dm:iterations=-1"));
  CHECK_THROWS(parse_method("dm:step=auto"));
}

TEST_CASE("parameters that follow the mesh: a bake has the bits of the name that it prints") {
  const Rig rig = test::tube({.rings = 9, .segments = 8, .joints = 4, .influences = 2});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 1.5);
  for (const char* name : {"dm", "ddm", "dm:base=dqs"}) {
    const std::string chosen = on_mesh(parse_method(name), rig).canonical();
    CHECK(chosen != name);
    const auto by_default = captured(rig, &clip, 4, name),
               by_name = captured(rig, &clip, 4, chosen);
    for (int f = 0; f < 4; ++f) {
      for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
        CHECK(test::same_bits(by_default.exact_at(f, v), by_name.exact_at(f, v)));
      }
    }
  }
}

}  // namespace skinbake
