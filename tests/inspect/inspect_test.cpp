#include "inspect/inspect.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

TEST_CASE("inspect: the JSON describes the file, with keys in a fixed order") {
  GltfFile file = skinned_triangle();
  file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] =
      file.add<float>("VEC4", {0.25f, 0.25f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  const std::string text = inspect_json(load(file), {});
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
  CHECK(text.find("\uFFFD[31mMan") != std::string::npos);
  CHECK(text.find("INVERSE_BIND_MISSING") != std::string::npos);
}

TEST_CASE("inspect: the frames of a clip are counted at the given rate") {
  Asset asset = load(skinned_triangle());
  REQUIRE(asset.clips.empty());
  Clip& clip = asset.clips.emplace_back();
  clip.id = "walk";
  const auto frames = [&](double duration_s, double fps) {
    clip.duration_s = duration_s;
    const auto found = nlohmann::json::parse(inspect_json(asset, {}, fps))["clips"][0];
    CHECK(found["fps"] == fps);
    return found["frame_count"];
  };
  CHECK(frames(1, 30) == 31);
  CHECK(frames(1, 24) == 25);
  CHECK(frames(0.99999, 60) == 61);  // a float32 key time may be a little short
  CHECK(frames(0, 30) == 1);
  CHECK(frames(1e12, 30) == nullptr);
  CHECK(inspect_text(asset).find("too many") != std::string::npos);
  clip.duration_s = 2;
  CHECK(nlohmann::json::parse(inspect_json(asset, {}))["clips"][0]["frame_count"] == 61);
  CHECK(inspect_text(asset, 23.976).find("frames at 23.976 fps") != std::string::npos);
}

TEST_CASE("inspect: the scenes of a file with several are listed") {
  GltfFile file = skinned_triangle();
  CHECK(inspect_text(load(file)).find("number  mesh nodes  read") == std::string::npos);
  file.json["scenes"].push_back({{"name", "Night"}});
  const Asset asset = load(file);
  const std::string text = inspect_text(asset);
  CHECK(text.find("#0          0           1   yes\n") != std::string::npos);
  CHECK(text.find("Night       1           0    no\n") != std::string::npos);
  const auto json = nlohmann::json::parse(inspect_json(asset, {}));
  REQUIRE(json["scenes"].size() == 2);
  CHECK(json["scenes"][0]["name"] == nullptr);
  CHECK(json["scenes"][0]["is_read"] == true);
  CHECK(json["scenes"][1]["mesh_node_count"] == 0);
}

TEST_CASE("inspect: an open surface and a degenerate triangle are counted") {
  GltfFile file = skinned_triangle();
  const auto json = nlohmann::ordered_json::parse(inspect_json(load(file), {}));
  const auto& surface = json["meshes"][0]["surface"];
  CHECK(surface["closed"] == false);
  CHECK(surface["components"] == 1);
  CHECK(surface["boundary_edges"] == 3);
  CHECK(surface["degenerate_triangles"] == 0);
}

TEST_CASE("inspect: humanoid bones of VRM 0.x are listed, without invalid entries") {
  GltfFile file = skinned_triangle();
  file.json["extensionsUsed"] = {"VRM"};
  file.json["extensions"]["VRM"]["humanoid"]["humanBones"] = {{{"bone", "hips"}, {"node", 0}},
                                                              {{"bone", "head"}, {"node", 1}},
                                                              {{"bone", "spine"}, {"node", 99}},
                                                              {{"bone", 7}},
                                                              "chest"};
  const auto json = nlohmann::ordered_json::parse(inspect_json(load(file), {}));
  const auto& humanoid = json["humanoid"];
  CHECK(humanoid["source"] == "vrm0");
  CHECK(humanoid["missing"].size() == 13);
  CHECK(humanoid["facing"].is_null());
  REQUIRE(humanoid["bones"].size() == 2);
  CHECK(humanoid["bones"][0]["bone"] == "hips");
  CHECK(humanoid["bones"][0]["node"] == 0);
  CHECK(humanoid["bones"][1]["bone"] == "head");
  CHECK(humanoid["bones"][1]["degrees_off"].is_null());
}

TEST_CASE("inspect: of a file with maps of VRM 0.x and 1.0 the latter counts") {
  GltfFile file = skinned_triangle();
  file.json["extensionsUsed"] = {"VRM", "VRMC_vrm"};
  file.json["extensions"]["VRM"]["humanoid"]["humanBones"] = {{{"bone", "hips"}, {"node", 0}},
                                                              {{"bone", "spine"}, {"node", 1}}};
  file.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["hips"] = {{"node", 1}};
  file.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["jaw"] = {{"node", -1}};
  const Asset asset = load(file);
  CHECK(asset.humanoid.source == "vrm1");
  REQUIRE(asset.humanoid.bones.size() == 1);
  CHECK(asset.humanoid.bones[0].bone == "hips");
  CHECK(asset.humanoid.bones[0].node == 1);
  std::vector<std::string> pointers;
  for (const Issue& issue : asset.issues) {
    if (issue.code == "HUMANOID_MAP_INVALID") pointers.push_back(issue.pointer);
  }
  CHECK(pointers == std::vector<std::string>{"/extensions/VRMC_vrm/humanoid/humanBones/jaw"});
}

TEST_CASE("inspect: the text lists a few places of a code, the JSON all") {
  GltfFile file = skinned_triangle();
  const auto primitive = file.json["meshes"][0]["primitives"][0];
  for (int i = 0; i < 9; ++i) file.json["meshes"][0]["primitives"].push_back(primitive);
  for (auto& one : file.json["meshes"][0]["primitives"]) one["attributes"]["_MADE_UP"] = 0;
  const Asset asset = load(file);
  const std::string text = inspect_text(asset);
  CHECK(text.find("warning ATTRIBUTE_IGNORED (10 places)\n") != std::string::npos);
  CHECK(text.find("/meshes/0/primitives/2/attributes/_MADE_UP: ") != std::string::npos);
  CHECK(text.find("/meshes/0/primitives/3/attributes/_MADE_UP: ") == std::string::npos);
  CHECK(text.find("and 7 more; the JSON lists them") != std::string::npos);
  for (int i = 0; i < 30; ++i) {
    file.json["meshes"][0]["primitives"].push_back(file.json["meshes"][0]["primitives"][0]);
  }
  const std::string folded = inspect_text(load(file));
  CHECK(folded.find("warning ATTRIBUTE_IGNORED (more than 20 places)\n") != std::string::npos);
  CHECK(folded.find("and more; the JSON lists the first 20 and counts the others\n") !=
        std::string::npos);

  const auto json = nlohmann::json::parse(inspect_json(asset, {}));
  const auto is_it = [](const auto& entry) { return entry["code"] == "ATTRIBUTE_IGNORED"; };
  CHECK(std::count_if(json["issues"].begin(), json["issues"].end(), is_it) == 10);
  const auto& counts = json["issue_counts"];
  const auto count = std::find_if(counts.begin(), counts.end(), is_it);
  REQUIRE(count != counts.end());
  CHECK((*count)["places"] == 10);
  CHECK((*count)["count"] == 10);
}

TEST_CASE("inspect: issues are grouped by code, in the order of each code's first issue") {
  const Issues issues{{"B", Severity::kInfo, "f", "/1", "b", 2},
                      {"A", Severity::kWarning, "f", "/2", "a", 1},
                      {"B", Severity::kInfo, "f", "/3", "b", 5}};
  const std::vector<IssueGroup> groups = grouped(issues);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].code == "B");
  CHECK(groups[0].issues.size() == 2);
  CHECK(groups[0].count == 7);
  CHECK(groups[1].severity == Severity::kWarning);
  CHECK(groups[1].issues[0] == &issues[1]);
  CHECK(grouped({}).empty());
}

TEST_CASE("inspect: the JSON of a refused file gives the cause") {
  const Error error("NODE_CYCLE", "node 'a' is \"its own\" ancestor",
                    {"/home/me/a.gltf", "/nodes/0"});
  const auto json = nlohmann::ordered_json::parse(refusal_json(error, "a.gltf"));
  CHECK(json.size() == 4);
  CHECK(json["schema"] == "skinbake.inspection");
  CHECK(json["refused"] == nlohmann::ordered_json({{"code", "NODE_CYCLE"},
                                                   {"file", "a.gltf"},
                                                   {"pointer", "/nodes/0"},
                                                   {"message", "node 'a' is \"its own\" ancestor"},
                                                   {"remedy", "export the file again"}}));
}

TEST_CASE("inspect: the library contains the schema") {
  CHECK(inspect_schema().find("\"title\": \"skinbake.inspection\"") != std::string_view::npos);
  CHECK(inspect_schema().back() == '\n');
}
