#include "skinbake/inspect.h"

#include <doctest/doctest.h>

#include "support/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

TEST_CASE("inspect: the JSON has what the file has, in a fixed order") {
  GltfFile file = skinned_triangle();
  file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] =
      file.add<float>("VEC4", {0.25f, 0.25f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  const std::string text = inspect_json(load(file));
  const auto json = nlohmann::ordered_json::parse(text);
  CHECK(json["schema"] == "skinbake.inspection");
  CHECK(json["schema_version"] == "1.0");
  CHECK(json["totals"]["vertices"] == 3);
  CHECK(json["meshes"][0]["id"] == "Man");
  CHECK(json["meshes"][0]["influences"]["vertices_over_1"] == 1);
  CHECK(json["skins"][0]["joint_count"] == 2);
  const auto& issues = json["issues"];
  const auto found = std::find_if(issues.begin(), issues.end(), [](const auto& issue) {
    return issue["code"] == "WEIGHTS_RENORMALISED";
  });
  REQUIRE(found != issues.end());
  CHECK((*found)["pointer"] == "/meshes/0/primitives/0/attributes/WEIGHTS_0");
  CHECK((*found)["message"] == "1 vertices: weights sum to 0.5 at the least; normalised");
  CHECK((*found)["remedy"] == "normalise weights at export");
  CHECK(text.find("\"schema\"") < text.find("\"totals\""));
  CHECK(text.find("\"totals\"") < text.find("\"meshes\": ["));
}

TEST_CASE("inspect: the text names meshes and issues, without control characters") {
  GltfFile file = skinned_triangle();
  file.json["nodes"][0]["name"] = "\x1b[31mMan";
  const std::string text = inspect_text(load(file));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("?[31mMan") != std::string::npos);
  CHECK(text.find("INVERSE_BIND_MISSING") != std::string::npos);
}

TEST_CASE("inspect: an open surface and a degenerate triangle are counted") {
  GltfFile file = skinned_triangle();
  const auto json = nlohmann::ordered_json::parse(inspect_json(load(file)));
  const auto& surface = json["meshes"][0]["surface"];
  CHECK(surface["closed"] == false);
  CHECK(surface["components"] == 1);
  CHECK(surface["boundary_edges"] == 3);
  CHECK(surface["degenerate_triangles"] == 0);
}

TEST_CASE("inspect: humanoid bones of VRM 0.x and 1.0 are listed, nonsense is left out") {
  GltfFile file = skinned_triangle();
  file.json["extensionsUsed"] = {"VRM", "VRMC_vrm"};
  file.json["extensions"]["VRM"]["humanoid"]["humanBones"] = {
      {{"bone", "hips"}, {"node", 0}}, {{"bone", "spine"}, {"node", 99}}, {{"bone", 7}}, "chest"};
  file.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["head"] = {{"node", 1}};
  file.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["jaw"] = {{"node", -1}};
  const auto json = nlohmann::ordered_json::parse(inspect_json(load(file)));
  REQUIRE(json["humanoid"].size() == 2);
  CHECK(json["humanoid"][0]["bone"] == "head");
  CHECK(json["humanoid"][1]["bone"] == "hips");
  CHECK(json["humanoid"][1]["node"] == 0);
}
