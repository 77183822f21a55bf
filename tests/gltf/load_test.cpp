#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

TEST_CASE("load: an empty file does not have rigs") {
  const Asset asset = load_text(R"({"asset": {"version": "2.0"}})");
  CHECK(asset.rigs.empty());
  CHECK(asset.clips.empty());
  CHECK(asset.issues.empty());
  REQUIRE(asset.inputs.size() == 1);
  CHECK(asset.inputs[0].role == "rig");
  CHECK(asset.inputs[0].bytes == 29);
  CHECK(asset.inputs[0].xxh128.size() == 32);
  CHECK(asset.inputs[0].path.find('/') == std::string::npos);
}

TEST_CASE("load: a skinned triangle has sorted influences of sum 1") {
  const Asset asset = load(skinned_triangle());
  REQUIRE(asset.rigs.size() == 1);
  const Rig& rig = asset.rigs[0];
  CHECK(rig.id == "Man");
  CHECK(rig.skinned);
  CHECK(rig.mesh->vertex_count() == 3);
  CHECK(rig.mesh->triangles == std::vector<std::array<VertexIndex, 3>>{{0, 1, 2}});
  CHECK(rig.first_influence == std::vector<std::uint32_t>{0, 2, 4, 5});
  CHECK(rig.influences[0].joint == 0);  // equal weights: lower joint first
  CHECK(rig.influences[2].joint == 1);
  CHECK(rig.influences[2].weight == 0.75);
  CHECK(rig.joints[1].node == 2);
  CHECK(rig.skeleton->nodes[2].parent == 1);
  CHECK(issue_count(asset, "INVERSE_BIND_MISSING") == 1);
}

TEST_CASE("load: a GLB equals its glTF") {
  const GltfFile file = skinned_triangle();
  const TemporaryFile glb("test.glb", file.glb());
  const Asset a = load(file), b = load_asset(glb.path());
  CHECK(a.rigs[0].mesh->positions == b.rigs[0].mesh->positions);
  CHECK(a.rigs[0].first_influence == b.rigs[0].first_influence);
}

TEST_CASE("load: a GLB truncated at any byte is refused") {
  const std::string whole = skinned_triangle().glb();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const TemporaryFile cut("cut.glb", whole.substr(0, size));
    CHECK_THROWS_AS(load_asset(cut.path()), Error);
  }
}

TEST_CASE("load: external buffers are read beside the file, with percent-encoding") {
  GltfFile file = skinned_triangle();
  const TemporaryFile bin("a b.bin", file.bytes);
  std::string uri = bin.name();
  uri.replace(uri.find(' '), 1, "%20");
  file.json["buffers"] = {{{"byteLength", file.bytes.size()}, {"uri", uri}}};
  const Asset asset = load(file);
  REQUIRE(asset.inputs.size() == 2);
  CHECK(asset.inputs[1].role == "buffer");
  CHECK(asset.inputs[1].path == bin.name());
  CHECK(asset.inputs[1].bytes == file.bytes.size());
}

TEST_CASE("load: images are not read without the option materials") {
  GltfFile file = skinned_triangle();
  file.json["images"] = {{{"uri", "not_there.png"}}, {{"uri", "/etc/hostname"}}};
  file.json["textures"] = {{{"source", 0}}};
  CHECK(error_of(file).empty());
}

TEST_CASE("load: strips and fans become triangles, lines and points do not") {
  GltfFile file;
  const int position = file.add<float>("VEC3", std::vector<float>(15));
  const auto triangles = [&](int mode) {
    file.json["meshes"] = {
        {{"primitives", {{{"attributes", {{"POSITION", position}}}, {"mode", mode}}}}}};
    file.json["nodes"] = {{{"mesh", 0}}};
    return load(file).rigs.at(0).mesh->triangles;
  };
  using Triangles = std::vector<std::array<VertexIndex, 3>>;
  CHECK(triangles(5) == Triangles{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}});
  CHECK(triangles(6) == Triangles{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}});
  CHECK(triangles(4) == Triangles{{0, 1, 2}});  // two corners are ignored
  for (const int mode : {0, 1, 2, 3}) CHECK(triangles(mode).empty());
}

TEST_CASE("load: the vertices of primitives follow each other, even if they share an accessor") {
  GltfFile file = skinned_triangle();
  auto& primitives = file.json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  primitives[1]["indices"] = file.add<std::uint16_t>("SCALAR", {2, 1, 0});
  const Rig rig = load(file).rigs[0];
  CHECK(rig.mesh->vertex_count() == 6);
  CHECK(rig.mesh->primitives[1].first_vertex == 3);
  CHECK(rig.mesh->triangles[1] == std::array<VertexIndex, 3>{5, 4, 3});
}

TEST_CASE("load: a primitive without joints follows the node of its skinned mesh") {
  GltfFile file = skinned_triangle();
  auto& primitives = file.json["meshes"][0]["primitives"];
  primitives.push_back({{"attributes", {{"POSITION", 0}}}});
  const Rig rig = load(file).rigs[0];
  REQUIRE(rig.joints.size() == 3);
  CHECK(rig.joints[2].node == rig.node);
  CHECK(rig.influences_of(3)[0].joint == 2);
}

TEST_CASE("load: a mesh without a skin has one joint, its node") {
  GltfFile file = skinned_triangle();
  file.json["nodes"][0].erase("skin");
  const Asset asset = load(file);
  CHECK(!asset.rigs[0].skinned);
  CHECK(asset.rigs[0].joints.size() == 1);
  CHECK(asset.rigs[0].joints[0].node == 0);
  CHECK(asset.rigs[0].influences_of(2)[0].weight == 1);
  CHECK(issue_count(asset, "JOINTS_WITHOUT_SKIN") == 1);
}

TEST_CASE("load: weights in integers are fractions of the largest") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["WEIGHTS_0"] =
      file.add<std::uint8_t>("VEC4", {51, 204, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255});
  CHECK(load(file).rigs[0].influences_of(0)[0].weight == doctest::Approx(0.8).epsilon(1e-15));
  attributes["WEIGHTS_0"] =
      file.add<std::uint16_t>("VEC4", {13107, 52428, 0, 0, 65535, 0, 0, 0, 0, 0, 0, 65535});
  const Asset asset = load(file);
  CHECK(asset.rigs[0].influences_of(0)[0].weight == doctest::Approx(0.8).epsilon(1e-15));
  CHECK(issue_count(asset, "WEIGHTS_RENORMALISED") == 0);
}

TEST_CASE("load: integer weights have the same fractions in any order, and in sets of any type") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  file.json["skins"][0]["joints"] = {1, 2, 1, 2};
  attributes["JOINTS_0"] = file.add<std::uint8_t>("VEC4", {0, 1, 2, 3, 3, 2, 1, 0, 2, 0, 3, 1});
  const std::vector<std::uint8_t> weights{2, 3, 125, 125, 125, 125, 3, 2, 125, 2, 125, 3};
  attributes["WEIGHTS_0"] = file.add<std::uint8_t>("VEC4", weights);
  SUBCASE("one set") {}
  SUBCASE("two sets") {
    attributes["JOINTS_1"] = file.add<std::uint8_t>("VEC4", std::vector<std::uint8_t>(12, 0));
    attributes["WEIGHTS_1"] = file.add<std::uint16_t>("VEC4", std::vector<std::uint16_t>(12, 0));
  }
  const Rig rig = load(file).rigs[0];
  for (VertexIndex v = 0; v < 3; ++v) {
    CHECK(rig.influences_of(v)[0].weight == 125 / 255.0);
    CHECK(rig.influences_of(v)[2].weight == 3 / 255.0);
    CHECK(rig.influences_of(v)[3].weight == 2 / 255.0);
  }
}

TEST_CASE("load: a second set of influences counts like the first") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_1"] = file.add<std::uint16_t>("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  attributes["WEIGHTS_1"] = file.add<float>("VEC4", {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const Asset asset = load(file);
  const auto influences = asset.rigs[0].influences_of(0);
  REQUIRE(influences.size() == 2);
  CHECK(influences[0].joint == 1);
  CHECK(influences[0].weight == 0.75);
  CHECK(issue_count(asset, "WEIGHTS_RENORMALISED") == 1);
}

TEST_CASE("load: interleaved and unaligned views are read with their stride") {
  GltfFile file = skinned_triangle();
  std::string raw(1, '\0');  // shifts all data by a byte
  for (const float x : {1.0f, 2.0f, 3.0f}) {
    for (const float value : {x, -x, 0.5f, 99.0f})
      raw.append(reinterpret_cast<const char*>(&value), 4);
  }
  file.json["bufferViews"][0] = {
      {"buffer", 0}, {"byteOffset", file.bytes.size() + 1}, {"byteLength", 48}, {"byteStride", 16}};
  file.bytes += raw;
  const Asset asset = load(file);
  CHECK(asset.rigs[0].mesh->positions == std::vector<float>{1, -1, 0.5f, 2, -2, 0.5f, 3, -3, 0.5f});
}

TEST_CASE("load: a sparse accessor without a view is zero except for its listed elements") {
  GltfFile file = skinned_triangle();
  const int indices = file.add_view<std::uint8_t>({2});
  const int values = file.add_view<float>({7, 8, 9});
  file.json["accessors"].push_back(
      {{"componentType", kFloat},
       {"count", 3},
       {"type", "VEC3"},
       {"sparse",
        {{"count", 1},
         {"indices", {{"bufferView", indices}, {"componentType", kU8}}},
         {"values", {{"bufferView", values}}}}}});
  file.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", 3}}};
  file.json["meshes"][0]["weights"] = {0.5};
  const Rig rig = load(file).rigs[0];
  REQUIRE(rig.mesh->morph_targets.size() == 1);
  CHECK(rig.mesh->morph_targets[0].positions == std::vector<float>{0, 0, 0, 0, 0, 0, 7, 8, 9});
  CHECK(rig.morph_weights == std::vector<double>{0.5});
  file.json["nodes"][0]["weights"] = {0.25};
  CHECK(load(file).rigs[0].morph_weights == std::vector<double>{0.25});
}

TEST_CASE("load: integers may be written as 1.0 or 1e0") {
  std::string text = skinned_triangle().text();
  const std::string whole = "\"skin\":0";
  text.replace(text.find(whole), whole.size(), "\"skin\":0.0");
  CHECK(load_text(text).rigs.at(0).skinned);
}

TEST_CASE("load: ids are names where they are unique") {
  GltfFile file = skinned_triangle();
  for (const char* name : {"Twin", "Twin", "", "#1"}) {
    file.json["nodes"].push_back({{"name", name}, {"mesh", 0}});
  }
  file.json.erase("scenes");
  std::vector<std::string> ids;
  for (const Rig& rig : load(file).rigs) ids.push_back(rig.id);
  CHECK(ids == std::vector<std::string>{"Man", "#3", "#4", "#5", "#6"});
}

TEST_CASE("load: only the scene's mesh nodes are rigs, all nodes are in the skeleton") {
  GltfFile file = skinned_triangle();
  file.json["nodes"].push_back({{"mesh", 0}});
  CHECK(load(file).rigs.size() == 1);
  CHECK(load(file).skeleton->nodes.size() == 4);
  file.json["scenes"].push_back({{"nodes", {3}}});
  file.json["scene"] = 1;
  CHECK(load(file).rigs.at(0).node == 3);
}

TEST_CASE("load: an unused joint may have any inverse bind matrix") {
  GltfFile file = skinned_triangle();
  std::vector<float> matrices(32);
  for (const int i : {0, 5, 10, 15}) matrices[i] = matrices[16 + i] = 1;
  matrices[16] = std::numeric_limits<float>::quiet_NaN();
  file.json["skins"][0]["inverseBindMatrices"] = file.add<float>("MAT4", matrices);
  CHECK(error_of(file) == "MATRIX_NOT_AFFINE");
  file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] =
      file.add<float>("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
  const Asset asset = load(file);
  CHECK(issue_count(asset, "INVERSE_BIND_UNUSABLE") == 1);
  CHECK(asset.rigs[0].joints[1].joint_from_model.x.x == 1);
}

TEST_CASE("load: harmless extensions pass, unknown ones are named") {
  GltfFile file = skinned_triangle();
  file.json["extensionsRequired"] = {"KHR_materials_unlit", "VRMC_vrm",
                                     "KHR_draco_mesh_compression"};
  file.json["extensionsUsed"] = {"KHR_materials_unlit", "ACME_anvil"};
  const Asset asset = load(file);  // Draco is required, but no primitive uses it
  CHECK(issue_count(asset, "EXTENSION_IGNORED") == 1);
}
