// Real files: known properties, and safe refusal.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "skinbake/bake.h"
#include "skinbake/gltf.h"
#include "support/gltf/gltf_file.h"
#include "support/gltf/gltf_shared_assets.h"

using namespace skinbake;
using namespace skinbake::test;

TEST_CASE("shared assets: every file loads or is refused with a code") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  int loaded = 0, refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    CAPTURE(path);
    try {
      whole(load_asset(path));
      ++loaded;
    } catch (const Error& error) {
      ++refused;
      CHECK(error.kind() == ErrorKind::kInput);
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
      const std::string extension = entry.path().extension().string();
      const bool model = extension == ".glb" || extension == ".gltf" || extension == ".vrm";
      const bool valid = model && path.find("/invalid/") == std::string::npos;
      CHECK_MESSAGE(!valid, error.what());
    }
  }
  CHECK(loaded >= 40);
  CHECK(refused >= 30);
}

TEST_CASE("shared assets: CesiumMan has 210 vertices whose weights do not sum to 1") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  const Asset asset = load_asset(folder + "CesiumMan.glb");
  REQUIRE(asset.rigs.size() == 1);
  CHECK(asset.rigs[0].mesh->vertex_count() == 3273);
  CHECK(asset.rigs[0].joints.size() == 19);
  CHECK(asset.clips.at(0).duration_s == 2);
  CHECK(issue_count(asset, "WEIGHTS_RENORMALISED") == 210);
}

TEST_CASE("shared assets: interleaved animation keys are read with their stride") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  const Asset asset = load_asset(folder + "unassigned-skeleton.gltf");
  CHECK(asset.rigs.at(0).mesh->vertex_count() == 10);
  CHECK(asset.clips.at(0).duration_s == doctest::Approx(5.47).epsilon(1e-2));
  CHECK(issue_count(asset, "ANIMATION_BYTE_STRIDE") > 0);
}

TEST_CASE("shared assets: 84 nodes share one mesh, each with its skin") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  const Asset asset = load_asset(folder + "InfiniteSkinnedTentacle.glb");
  REQUIRE(asset.rigs.size() == 84);
  for (const Rig& rig : asset.rigs) {
    CHECK(rig.mesh == asset.rigs[0].mesh);
    CHECK(rig.joints.size() == 10);
    CHECK(rig.influences.size() == 40);
  }
}

TEST_CASE("shared assets: two sets of influences, sparse targets, clips of unequal channels") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  const Asset two_sets = load_asset(folder + "pbrTest/pbrTest.gltf");
  std::size_t most = 0;
  for (VertexIndex v = 0; v < two_sets.rigs.at(0).mesh->vertex_count(); ++v) {
    most = std::max(most, two_sets.rigs[0].influences_of(v).size());
  }
  CHECK(most == 6);
  CHECK(two_sets.inputs.size() == 2);

  const Asset sparse = load_asset(folder + "singleBlendshapeCube_sparse.glb");
  const auto& deltas = sparse.rigs.at(0).mesh->morph_targets.at(0).positions;
  CHECK(std::any_of(deltas.begin(), deltas.end(), [](float x) { return x != 0; }));
  CHECK(std::any_of(deltas.begin(), deltas.end(), [](float x) { return x == 0; }));

  const Asset box = load_asset(folder + "BoxAnimated.glb");
  CHECK(box.rigs.size() == 2);
  CHECK(box.clips.at(0).duration_s == doctest::Approx(3.708).epsilon(1e-3));
  CHECK(load_asset(folder + "KayKit_Knight.glb").clips.size() == 76);
}

TEST_CASE("shared assets: a VRM animation moves a robot with other rest frames") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  const Asset robot = load_asset(folder + "/debug_robot_vrm1.vrm");
  const ClipFile file = load_clip_file(folder + "/test.vrma");
  const MatchedClip matched = match_clip(file, file.clips.at(0), robot);
  CHECK(matched.issues.empty());
  const auto hand = std::find_if(robot.rigs.begin(), robot.rigs.end(),
                                 [](const Rig& r) { return r.id == "Hand.R"; });
  REQUIRE(hand != robot.rigs.end());
  const Method lbs = parse_method("lbs");
  const std::vector<double> rest = pose_positions(*hand, {}, lbs);
  const std::vector<double> start = pose_positions(*hand, {&matched.clip, 0}, lbs);
  const std::vector<double> later = pose_positions(*hand, {&matched.clip, 0.6}, lbs);
  for (std::size_t i = 0; i < rest.size(); i += 3) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      CHECK(start[i + axis] == doctest::Approx(rest[i + axis]).epsilon(1e-5));
    }
    // Both begin in a T-pose; the arm swings down in its plane.
    CHECK(later[i + 1] < rest[i + 1] - 0.2);
    CHECK(std::abs(later[i + 2] - rest[i + 2]) < 0.01);
  }
}
