// Broken parts of a file: a rig or a clip that violates glTF 2.0 has a fault, and the others are
// read.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "skinbake/bake.h"
#include "skinbake/compare.h"
#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

nlohmann::json keyed_clip(GltfFile& file, const std::string& name,
                          const std::vector<float>& times) {
  const int input = file.add<float>("SCALAR", times);
  const int output = file.add<float>("VEC3", std::vector<float>(3 * times.size()));
  return {{"name", name},
          {"samplers", {{{"input", input}, {"output", output}}}},
          {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}}}};
}

// A triangle with the clips "first", "broken" and "last", and a mesh node "Prop" whose position is
// not finite.
GltfFile broken_file() {
  GltfFile file = skinned_triangle();
  const int position = file.add<float>("VEC3", {0, 0, 0, kNotANumber, 0, 0, 0, 1, 0});
  file.json["meshes"].push_back({{"primitives", {{{"attributes", {{"POSITION", position}}}}}}});
  file.json["nodes"].push_back({{"name", "Prop"}, {"mesh", 1}});
  file.json["scenes"][0]["nodes"].push_back(3);
  file.json["animations"] = {keyed_clip(file, "first", {0, 1}), keyed_clip(file, "broken", {1, 0}),
                             keyed_clip(file, "last", {0, 2})};
  return file;
}

Asset load_parts(const GltfFile& file) {
  return load_asset(TemporaryFile("test.gltf", file.text()).path());
}

// The code of the error that `work` throws, or "".
template <class Work>
std::string thrown_by(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

}  // namespace

TEST_CASE("broken parts: a broken rig and a broken clip keep their places") {
  const Asset asset = load_parts(broken_file());
  REQUIRE(asset.rigs.size() == 2);
  CHECK(asset.rigs[0].fault == nullptr);
  CHECK(asset.rigs[1].id == "Prop");
  REQUIRE(asset.rigs[1].fault != nullptr);
  CHECK(asset.rigs[1].fault->code() == "VALUE_NOT_FINITE");
  REQUIRE(asset.clips.size() == 3);
  CHECK(asset.clips[1].id == "broken");
  CHECK(asset.clips[1].index == 1);
  REQUIRE(asset.clips[1].fault != nullptr);
  CHECK(asset.clips[1].fault->location().pointer == "/animations/1/samplers/0/input");
  CHECK(asset.clips[2].fault == nullptr);
  CHECK(asset.clips[2].duration_s == 2);
  CHECK(issue_count(asset, "PART_NOT_READ") == 2);
}

TEST_CASE("broken parts: a bake of a broken part throws its error") {
  const GltfFile file = broken_file();
  const Asset asset = load_parts(file);
  const Rig &good = asset.rigs[0], &bad = asset.rigs[1];
  const Clip &first = asset.clips[0], &broken = asset.clips[1];
  const Method lbs = parse_method("lbs");
  CHECK(thrown_by([&] { bake_to_array({good, &first, lbs, frames_of(first, 30)}); }) == "");
  CHECK(thrown_by([&] { bake_to_array({bad, &first, lbs, {}}); }) == "VALUE_NOT_FINITE");
  CHECK(thrown_by([&] { bake_to_array({good, &broken, lbs, {}}); }) == "TIMES_INVALID");
  CHECK(thrown_by([&] { pose_positions(bad, {}, lbs); }) == "VALUE_NOT_FINITE");
  CHECK(thrown_by([&] { pose_positions(good, {&broken}, lbs); }) == "TIMES_INVALID");
  CHECK(thrown_by([&] { validate(bad); }) == "VALUE_NOT_FINITE");
  CHECK(thrown_by([&] { validate(broken, good); }) == "TIMES_INVALID");
  const ClipFile clips = load_clip_file(TemporaryFile("clips.gltf", file.text()).path());
  CHECK(thrown_by([&] { match_clip(clips, clips.clips.at(0), asset); }) == "");
  CHECK(thrown_by([&] { match_clip(clips, clips.clips.at(1), asset); }) == "TIMES_INVALID");
}

TEST_CASE(
    "broken parts: the file of a clip may have broken meshes and nodes that it does not move") {
  GltfFile file = broken_file();
  file.json["meshes"][1]["primitives"] = "none";
  file.json["nodes"][3]["matrix"] = std::vector<double>(16, 0);
  const auto clips = [&] {
    return load_clip_file(TemporaryFile("c.gltf", file.text()).path()).clips;
  };
  CHECK(clips().at(0).fault == nullptr);
  file.json["nodes"][1].erase("children");
  file.json["nodes"][3]["children"] = {1};
  file.json["scenes"][0]["nodes"] = {0, 3};
  REQUIRE(clips().at(0).fault != nullptr);
  CHECK(clips().at(0).fault->code() == "MATRIX_NOT_AFFINE");
}

TEST_CASE("broken parts: a broken rig has the morph weights that clips move") {
  GltfFile file = broken_file();
  const int target = file.add<float>("VEC3", std::vector<float>(9));
  file.json["meshes"][1]["primitives"][0]["targets"] = {{{"POSITION", target}},
                                                        {{"POSITION", target}}};
  CHECK(load_parts(file).rigs[1].morph_weights == std::vector<double>(2));
}

TEST_CASE("broken parts: the fault of a shared mesh is one of each of its nodes") {
  GltfFile file = broken_file();
  file.json["nodes"].push_back({{"name", "Other"}, {"mesh", 1}});
  file.json["scenes"][0]["nodes"].push_back(4);
  const Asset asset = load_parts(file);
  REQUIRE(asset.rigs.size() == 3);
  CHECK(asset.rigs[2].fault != nullptr);
  CHECK(issue_count(asset, "PART_NOT_READ") == 3);
}

TEST_CASE("broken parts: weights that are broken concern only the nodes with a skin") {
  GltfFile file = skinned_triangle();
  const int weights = file.add<float>("VEC4", std::vector<float>(12, kNotANumber));
  file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = weights;
  file.json["nodes"].push_back({{"name", "Rigid"}, {"mesh", 0}});
  file.json["scenes"][0]["nodes"].push_back(3);
  const Asset asset = load_parts(file);
  REQUIRE(asset.rigs.size() == 2);
  CHECK(asset.rigs[0].fault != nullptr);
  CHECK(asset.rigs[1].fault == nullptr);
}

TEST_CASE("broken parts: a file that is written again is read whole") {
  GltfFile file = broken_file();
  file.json["meshes"][1]["primitives"] = "none";
  const TemporaryFile written("test.gltf", file.text());
  CHECK(thrown_by([&] { load_asset(written.path()); }) == "");
  CHECK(thrown_by([&] { load_asset(written.path(), {.source = true}); }) == "SCHEMA_VIOLATION");
}

TEST_CASE("broken parts: elements that fail after long work end the load") {
  GltfFile file = skinned_triangle();
  std::vector<float> times(100'000);
  times.back() = -1;
  const nlohmann::json broken = keyed_clip(file, "", times);
  file.json["animations"] = nlohmann::json::array_t(100, broken);
  CHECK(thrown_by([&] { load_parts(file); }) == "");
  file.json["animations"] = nlohmann::json::array_t(2'000, broken);
  CHECK(thrown_by([&] { load_parts(file); }) == "TIMES_INVALID");
}
