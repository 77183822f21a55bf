// KHR_animation_pointer: the properties of nodes that move vertices, and other properties.

#include <doctest/doctest.h>

#include "skinbake/bake.h"
#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

using nlohmann::json;

json channel_to(const std::string& pointer, int sampler = 0) {
  return {
      {"sampler", sampler},
      {"target",
       {{"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", pointer}}}}}}}};
}

// The triangle with two morph targets, and a clip with one channel for each pointer: from 0 at 0 s
// to `last` at 1 s.
GltfFile pointed(const std::vector<std::pair<std::string, std::vector<float>>>& channels) {
  GltfFile file = skinned_triangle();
  const int delta = file.add<float>("VEC3", {1, 0, 0, 1, 0, 0, 1, 0, 0});
  file.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", delta}},
                                                        {{"POSITION", delta}}};
  const int times = file.add<float>("SCALAR", {0, 1});
  json& animation = file.json["animations"][0];
  animation["channels"] = animation["samplers"] = json::array();
  for (const auto& [pointer, last] : channels) {
    std::vector<float> values(last.size());
    if (last.size() == 4) values[3] = 1;
    values.insert(values.end(), last.begin(), last.end());
    const bool single = last.size() < 3;
    const int output =
        file.add<float>(single ? "SCALAR" : "VEC" + std::to_string(last.size()), values);
    animation["channels"].push_back(
        channel_to(pointer, static_cast<int>(animation["samplers"].size())));
    animation["samplers"].push_back({{"input", times}, {"output", output}});
  }
  file.json["extensionsUsed"] = {"KHR_animation_pointer"};
  return file;
}

std::vector<Channel> channels_of(const GltfFile& file) {
  return load(file).clips.at(0).channels;
}

}  // namespace

TEST_CASE("animation pointer: translation, rotation and scale of a node are moved") {
  const auto channels = channels_of(pointed({{"/nodes/2/translation", {1, 2, 3}},
                                             {"/nodes/2/rotation", {0, 0, 1, 0}},
                                             {"/nodes/1/scale", {2, 2, 2}}}));
  REQUIRE(channels.size() == 3);
  CHECK(channels[0].node == 2);
  CHECK(channels[0].path == ChannelPath::kTranslation);
  CHECK(*channels[0].values == std::vector<double>{0, 0, 0, 1, 2, 3});
  CHECK(channels[1].path == ChannelPath::kRotation);
  CHECK(channels[1].width == 4);
  CHECK(channels[2].node == 1);
  CHECK(channels[2].path == ChannelPath::kScale);
}

TEST_CASE("animation pointer: all weights or a single weight are moved") {
  const auto all = channels_of(pointed({{"/nodes/0/weights", {0.25f, 0.5f}}}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].width == 2);
  const Asset asset = load(pointed({{"/nodes/0/weights/1", {0.5f}}}));
  const Channel& one = asset.clips.at(0).channels.at(0);
  CHECK(one.width == 1);
  CHECK(one.first_weight == 1);
  // Vertex 0 is at 0; half of the second target moves it by 0.5 along x, the first one by its own.
  GltfFile both = pointed({{"/nodes/0/weights/1", {0.5f}}, {"/nodes/0/weights/0", {0.25f}}});
  const Asset moved = load(both);
  CHECK(moved.clips[0].channels.size() == 2);
  const auto at = pose_positions(moved.rigs[0], {&moved.clips[0], 1}, parse_method("lbs"));
  CHECK(at[0] == doctest::Approx(0.75).epsilon(1e-12));
  CHECK(pose_positions(asset.rigs[0], {&asset.clips[0], 1}, parse_method("lbs"))[0] ==
        doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE("animation pointer: weights of a mesh move the nodes that do not have their own") {
  GltfFile file = pointed({{"/meshes/0/weights", {0.25f, 0.5f}}});
  file.json["nodes"].push_back({{"mesh", 0}});
  file.json["nodes"].push_back({{"mesh", 0}, {"weights", {1, 1}}});
  const auto all = channels_of(file);
  REQUIRE(all.size() == 2);
  for (const Channel& channel : all) CHECK(*channel.values == std::vector<double>{0, 0, 0.25, 0.5});
  CHECK(all[0].node == 0);
  CHECK(all[1].node == static_cast<NodeIndex>(file.json["nodes"].size()) - 2);

  const auto one = channels_of(pointed({{"/meshes/0/weights/1", {0.5f}}}));
  REQUIRE(one.size() == 1);
  CHECK(one[0].first_weight == 1);
  CHECK(one[0].is_one_weight);

  file.json["nodes"] = skinned_triangle().json["nodes"];
  file.json["nodes"][0]["weights"] = {1, 1};
  CHECK(channels_of(file).empty());
  CHECK(issue_count(load(file), "CHANNEL_IGNORED") == 1);
}

TEST_CASE("animation pointer: weights of a node have precedence over those of its mesh") {
  GltfFile file = pointed({{"/meshes/0/weights", {1, 1}}, {"/nodes/0/weights", {0.25f, 0.5f}}});
  const auto channels = channels_of(file);
  REQUIRE(channels.size() == 1);
  CHECK(*channels[0].values == std::vector<double>{0, 0, 0.25, 0.5});
  CHECK(issue_count(load(file), "CHANNEL_IGNORED") == 1);
  const Asset twice = load(pointed({{"/meshes/0/weights", {1, 1}}, {"/meshes/0/weights/0", {1}}}));
  CHECK(twice.clips.at(0).channels.size() == 1);
  CHECK(issue_count(twice, "CHANNEL_IGNORED") == 1);
}

TEST_CASE("animation pointer: integers that are not normalised are read as numbers") {
  GltfFile file = pointed({{"/nodes/2/translation", {1, 2, 3}}});
  const int output = file.add<std::int16_t>("VEC3", {0, 0, 0, -7, 8, 300});
  file.json["animations"][0]["samplers"][0]["output"] = output;
  CHECK(*channels_of(file)[0].values == std::vector<double>{0, 0, 0, -7, 8, 300});
  file.json["accessors"].back()["normalized"] = true;
  CHECK((*channels_of(file)[0].values)[3] == -7.0 / 32767);
}

TEST_CASE(
    "animation pointer: a second channel of the same property is ignored, as for plain channels") {
  GltfFile file = pointed({{"/nodes/2/translation", {1, 2, 3}}});
  file.json["animations"][0]["channels"].push_back(
      {{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}});
  const Asset asset = load(file);
  CHECK(asset.clips.at(0).channels.size() == 1);
  CHECK(issue_count(asset, "CHANNEL_IGNORED") == 1);
  CHECK(channels_of(pointed({{"/nodes/0/weights/0", {1}}, {"/nodes/0/weights", {1, 1}}})).size() ==
        1);
  CHECK(channels_of(pointed({{"/nodes/0/weights", {1, 1}}, {"/nodes/0/weights/0", {1}}})).size() ==
        1);
}

TEST_CASE("animation pointer: a channel that animates the appearance is informational") {
  for (const char* pointer :
       {"/materials/0/pbrMetallicRoughness/baseColorFactor", "/nodes/2/extensions/KHR_x/visible",
        "/cameras/0/perspective/yfov", "/extensions/KHR_lights_punctual/lights/0/color"}) {
    CAPTURE(pointer);
    const Asset asset = load(pointed({{pointer, {1, 2, 3}}, {"/nodes/2/translation", {1, 2, 3}}}));
    CHECK(asset.clips.at(0).channels.size() == 1);
    REQUIRE(issue_count(asset, "CHANNEL_OF_MATERIAL") == 1);
    for (const Issue& issue : asset.issues) CHECK(issue.severity == Severity::kInfo);
  }
}

TEST_CASE("animation pointer: an animated material is lost if the material is kept") {
  for (const auto& [named, element] :
       {std::pair{"/materials/0/emissiveFactor", "/materials/0"},
        {"/materials/13/normalTexture/extensions/KHR_texture_transform/offset", "/materials/13"},
        {"/cameras/0/perspective/yfov", "/cameras/0"}}) {
    const std::string pointer = named;
    CAPTURE(pointer);
    const GltfFile file = pointed({{pointer, {1, 2, 3}}, {"/nodes/2/translation", {1, 2, 3}}});
    LoadOptions options;
    options.materials = true;
    const Asset asset = load_asset(TemporaryFile("test.gltf", file.text()).path(), options);
    const bool is_material = pointer.starts_with("/materials");
    CHECK(issue_count(asset, "MATERIAL_NOT_ANIMATED") == (is_material ? 1 : 0));
    CHECK(issue_count(asset, "CHANNEL_OF_MATERIAL") == (is_material ? 0 : 1));
    REQUIRE(asset.clips.at(0).targets.size() == 2);
    CHECK(asset.clips[0].targets[0].element == element);
    CHECK(asset.clips[0].targets[1].element == "/nodes/2");
  }
}

TEST_CASE("animation pointer: unsupported and missing properties are ignored with a warning") {
  for (const char* pointer :
       {"/materials/0", "/nodes/2/extensions", "/nodes/9/translation", "/nodes/02/translation",
        "/nodes/-1/translation", "/nodes/2", "/nodes/2/translation/0", "/nodes/0/weights/2",
        "/nodes/0/weights/x", "/nodes/2/weights", "/meshes/1/weights", "/meshes/0/weights/2",
        "/meshes/0/weights/0/0", "/meshes/00/weights", "/meshes/0", "nodes/2/translation", "", "/",
        "/nodes/99999999999/scale"}) {
    CAPTURE(pointer);
    const Asset asset = load(pointed({{pointer, {1, 2, 3}}}));
    CHECK(asset.clips.at(0).channels.empty());
    CHECK(asset.clips[0].duration_s == 1);
    CHECK(issue_count(asset, "CHANNEL_IGNORED") == 1);
    CHECK(issue_count(asset, "CLIP_EMPTY") == 1);
  }
  GltfFile without = pointed({{"/nodes/2/translation", {1, 2, 3}}});
  without.json["animations"][0]["channels"][0]["target"].erase("extensions");
  CHECK(issue_count(load(without), "CHANNEL_IGNORED") == 1);
}
