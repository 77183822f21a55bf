// Common defects of real files: the files load, and each finding has its code.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

using nlohmann::json;

const Issue& only_issue(const Asset& asset, const std::string& code) {
  const auto found = std::find_if(asset.issues.begin(), asset.issues.end(),
                                  [&](const Issue& issue) { return issue.code == code; });
  REQUIRE(found != asset.issues.end());
  REQUIRE(issue_count(asset, code) == found->count);
  return *found;
}

}  // namespace

TEST_CASE("findings: overlapping elements are read with their stride") {
  GltfFile file = skinned_triangle();
  file.json["bufferViews"][0]["byteStride"] = 4;
  const Asset asset = load(file);
  CHECK(only_issue(asset, "ELEMENTS_OVERLAP").pointer == "/bufferViews/0");
  CHECK(asset.rigs.at(0).mesh->positions == std::vector<float>{0, 0, 0, 0, 0, 1, 0, 1, 0});
}

TEST_CASE("findings: of equal indices in a sparse accessor the last one is used") {
  GltfFile file = skinned_triangle();
  const int indices = file.add_view<std::uint16_t>({2, 0, 2});
  const int values = file.add_view<float>({1, 1, 1, 2, 2, 2, 3, 3, 3});
  file.json["accessors"][0]["sparse"] = {
      {"count", 3},
      {"indices", {{"bufferView", indices}, {"componentType", kU16}}},
      {"values", {{"bufferView", values}}}};
  const Asset asset = load(file);
  CHECK(only_issue(asset, "SPARSE_UNORDERED").count == 1);
  CHECK(asset.rigs.at(0).mesh->positions == std::vector<float>{2, 2, 2, 1, 0, 0, 3, 3, 3});
}

TEST_CASE("findings: joints and weights may be sparse, with and without a bufferView") {
  GltfFile file = skinned_triangle();
  const int indices = file.add_view<std::uint8_t>({1});
  const int joints = file.add_view<std::uint8_t>({1, 1, 1, 0});
  const int weights = file.add_view<float>({0.25f, 0.25f, 0.5f, 0});
  const auto sparse = [&](int values) {
    return json{{"count", 1},
                {"indices", {{"bufferView", indices}, {"componentType", kU8}}},
                {"values", {{"bufferView", values}}}};
  };
  file.json["accessors"][1]["sparse"] = sparse(joints);
  file.json["accessors"][2]["sparse"] = sparse(weights);
  const Asset with_base = load(file);
  const auto influences = with_base.rigs.at(0).influences_of(1);
  REQUIRE(influences.size() == 1);
  CHECK(influences[0].joint == 1);
  file.json["accessors"][2].erase("bufferView");  // the other vertices do not have weights now
  const Asset asset = load(file);
  CHECK(issue_count(asset, "WEIGHTS_ZERO") == 2);
  CHECK(asset.rigs.at(0).influences_of(1).size() == 1);
}

TEST_CASE("findings: bytes after the declared end of a GLB are ignored") {
  const GltfFile file = skinned_triangle();
  const TemporaryFile longer("longer.glb", file.glb() + "more");
  const Asset asset = load_asset(longer.path());
  CHECK(only_issue(asset, "GLB_TRAILING_BYTES").message.starts_with("4 bytes"));
  const TemporaryFile exact("exact.glb", file.glb());
  CHECK(issue_count(load_asset(exact.path()), "GLB_TRAILING_BYTES") == 0);
}

TEST_CASE("findings: chunks of a GLB that glTF does not define are ignored") {
  std::string glb = skinned_triangle().glb();
  CHECK(issue_count(load_asset(TemporaryFile("t.glb", glb).path()), "GLB_CHUNK_IGNORED") == 0);
  glb += std::string("\4\0\0\0TEXTmore", 12) + std::string("\0\0\0\0BIN\0", 8);
  const auto length = static_cast<std::uint32_t>(glb.size());
  std::memcpy(&glb[8], &length, sizeof length);
  const Asset asset = load_asset(TemporaryFile("t.glb", glb).path());
  const Issue issue = only_issue(asset, "GLB_CHUNK_IGNORED");
  CHECK(issue.count == 2);
  CHECK(issue.severity == Severity::kInfo);
}

TEST_CASE("findings: a chunk that ends past the length in a GLB's header is refused") {
  std::string glb = skinned_triangle().glb();
  const auto length = static_cast<std::uint32_t>(glb.size() - 4);
  std::memcpy(&glb[8], &length, sizeof length);
  const std::string ends =
      "ends at byte " + std::to_string(glb.size()) + ", past the " + std::to_string(length) + " ";
  const TemporaryFile file("short.glb", glb);
  CHECK_THROWS_WITH_AS(whole(load_asset(file.path())), doctest::Contains(ends.c_str()), Error);
}

TEST_CASE("findings: findings about weights name the attribute, or the primitive without it") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  const std::string place = "/meshes/0/primitives/0/attributes";
  attributes["JOINTS_1"] = attributes["JOINTS_0"];
  attributes["WEIGHTS_1"] =
      file.add<float>("VEC4", {0.5f, 0, 0, 0, 1.0000015f, 0, 0, 0, 1, 0, 0, 0});
  attributes.erase("WEIGHTS_0");
  Asset asset = load(file);
  CHECK(only_issue(asset, "WEIGHTS_RENORMALISED").pointer == place + "/WEIGHTS_1");
  attributes.erase("WEIGHTS_1");
  asset = load(file);
  CHECK(only_issue(asset, "WEIGHTS_ZERO").pointer == place);
  attributes["WEIGHTS_0"] = file.add<float>("VEC4", {1, 0, 0, 0, 1.00005f, 0, 0, 0, 1, 0, 0, 0});
  asset = load(file);
  CHECK(only_issue(asset, "WEIGHTS_RENORMALISED").pointer == place + "/WEIGHTS_0");
  CHECK(only_issue(asset, "WEIGHTS_RENORMALISED").message ==
        "1 vertices: weights sum to 1 + 4.995e-05 at the most; normalised");
}

TEST_CASE("findings: rotations of length zero are replaced, at rest and in keys") {
  GltfFile file = skinned_triangle();
  file.json["nodes"][1]["rotation"] = {0, 0, 0, 0};
  const int input = file.add<float>("SCALAR", {0, 1, 2});
  const int output = file.add<float>("VEC4", {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0});
  file.json["animations"] = {
      {{"samplers", {{{"input", input}, {"output", output}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}}}};
  const Asset asset = load(file);
  CHECK(issue_count(asset, "QUATERNION_ZERO") == 3);
  CHECK(issue_count(asset, "QUATERNION_NOT_UNIT") == 0);
  CHECK((*asset.clips.at(0).channels.at(0).values)[3] == 1);
}

TEST_CASE("findings: a matrix takes precedence over a translation") {
  GltfFile file = skinned_triangle();
  file.json["nodes"][2]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1};
  const Asset asset = load(file);
  CHECK(only_issue(asset, "MATRIX_BESIDE_PARTS").pointer == "/nodes/2");
  CHECK(asset.skeleton->nodes[2].matrix->translation.y == 8);
}

TEST_CASE("findings: equal findings at one position are counted, not repeated") {
  GltfFile file = skinned_triangle();
  file.json["bufferViews"][0]["byteStride"] = 4;
  auto& primitives = file.json["meshes"][0]["primitives"];
  for (int i = 0; i < 9; ++i) primitives.push_back(primitives[0]);
  CHECK(only_issue(load(file), "ELEMENTS_OVERLAP").count == 10);
}

TEST_CASE("findings: joints of 32 bits, which glTF does not allow, are read") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  CHECK(issue_count(load(file), "JOINTS_TOO_WIDE") == 0);
  attributes["JOINTS_0"] = file.add<std::uint32_t>("VEC4", {0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0});
  const Asset asset = load(file);
  CHECK(only_issue(asset, "JOINTS_TOO_WIDE").pointer ==
        "/meshes/0/primitives/0/attributes/JOINTS_0");
  CHECK(asset.rigs.at(0).influences_of(2)[0].joint == 1);
}

TEST_CASE("findings: integer weights without the normalised mark are read as fractions") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  CHECK(issue_count(load(file), "INTEGERS_NOT_NORMALISED") == 0);  // floats
  attributes["WEIGHTS_0"] =
      file.add<std::uint16_t>("VEC4", {0, 65535, 0, 0, 65535, 0, 0, 0, 65535, 0, 0, 0});
  const Asset asset = load(file);
  CHECK(only_issue(asset, "INTEGERS_NOT_NORMALISED").pointer ==
        "/meshes/0/primitives/0/attributes/WEIGHTS_0");
  CHECK(asset.rigs.at(0).influences_of(0)[0].weight == 1);
  file.json["accessors"].back()["normalized"] = true;
  CHECK(issue_count(load(file), "INTEGERS_NOT_NORMALISED") == 0);
}

TEST_CASE("findings: integer weights whose sum is wrong by one are normalised") {
  GltfFile file = skinned_triangle();
  auto& weights = file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"];
  weights = file.add<std::uint8_t>("VEC4", {254, 0, 0, 0, 200, 55, 0, 0, 255, 0, 0, 0});
  Asset asset = load(file);
  CHECK(only_issue(asset, "WEIGHTS_RENORMALISED").message ==
        "1 vertices: weights sum to 0.9961 at the least; normalised");
  weights = file.add<std::uint16_t>("VEC4", {65535, 1, 0, 0, 65000, 535, 0, 0, 65535, 0, 0, 0});
  asset = load(file);
  CHECK(only_issue(asset, "WEIGHTS_RENORMALISED").message ==
        "1 vertices: weights sum to 1 + 1.526e-05 at the most; normalised");
}

TEST_CASE("findings: a skin's skeleton that is not a node is reported and ignored") {
  GltfFile file = skinned_triangle();
  for (const json& good : {json(0), json(2), json(1.0)}) {
    file.json["skins"][0]["skeleton"] = good;
    CHECK(issue_count(load(file), "SKELETON_INVALID") == 0);
  }
  for (const json& bad : {json(3), json(-1), json(0.5), json("Root"), json(nullptr), json(1e300)}) {
    file.json["skins"][0]["skeleton"] = bad;
    const Asset asset = load(file);
    CHECK(only_issue(asset, "SKELETON_INVALID").pointer == "/skins/0/skeleton");
    CHECK(asset.rigs.at(0).joints.size() == 2);
  }
}

TEST_CASE("findings: a scene that lists the child of a node is reported") {
  GltfFile file = skinned_triangle();
  CHECK(issue_count(load(file), "SCENE_NODE_HAS_PARENT") == 0);
  file.json["scenes"] = {{{"nodes", {0, 1}}}, {{"name", "Tips"}, {"nodes", {0, 2}}}};
  const Asset asset = load(file);
  CHECK(only_issue(asset, "SCENE_NODE_HAS_PARENT").pointer == "/scenes/1/nodes/1");
  CHECK(only_issue(asset, "SCENE_NODE_HAS_PARENT").message ==
        "scene 1 'Tips' lists node 'Tip', a child of node 1, with which it moves");
}

TEST_CASE("findings: numbers that are not finite are reported with their position") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::string place = "/meshes/0/primitives/0/attributes/";
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["NORMAL"] = file.add<float>("VEC3", {0, 0, 1, nan, 0, 1, 0, 0, 1});
  CHECK(only_issue(load(file), "NORMALS_NOT_FINITE").pointer == place + "NORMAL");
  attributes["POSITION"] = file.add<float>("VEC3", {0, 0, 0, 1, nan, 0, 0, 1, 0});
  CHECK_THROWS_WITH_AS(load(file), doctest::Contains((" " + place + "POSITION: ").c_str()), Error);
}

TEST_CASE("findings: extensions that require a simulation are reported, harmless ones are not") {
  GltfFile file = skinned_triangle();
  file.json["extensionsUsed"] = file.json["extensionsRequired"] = {
      "KHR_texture_transform", "KHR_materials_unlit",     "KHR_texture_basisu",
      "KHR_lights_punctual",   "EXT_structural_metadata", "EXT_instance_features"};
  CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 0);
  file.json["extensionsUsed"] =
      file.json["extensionsRequired"] = {"VRMC_springBone", "VRMC_node_constraint"};
  CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 2);
  file.json.erase("extensionsUsed");
  CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 2);
}

TEST_CASE("findings: unknown extensions are reported where they are not listed too") {
  GltfFile file = skinned_triangle();
  file.json["nodes"][1]["extensions"] = {{"KHR_lights_punctual", {{"light", 0}}},
                                         {"MY_motion", json::object()}};
  CHECK(only_issue(load(file), "EXTENSION_IGNORED").pointer == "/nodes/1/extensions/MY_motion");
  file.json["extensionsUsed"] = {"MY_motion"};
  CHECK(only_issue(load(file), "EXTENSION_IGNORED").pointer == "/extensionsUsed/0");
}

TEST_CASE("findings: the spring bones of VRM 0.x are reported if they move a node") {
  GltfFile file = skinned_triangle();
  file.json["extensionsUsed"] = {"VRM"};
  auto& springs = file.json["extensions"]["VRM"]["secondaryAnimation"];
  for (const auto& still :
       {R"({})", R"([])", R"({"boneGroups": []})", R"({"boneGroups": [1, {}]})",
        R"({"boneGroups": [{"bones": []}], "colliderGroups": [{"node": 1}]})"}) {
    springs = nlohmann::json::parse(still);
    CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 0);
  }
  springs = {{"boneGroups", {{{"bones", nlohmann::json::array()}}, {{"bones", {2}}}}}};
  const Issue issue = only_issue(load(file), "EXTENSION_IGNORED");
  CHECK(issue.severity == Severity::kWarning);
  CHECK(issue.pointer == "/extensions/VRM/secondaryAnimation");
  CHECK(issue.message.find("spring bones") != std::string::npos);
}

TEST_CASE("findings: primitives without joints follow the node of a skinned mesh") {
  GltfFile file = skinned_triangle();
  auto& primitives = file.json["meshes"][0]["primitives"];
  primitives.push_back({{"attributes", {{"POSITION", 0}}}});
  CHECK(only_issue(load(file), "SKIN_WITHOUT_JOINTS").pointer == "/meshes/0/primitives/1");
  primitives.erase(0);
  const Asset asset = load(file);
  CHECK(only_issue(asset, "SKIN_WITHOUT_JOINTS").pointer == "/meshes/0/primitives/0");
  CHECK_FALSE(asset.rigs.at(0).skinned);
  file.json["nodes"][0].erase("skin");
  CHECK(issue_count(load(file), "SKIN_WITHOUT_JOINTS") == 0);
}

TEST_CASE("findings: joints without weights and weights without joints are reported") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_1"] = attributes["JOINTS_0"];
  Asset asset = load(file);
  CHECK(only_issue(asset, "WEIGHTS_MISSING").pointer.ends_with("/attributes/JOINTS_1"));
  CHECK(asset.rigs.at(0).influences_of(0).size() == 2);
  attributes["WEIGHTS_2"] = attributes["WEIGHTS_0"];
  asset = load(file);
  CHECK(only_issue(asset, "JOINTS_MISSING").pointer.ends_with("/attributes/WEIGHTS_2"));
  attributes.erase("JOINTS_0");
  attributes.erase("JOINTS_1");
  asset = load(file);
  CHECK(issue_count(asset, "JOINTS_MISSING") == 2);
  CHECK(issue_count(asset, "SKIN_WITHOUT_JOINTS") == 1);
}

TEST_CASE("findings: skipped set numbers and names that are not sets are reported") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_2"] = file.add<std::uint8_t>("VEC4", std::vector<std::uint8_t>(12, 1));
  attributes["WEIGHTS_2"] = file.add<float>("VEC4", std::vector<float>(12, 0.25f));
  Asset asset = load(file);
  CHECK(only_issue(asset, "INFLUENCE_SET_SKIPPED").pointer.ends_with("/attributes/JOINTS_2"));
  CHECK(asset.rigs.at(0).influences_of(0)[0].weight == doctest::Approx(0.75));
  for (const char* name : {"JOINTS_", "JOINTS_01", "JOINTS_1x", "WEIGHTS_-1"}) {
    CAPTURE(name);
    GltfFile other = skinned_triangle();
    other.json["meshes"][0]["primitives"][0]["attributes"][name] = 1;
    asset = load(other);
    CHECK(issue_count(asset, "ATTRIBUTE_IGNORED") == 1);
    CHECK(issue_count(asset, "INFLUENCE_SET_SKIPPED") == 0);
    CHECK(asset.rigs.at(0).influences_of(0).size() == 2);
  }
}

TEST_CASE("findings: a node that a skin lists twice becomes two joints") {
  GltfFile file = skinned_triangle();
  file.json["skins"][0]["joints"] = {1, 2, 1, 2, 2};
  const Asset asset = load(file);
  CHECK(only_issue(asset, "JOINTS_REPEATED").count == 3);
  CHECK(asset.rigs.at(0).joints.size() == 5);
}

TEST_CASE(
    "findings: singular inverse bind matrices are reported for joints with and without weight") {
  GltfFile file = skinned_triangle();
  file.json["skins"][0]["joints"] = {1, 2, 1};
  std::vector<float> matrices;
  for (int j = 0; j < 3; ++j) {
    // Tilted and scaled, so that the zero becomes a rounding error.
    const float z = j == 0 ? 0.003f : 0.0f;
    matrices.insert(matrices.end(), {0.1f, 0.2f, 0.3f, 0, 0.7f, -0.1f, 0.2f, 0,  //
                                     0.8f, 0.1f, 0.5f + z, 0, 1, 2, 3, 1});
  }
  file.json["skins"][0]["inverseBindMatrices"] = file.add<float>("MAT4", matrices);
  const Asset asset = load(file);
  CHECK(only_issue(asset, "INVERSE_BIND_SINGULAR").message.find("of joint 1: ") !=
        std::string::npos);
  CHECK(only_issue(asset, "INVERSE_BIND_SINGULAR_UNUSED").message.find("of joint 2: ") !=
        std::string::npos);
  CHECK(only_issue(asset, "INVERSE_BIND_SINGULAR").count == 1);
}

TEST_CASE("findings: meshes of other scenes, outside all scenes and without a node are reported") {
  GltfFile file = skinned_triangle();
  file.json["meshes"].push_back(file.json["meshes"][0]);
  file.json["nodes"].push_back({{"name", "Parent"}, {"children", {4}}});
  file.json["nodes"].push_back({{"name", "Elsewhere"}, {"mesh", 0}});
  file.json["nodes"].push_back({{"name", "Nowhere"}, {"mesh", 0}});
  file.json["scenes"].push_back({{"name", "Night"}, {"nodes", {3}}});
  const Asset asset = load(file);
  CHECK(only_issue(asset, "MESH_UNUSED").pointer == "/meshes/1");
  std::vector<std::string> said;
  for (const Issue& issue : asset.issues) {
    if (issue.code == "MESHES_NOT_IN_SCENE") said.push_back(issue.pointer + " " + issue.message);
  }
  REQUIRE(said.size() == 2);
  CHECK(said[0] == "/nodes/4 node 'Elsewhere' with mesh 'Body' is in scene 1 'Night'; left out");
  CHECK(said[1] == "/nodes/5 node 'Nowhere' with mesh 'Body' is in no scene; left out");
  REQUIRE(asset.scenes.size() == 2);
  CHECK(asset.scenes[0].is_read);
  CHECK(asset.scenes[0].mesh_nodes == 1);
  CHECK(asset.scenes[1].name == "Night");
  CHECK(asset.scenes[1].mesh_nodes == 1);
  CHECK_FALSE(asset.scenes[1].is_read);
}
