// What real files get wrong: they load, and each finding has its code.

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "support/gltf_file.h"

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

TEST_CASE("findings: elements that overlap are read as they lie") {
  GltfFile file = skinned_triangle();
  file.json["bufferViews"][0]["byteStride"] = 4;
  const Asset asset = load(file);
  CHECK(only_issue(asset, "ELEMENTS_OVERLAP").pointer == "/bufferViews/0");
  CHECK(asset.rigs.at(0).mesh->positions == std::vector<float>{0, 0, 0, 0, 0, 1, 0, 1, 0});
}

TEST_CASE("findings: sparse indices that do not ascend; the last of equal ones counts") {
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

TEST_CASE("findings: joints and weights may be sparse, with and without a base") {
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
  file.json["accessors"][2].erase("bufferView");  // the other vertices have no weight then
  const Asset asset = load(file);
  CHECK(issue_count(asset, "WEIGHTS_ZERO") == 2);
  CHECK(asset.rigs.at(0).influences_of(1).size() == 1);
}

TEST_CASE("findings: bytes after the end that a GLB declares") {
  const GltfFile file = skinned_triangle();
  const TemporaryFile longer("longer.glb", file.glb() + "more");
  const Asset asset = load_asset(longer.path());
  CHECK(only_issue(asset, "GLB_TRAILING_BYTES").message.starts_with("4 bytes"));
  const TemporaryFile exact("exact.glb", file.glb());
  CHECK(issue_count(load_asset(exact.path()), "GLB_TRAILING_BYTES") == 0);
}

TEST_CASE("findings: rotations of length zero, at rest and in keys") {
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

TEST_CASE("findings: a matrix beside a translation") {
  GltfFile file = skinned_triangle();
  file.json["nodes"][2]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1};
  const Asset asset = load(file);
  CHECK(only_issue(asset, "MATRIX_BESIDE_PARTS").pointer == "/nodes/2");
  CHECK(asset.skeleton->nodes[2].matrix->translation.y == 8);
}

TEST_CASE("findings: equal findings of one place are counted, not repeated") {
  GltfFile file = skinned_triangle();
  file.json["bufferViews"][0]["byteStride"] = 4;
  auto& primitives = file.json["meshes"][0]["primitives"];
  for (int i = 0; i < 9; ++i) primitives.push_back(primitives[0]);
  CHECK(only_issue(load(file), "ELEMENTS_OVERLAP").count == 10);
}

TEST_CASE("findings: extensions that change no vertex, and those that would need a simulation") {
  GltfFile file = skinned_triangle();
  file.json["extensionsUsed"] = file.json["extensionsRequired"] = {
      "KHR_texture_transform", "KHR_materials_unlit", "KHR_texture_basisu"};
  CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 0);
  file.json["extensionsUsed"] =
      file.json["extensionsRequired"] = {"VRMC_springBone", "VRMC_node_constraint"};
  CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 2);
  file.json.erase("extensionsUsed");
  CHECK(issue_count(load(file), "EXTENSION_IGNORED") == 2);
}
