// Real files: what is known of them, and that none of them can do harm.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "support/gltf_file.h"
#include "support/gltf_shared_assets.h"

using namespace skinbake;
using namespace skinbake::test;

TEST_CASE("shared assets: every file loads or is refused by name") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  int loaded = 0, refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    CAPTURE(path);
    try {
      load_asset(path);
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
  const auto& sums = asset.rigs[0].weight_sums;
  CHECK(*std::min_element(sums.begin(), sums.end()) == doctest::Approx(0.185).epsilon(0.01));
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
