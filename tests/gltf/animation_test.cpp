#include <doctest/doctest.h>

#include <cmath>

#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

// A clip of one channel on the node "Tip".
GltfFile animated(const std::string& path, const std::string& interpolation, int input, int output,
                  GltfFile file) {
  file.json["animations"] = {
      {{"name", "walk"},
       {"samplers", {{{"input", input}, {"output", output}, {"interpolation", interpolation}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", path}}}}}}}};
  return file;
}

GltfFile translated(const std::vector<float>& times) {
  GltfFile file = skinned_triangle();
  const int input = file.add<float>("SCALAR", times);
  const int output = file.add<float>("VEC3", std::vector<float>(3 * times.size()));
  return animated("translation", "LINEAR", input, output, file);
}

}  // namespace

TEST_CASE("animation: a channel has its keys in double") {
  const Asset asset = load(translated({0.25f, 0.5f}));
  REQUIRE(asset.clips.size() == 1);
  const Clip& clip = asset.clips[0];
  CHECK(clip.id == "walk");
  CHECK(clip.duration_s == 0.5);
  REQUIRE(clip.channels.size() == 1);
  CHECK(clip.channels[0].node == 2);
  CHECK(clip.channels[0].width == 3);
  CHECK(*clip.channels[0].times == std::vector<double>{0.25, 0.5});
  CHECK(clip.channels[0].values->size() == 6);
}

TEST_CASE("animation: key times may repeat, but not descend or be negative") {
  CHECK(issue_count(load(translated({0, 1, 1, 1})), "KEY_TIMES_REPEATED") == 2);
  CHECK(error_of(translated({0, 1, 0.5f})) == "TIMES_INVALID");
  CHECK(error_of(translated({-1, 1})) == "TIMES_INVALID");
  CHECK(error_of(translated({0, NAN})) == "VALUE_NOT_FINITE");
}

TEST_CASE("animation: normalised integers are decoded, quaternions made unit") {
  GltfFile file = skinned_triangle();
  const int input = file.add<float>("SCALAR", {0, 1});
  const int output = file.add<std::int8_t>("VEC4", {-128, 0, 0, 0, 0, 0, 100, 0});
  const Asset asset = load(animated("rotation", "LINEAR", input, output, file));
  CHECK(*asset.clips[0].channels[0].values == std::vector<double>{-1, 0, 0, 0, 0, 0, 1, 0});
  CHECK(issue_count(asset, "QUATERNION_NOT_UNIT") == 1);
}

TEST_CASE("animation: cubic keys are not changed, and a single key is constant") {
  GltfFile file = skinned_triangle();
  const int input = file.add<float>("SCALAR", {0, 1});
  const int output = file.add("VEC4", std::vector<float>(24, 2));
  Asset asset = load(animated("rotation", "CUBICSPLINE", input, output, file));
  CHECK(asset.clips[0].channels[0].interpolation == Interpolation::kCubicSpline);
  CHECK(asset.clips[0].channels[0].values->at(5) == 2);
  file = skinned_triangle();
  const int one = file.add<float>("SCALAR", {0.5f});
  const int held = file.add<float>("VEC3", {9, 9, 9, 1, 2, 3, 9, 9, 9});
  asset = load(animated("translation", "CUBICSPLINE", one, held, file));
  CHECK(asset.clips[0].channels[0].interpolation == Interpolation::kStep);
  CHECK(*asset.clips[0].channels[0].values == std::vector<double>{1, 2, 3});
}

TEST_CASE("animation: channels of one accessor share a single cubic key as they share keys") {
  GltfFile file = skinned_triangle();
  const int one = file.add<float>("SCALAR", {0.5f});
  const int held = file.add<float>("VEC3", {9, 9, 9, 1, 2, 3, 9, 9, 9});
  file = animated("translation", "CUBICSPLINE", one, held, file);
  file.json["animations"][0]["channels"].push_back(
      {{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}});
  const Asset asset = load(file);
  REQUIRE(asset.clips[0].channels.size() == 2);
  CHECK(asset.clips[0].channels[0].values == asset.clips[0].channels[1].values);
}

TEST_CASE("animation: a wrong number of values is refused") {
  GltfFile file = skinned_triangle();
  const int input = file.add<float>("SCALAR", {0, 1});
  const int output = file.add<float>("VEC3", std::vector<float>(9));
  CHECK(error_of(animated("translation", "LINEAR", input, output, file)) == "ACCESSOR_COUNT");
  CHECK(error_of(animated("translation", "CUBICSPLINE", input, output, file)) == "ACCESSOR_COUNT");
  CHECK(error_of(animated("rotation", "LINEAR", input, output, file)) == "ACCESSOR_FORMAT");
  CHECK(error_of(animated("scale", "SOMEHOW", input, input, file)) == "SCHEMA_VIOLATION");
}

TEST_CASE("animation: ignored channels still count for the duration") {
  GltfFile base = translated({0, 2});
  const auto ignored = [&](const nlohmann::json& target) {
    GltfFile file = base;
    file.json["animations"][0]["channels"][0]["target"] = target;
    const Asset asset = load(file);
    CHECK(asset.clips[0].channels.empty());
    CHECK(asset.clips[0].duration_s == 2);
    CHECK(issue_count(asset, "CLIP_EMPTY") == 1);
    return issue_count(asset, "CHANNEL_IGNORED");
  };
  CHECK(ignored({{"path", "translation"}}) == 1);
  CHECK(ignored({{"node", 2}, {"path", "colour"}}) == 1);
  CHECK(ignored({{"node", 2}, {"path", "weights"}}) == 1);
  CHECK(ignored({{"path", "pointer"}}) == 1);
  base.json["nodes"][1]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  CHECK(ignored({{"node", 1}, {"path", "scale"}}) == 1);
}

TEST_CASE("animation: channels that share an accessor share its numbers") {
  GltfFile file = translated({0, 1});
  file.json["animations"][0]["channels"].push_back(
      {{"sampler", 0}, {"target", {{"node", 1}, {"path", "scale"}}}});
  const Asset asset = load(file);
  const auto& channels = asset.clips[0].channels;
  REQUIRE(channels.size() == 2);
  CHECK(channels[0].times == channels[1].times);
  CHECK(channels[0].values == channels[1].values);
}

TEST_CASE("animation: a second channel of the same target is ignored") {
  GltfFile file = translated({0, 1});
  auto& channels = file.json["animations"][0]["channels"];
  channels.push_back(channels[0]);
  CHECK(issue_count(load(file), "CHANNEL_IGNORED") == 1);
}

TEST_CASE("animation: a key has as many morph weights as the mesh has targets") {
  GltfFile file = skinned_triangle();
  file.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", 0}}, {{"POSITION", 0}}};
  const int input = file.add<float>("SCALAR", {0, 1});
  const int output = file.add<std::uint8_t>("SCALAR", {0, 255, 51, 0});
  GltfFile clip = animated("weights", "STEP", input, output, file);
  clip.json["animations"][0]["channels"][0]["target"]["node"] = 0;
  const Asset asset = load(clip);
  CHECK(asset.clips[0].channels[0].width == 2);
  CHECK(*asset.clips[0].channels[0].values == std::vector<double>{0, 1, 0.2, 0});
}
