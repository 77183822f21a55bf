#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "metrics/shapes.h"

namespace skinbake {

using namespace test;

TEST_CASE("baseline: without transforms it is the mesh, D is the diagonal of its bounding box") {
  const BaselinePose pose = bind_baseline(rigid(cube({0, 0, 0})));
  CHECK(pose.kind == Baseline::kBind);
  CHECK(pose.positions[3] == 1);
  CHECK(pose.bbox_diagonal_m == doctest::Approx(std::sqrt(3.0)));
  CHECK(pose.issues.empty());
}

TEST_CASE("baseline: a scale in the heaviest joint is applied") {
  Weights weights(8, {{1, 0.75}, {0, 0.25}});
  Rig rig = chained(cube({0, 0, 0}), 2, weights);
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[0].translation = {5, 0, 0};
  skeleton->nodes[1].scale = {2, 3, 4};
  rig.skeleton = skeleton;
  rig.joints[1].joint_from_model.translation = {1, 0, 0};
  const BaselinePose pose = bind_baseline(rig);
  CHECK(pose.positions[21] == doctest::Approx(5 + 2 * (1 + 1)));
  CHECK(pose.positions[22] == doctest::Approx(3));
  CHECK(build_topology(rig, pose).components[0].baseline_volume_m3 == doctest::Approx(24));
}

TEST_CASE("baseline: of equally heavy joints the lowest counts") {
  Rig rig = chained(cube({0, 0, 0}), 2, Weights(8, {{0, 0.5}, {1, 0.5}}));
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[1].scale = {2, 2, 2};
  rig.skeleton = skeleton;
  CHECK(bind_baseline(rig).bbox_diagonal_m == doctest::Approx(std::sqrt(3.0)));
}

TEST_CASE("baseline: default morph weights are applied") {
  Rig rig = rigid(cube({0, 0, 0}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->morph_targets.push_back({std::vector<float>(24, 2.0f), {}, {}});
  rig.mesh = mesh;
  rig.morph_weights = {0.5};
  CHECK(bind_baseline(rig).positions[0] == 1);
}

TEST_CASE("baseline: the error names the element whose number is huge") {
  Rig rig = rigid(cube({0, 0, 0}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->positions[3] = 3e38f;
  rig.mesh = mesh;
  rig.joints[0].joint_from_model.x.x = 1e20;
  CHECK_THROWS_WITH_AS(bind_baseline(rig), doctest::Contains("the POSITION of vertex 1 contains"),
                       Error);
  mesh->positions[3] = 1;
  rig.joints[0].joint_from_model.x.x = 1e39;
  CHECK_THROWS_WITH_AS(bind_baseline(rig),
                       doctest::Contains("the inverse bind matrix of joint '#0' contains 1e+39"),
                       Error);
}

TEST_CASE("baseline: a position that is not a finite float is an error, not an infinite diagonal") {
  Rig rig = rigid(cube({0, 0, 0}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->morph_targets.push_back({std::vector<float>(24, 2.0f), {}, {}});
  rig.mesh = mesh;
  for (const double weight : {1e308, 1e39, -1e39, std::nan("")}) {
    rig.morph_weights = {weight};
    CHECK_THROWS_WITH_AS(bind_baseline(rig), doctest::Contains("vertex 0: the position at bind"),
                         Error);
  }
  rig.morph_weights = {1e38};
  CHECK(std::isfinite(bind_baseline(rig).bbox_diagonal_m));
}

TEST_CASE("baseline: default morph weights that enlarge the diagonal a thousandfold are an error") {
  Rig rig = rigid(cube({0, 0, 0}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  std::vector<float> deltas(24, 0);
  deltas[0] = -1;
  mesh->morph_targets.push_back({deltas, {}, {}});
  rig.mesh = mesh;
  rig.morph_weights = {1000};
  CHECK(bind_baseline(rig).bbox_diagonal_m == doctest::Approx(1001).epsilon(1e-3));
  for (const double weight : {1e5, 1e30, -1e30}) {
    rig.morph_weights = {weight};
    CHECK_THROWS_WITH_AS(bind_baseline(rig), doctest::Contains("its default morph weights"), Error);
  }
}

TEST_CASE("baseline: a mesh that morph targets alone give a size may have any weights") {
  Rig rig = rigid(cube({0, 0, 0}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->morph_targets.push_back({mesh->positions, {}, {}});
  std::fill(mesh->positions.begin(), mesh->positions.end(), 0.0f);
  rig.mesh = mesh;
  rig.morph_weights = {500};
  CHECK(bind_baseline(rig).bbox_diagonal_m == doctest::Approx(500 * std::sqrt(3.0)));
}

TEST_CASE("baseline: a joint scaled to zero gives raw positions and an issue") {
  Rig rig = rigid(cube({0, 0, 0}));
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[0].scale = {0, 1, 1};
  rig.skeleton = skeleton;
  const BaselinePose pose = bind_baseline(rig);
  CHECK(pose.positions[3] == 1);
  REQUIRE(pose.issues.size() == 1);
  CHECK(pose.issues[0].code == "BASELINE_DEGENERATE");
  CHECK(pose.issues[0].pointer == "/nodes/0");
}

TEST_CASE("baseline: a fixed matrix is applied like translation, rotation and scale") {
  Rig rig = rigid(cube({0, 0, 0}));
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[0].matrix = Affine<double>{{0, 2, 0}, {-2, 0, 0}, {0, 0, 2}, {1, 1, 1}};
  rig.skeleton = skeleton;
  const BaselinePose pose = bind_baseline(rig);
  CHECK(pose.positions[3] == 1);
  CHECK(pose.positions[4] == 3);
}

}  // namespace skinbake
