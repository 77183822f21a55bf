// The sizes of changes by difference, beside those of whole documents.

#include "gltf/write/added_bytes.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/gltf/gltf_file.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;
using nlohmann::json;

namespace {

// Skinned nodes with a mesh each, or all with the first one. Each of them is animated.
GltfFile nodes_with_meshes(int count, bool is_shared) {
  GltfFile file;
  file.json["nodes"] = {{{"name", "Root"}}};
  file.json["skins"] = {{{"joints", {0}}}};
  file.json["animations"] = {{{"name", "move"}}};
  for (int i = 0; i < count; ++i) {
    const int positions = file.add<float>("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
    file.json["accessors"][positions]["min"] = {0, 0, 0};
    file.json["accessors"][positions]["max"] = {1, 1, 0};
    const int joints = file.add<std::uint8_t>("VEC4", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    const int weights = file.add<float>("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    const int target = file.add<float>("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
    const int times = file.add<float>("SCALAR", {0, 1});
    const int output = file.add<float>("SCALAR", {0, 1});
    file.json["meshes"].push_back(
        {{"primitives",
          {{{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
            {"targets", {{{"POSITION", target}}}}}}}});
    file.json["nodes"].push_back({{"mesh", is_shared ? 0 : i}, {"skin", 0}});
    json& move = file.json["animations"][0];
    move["samplers"].push_back({{"input", times}, {"output", output}});
    move["channels"].push_back(
        {{"sampler", i}, {"target", {{"node", i + 1}, {"path", "weights"}}}});
  }
  json roots = json::array();
  for (int i = 0; i <= count; ++i) roots.push_back(i);
  file.json["scenes"] = {{{"nodes", roots}}};
  return file;
}

AddedMorphs added_morphs() {
  AddedMorphs morphs;
  morphs.base_positions = {0, 0, -1, 1, 0, -1, 0, 1, -1};
  morphs.targets = {{{0, 0, 0, 0, 0, 0, 0, 2, 0}, {}, {}}};
  morphs.names = {"first"};
  morphs.rest_weights = {0.5f};
  return morphs;
}

// New positions and a target, influences and a helper, or all of them.
RigChanges changes_of(const Asset& asset, std::size_t rig, bool has_morphs, bool has_helper) {
  RigChanges changes;
  changes.rig = &asset.rigs[rig];
  ClipKeys keys;
  keys.clip = &asset.clips[0];
  keys.frames = {1, 0, 1, 2};
  if (has_morphs) {
    changes.morphs = added_morphs();
    keys.morph_times = {0, 1};
    keys.morph_weights = {0, 1, 1, 0};
  }
  if (has_helper) {
    changes.first_influence = {0, 1, 2, 3};
    changes.influences = {{1, 1}, {0, 1}, {1, 1}};
    HelperJoint helper;
    helper.name = "helper.0";
    helper.parent = 0;
    changes.helpers.push_back(helper);
    keys.helper_rotations = {{0, 0, 0, 1, 0, 0, 1, 0}};
    keys.helper_translations = {{0, 2, 0, 8, 2, 0}};
  }
  changes.clips.push_back(keys);
  return changes;
}

void check_sizes(const GltfFile& file, const ChangeEncoding& encoding = {}) {
  const TemporaryFolder folder;
  std::ofstream(folder / "in.gltf") << file.text();
  LoadOptions options;
  options.source = true;
  const Asset asset = load_asset(folder / "in.gltf", options);
  AddedBytes sizes(asset, encoding);
  for (std::size_t rig = 0; rig < asset.rigs.size(); ++rig) {
    for (const int kinds : {1, 2, 3}) {
      const bool has_morphs = (kinds & 1) != 0, has_helper = (kinds & 2) != 0;
      CAPTURE(rig);
      CAPTURE(has_morphs);
      CAPTURE(has_helper);
      const RigChanges changes = changes_of(asset, rig, has_morphs, has_helper);
      CHECK(sizes.of(changes) == bytes_of_changes(asset, {&changes, 1}, encoding));
    }
  }
}

}  // namespace

TEST_CASE("added bytes: indices of one digit fewer are counted, at 10 and at 100 elements") {
  for (const int count : {1, 2, 3, 4, 15, 16, 17, 18, 19}) {
    CAPTURE(count);
    check_sizes(nodes_with_meshes(count, false));
  }
}

TEST_CASE("added bytes: elements that other nodes use stay") {
  check_sizes(nodes_with_meshes(18, true));
}

TEST_CASE("added bytes: integers and streams add extensions and a buffer") {
  check_sizes(nodes_with_meshes(17, false), {true, true});
}

TEST_CASE("added bytes: references that are written as 4.0 get shorter") {
  GltfFile file = nodes_with_meshes(3, false);
  for (json& mesh : file.json["meshes"]) {
    for (json& index : mesh["primitives"][0]["attributes"]) index = index.get<double>();
  }
  for (json& channel : file.json["animations"][0]["channels"]) {
    channel["sampler"] = channel["sampler"].get<double>();
  }
  check_sizes(file);
}

TEST_CASE("added bytes: nothing is erased beside an extension that is not known") {
  GltfFile file = nodes_with_meshes(3, false);
  SUBCASE("that is listed") {
    file.json["extensionsUsed"] = {"ACME_unknown"};
  }
  SUBCASE("that is not listed") {
    file.json["nodes"][0]["extensions"] = {{"ACME_unknown", {{"accessor", 1}}}};
  }
  SUBCASE("that a change removes") {
    file.json["animations"][0]["channels"][0]["extensions"] = {{"ACME_unknown", json::object()}};
  }
  check_sizes(file);
}

TEST_CASE("added bytes: expressions of VRM 0.x that name the copy of a mesh count") {
  GltfFile file = nodes_with_meshes(2, true);
  file.json["extensionsUsed"] = {"VRM"};
  file.json["extensions"]["VRM"]["firstPerson"]["meshAnnotations"] = {
      {{"mesh", 0}, {"firstPersonFlag", "Auto"}}};
  check_sizes(file);
}
