// The nodes that are baked, and the joints that they may use.

#include <doctest/doctest.h>

#include <algorithm>

#include "skinbake/bake.h"
#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

// Scene 0 "Day" has the man, scene 1 "1" his copy without a skin, and node 4 is in none.
GltfFile two_scenes() {
  GltfFile file = skinned_triangle();
  file.json["nodes"].push_back({{"name", "Twin"}, {"mesh", 0}});
  file.json["nodes"].push_back({{"name", "Nowhere"}, {"mesh", 0}});
  file.json["scenes"] = {{{"name", "Day"}, {"nodes", {0, 1}}}, {{"nodes", {3}}}};
  return file;
}

std::string baked(const GltfFile& file, const std::string& scene) {
  const TemporaryFile text("scenes.gltf", file.text());
  std::string ids;
  for (const Rig& rig : load_asset(text.path(), {scene}).rigs) ids += rig.id + " ";
  return ids;
}

std::vector<double> posed(const GltfFile& file, const char* method = "lbs") {
  const Asset asset = load(file);
  return pose_positions(asset.rigs.at(0), {}, parse_method(method));
}

}  // namespace

TEST_CASE("scene: the requested scene is read, else the default scene, else the first") {
  GltfFile file = two_scenes();
  CHECK(baked(file, "") == "Man ");
  CHECK(baked(file, "Day") == "Man ");
  CHECK(baked(file, "0") == "Man ");
  CHECK(baked(file, "1") == "Twin ");
  file.json["scene"] = 1;
  CHECK(baked(file, "") == "Twin ");
  file.json["scenes"][0]["name"] = "1";  // a name takes precedence over an index
  CHECK(baked(file, "1") == "Man ");
}

TEST_CASE("scene: an unknown scene is an error of the caller") {
  for (const char* scene : {"Night", "2", "-1", "0x0", "1 ", "99999999999999999999"}) {
    CAPTURE(scene);
    const TemporaryFile text("scenes.gltf", two_scenes().text());
    try {
      load_asset(text.path(), {scene});
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kUsage);
      CHECK(error.code() == "SCENE_UNKNOWN");
      CHECK(std::string(error.what()).find("0 'Day', 1") != std::string::npos);
    }
  }
}

TEST_CASE("scene: mesh nodes that KHR_node_visibility hides are reported") {
  const auto hide = [](GltfFile& file, std::size_t node, const nlohmann::json& visible) {
    file.json["extensionsUsed"] = {"KHR_node_visibility"};
    file.json["nodes"][node]["extensions"]["KHR_node_visibility"] = {{"visible", visible}};
  };
  GltfFile file = two_scenes();
  CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 0);
  for (const std::size_t node : {0u, 1u, 2u}) hide(file, node, true);
  CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 0);
  std::size_t man = 0;
  while (file.json["nodes"][man].value("name", "") != "Man") ++man;
  hide(file, man, false);
  hide(file, 3, false);  // in another scene
  const Asset asset = load(file);
  CHECK(asset.rigs.size() == 1);
  REQUIRE(issue_count(asset, "EXTENSION_IGNORED") == 1);
  const auto issue = std::find_if(asset.issues.begin(), asset.issues.end(),
                                  [](const Issue& i) { return i.code == "EXTENSION_IGNORED"; });
  CHECK(issue->message.find("'Man' is hidden by KHR_node_visibility") != std::string::npos);
  // A node above hides its children.
  GltfFile below = two_scenes();
  below.json["nodes"].push_back({{"name", "Root"}, {"children", {3}}});
  below.json.erase("scenes");
  hide(below, 5, false);
  CHECK(issue_count(load(below), "EXTENSION_IGNORED") == 1);
  hide(below, 5, "no");
  CHECK(issue_count(load(below), "EXTENSION_IGNORED") == 0);
}

TEST_CASE("scene: mesh nodes outside the scene are reported") {
  const Asset asset = load(two_scenes());
  CHECK(issue_count(asset, "MESHES_NOT_IN_SCENE") == 2);
  GltfFile without = two_scenes();
  without.json.erase("scenes");
  const Asset all = load(without);
  CHECK(all.rigs.size() == 3);
  CHECK(issue_count(all, "MESHES_NOT_IN_SCENE") == 0);
}

TEST_CASE("scene: joints may be outside the scene, and several skins may share them") {
  GltfFile file = skinned_triangle();
  const std::vector<double> expected = posed(file);
  file.json["scenes"] = {{{"nodes", {0}}}};  // the joints are outside the scene
  CHECK(posed(file) == expected);
  file.json["skins"].push_back({{"joints", {2, 1}}});  // the same joints in another order
  file.json["nodes"].push_back({{"mesh", 0}, {"skin", 1}});
  file.json["scenes"] = {{{"nodes", {0, 3}}}};
  const Asset asset = load(file);
  REQUIRE(asset.rigs.size() == 2);
  CHECK(asset.rigs[0].joints[0].node == asset.rigs[1].joints[1].node);
  // Vertex 2 follows its joint 1 alone: the tip in the first skin, the root in the second.
  const auto second = pose_positions(asset.rigs[1], {}, parse_method("lbs"));
  CHECK(second[7] == expected[7] - 1);
}

TEST_CASE("scene: a skinned mesh may be a child of its joints, or their parent") {
  GltfFile file = skinned_triangle();
  file.json["nodes"][1]["rotation"] = {0, 0.6, 0, 0.8};
  const std::vector<double> expected = posed(file);
  GltfFile below = file;  // the mesh node under the tip, with a transform that must not count
  below.json["nodes"][0]["translation"] = {5, 6, 7};
  below.json["nodes"][2]["children"] = {0};
  below.json["scenes"] = {{{"nodes", {1}}}};
  CHECK(posed(below) == expected);
  GltfFile above = file;  // the joints under the mesh node, whose transform moves them
  above.json["nodes"][0]["children"] = {1};
  above.json["nodes"][0]["translation"] = {5, 0, 0};
  above.json["scenes"] = {{{"nodes", {0}}}};
  const std::vector<double> moved = posed(above);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    CHECK(moved[i] == doctest::Approx(expected[i] + (i % 3 == 0 ? 5 : 0)).epsilon(1e-12));
  }
}

TEST_CASE("scene: mirrored and uneven scale of a root reaches every method") {
  GltfFile file = skinned_triangle();
  file.json["nodes"][1]["scale"] = {-2, 3, 0.5};
  for (const char* method : {"lbs", "dqs"}) {
    CAPTURE(method);
    // Vertex 2 at (0, 1, 0) follows the tip alone, which is 1 above the root.
    const auto positions = posed(file, method);
    CHECK(positions[6] == doctest::Approx(0));
    CHECK(positions[7] == doctest::Approx(6).epsilon(1e-9));
    // All joints are the same map here but for a translation along y: x is scaled by -2.
    CHECK(positions[3] == doctest::Approx(-2).epsilon(1e-9));
  }
}

TEST_CASE("scene: points and lines are baked, but do not have a surface") {
  GltfFile file = skinned_triangle();
  const std::vector<double> expected = posed(file);
  for (const int mode : {0, 1, 2, 3}) {
    file.json["meshes"][0]["primitives"][0]["mode"] = mode;
    CHECK(posed(file) == expected);
    CHECK(load(file).rigs.at(0).mesh->triangles.empty());
  }
}

TEST_CASE("scene: twelve influences in three sets of three types") {
  GltfFile file = skinned_triangle();
  for (int j = 0; j < 10; ++j) file.json["nodes"].push_back({{"translation", {j, 0, 0}}});
  file.json["skins"][0]["joints"] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = file.add<std::uint8_t>("VEC4", {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
  attributes["JOINTS_1"] = file.add<std::uint16_t>("VEC4", {4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7});
  attributes["JOINTS_2"] =
      file.add<std::uint8_t>("VEC4", {8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11});
  attributes["WEIGHTS_0"] = file.add<float>("VEC4", std::vector<float>(12, 1.0f / 12));
  attributes["WEIGHTS_1"] = file.add<std::uint8_t>("VEC4", std::vector<std::uint8_t>(12, 255 / 12));
  attributes["WEIGHTS_2"] =
      file.add<std::uint16_t>("VEC4", std::vector<std::uint16_t>(12, 65535 / 12));
  const Asset asset = load(file);
  const auto influences = asset.rigs.at(0).influences_of(0);
  CHECK(influences.size() == 12);
  double sum = 0;
  for (const Influence& influence : influences) sum += influence.weight;
  CHECK(sum == doctest::Approx(1).epsilon(1e-14));
}
