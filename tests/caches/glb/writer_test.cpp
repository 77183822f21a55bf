#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "support/bytes.h"
#include "support/caches/baked_glb.h"
#include "support/caches/golden.h"
#include "support/capture.h"
#include "support/gltf/parsed_glb.h"
#include "support/rigs.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::Glb;
using test::LiftedVertex;
using test::Options;
using test::plan_of;
using test::read_file;
using test::TemporaryFolder;

// Bakes the meshes with the clip into one file.
Glb baked(const std::vector<const Rig*>& rigs, const Clip* clip, std::int64_t frames,
          const Options& options = {}, int threads = 1) {
  const TemporaryFolder folder;
  std::vector<CacheHeader> headers;
  for (const Rig* rig : rigs) {
    headers.push_back(test::header_of(plan_of(*rig, clip, frames), options));
  }
  const auto writers = cache_format_of("a.glb").open_together(folder / "a.glb", headers);
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    BakePlan plan = plan_of(*rigs[i], clip, frames);
    plan.threads = threads;
    plan.runs = {{parse_method("lbs"), {writers[i].get()}}};
    bake(plan);
  }
  CHECK(folder.entry_count() == 0);
  for (const auto& writer : writers) writer->commit();
  CHECK(folder.entry_count() == 2);
  Glb glb(read_file(folder / "a.glb"));
  const json sidecar = json::parse(read_file(folder / "a.glb.json"));
  CHECK(sidecar["format"] == "glb");
  CHECK(sidecar["bytes"] == glb.bytes.size());
  CHECK(sidecar["xxh128"] == test::hash_of(glb.bytes));
  CHECK(writers.front()->bytes() == glb.bytes.size());
  CHECK(writers.front()->xxh128() == test::hash_of(glb.bytes));
  return glb;
}

// clang-format off
constexpr unsigned char kGoldenBin[] = {
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,         // zeros
    0, 0, 0, 0,  0x89, 0x88, 0x08, 0x3d,                       // times: 0, 1/30
    1, 0, 0, 0,                                                // weights: index 1,
    0, 0, 0x80, 0x3f,                                          //          value 1.0
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x40, 0x40,    // frame 0: 1, 2, 3
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x3f,    //         -1, 0, 0.5
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x41,    // displacement: 0, 0, 8
    1, 0, 0, 0,                                                // of vertex 1, padded
};
// clang-format on

constexpr const char* kGoldenJson = R"({
"accessors": [
  {"bufferView": 0, "byteOffset": 0, "componentType": 5126, "count": 2, "max": [1.0, 2.0, 3.0],
   "min": [-1.0, 0.0, 0.5], "type": "VEC3"},
  {"componentType": 5126, "count": 2, "max": [0.0, 0.0, 8.0], "min": [0.0, 0.0, 0.0],
   "sparse": {"count": 1, "indices": {"bufferView": 2, "byteOffset": 0, "componentType": 5123},
              "values": {"bufferView": 1, "byteOffset": 0}}, "type": "VEC3"},
  {"bufferView": 3, "componentType": 5126, "count": 2, "max": [0.033333335], "min": [0.0],
   "type": "SCALAR"},
  {"componentType": 5126, "count": 2, 
   "sparse": {"count": 1, "indices": {"bufferView": 4, "byteOffset": 0, "componentType": 5125},
              "values": {"bufferView": 5, "byteOffset": 0}}, "type": "SCALAR"}],
"animations": [
  {"channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}], "name": "lift",
   "samplers": [{"input": 2, "interpolation": "LINEAR", "output": 3}]}],
"asset": {
  "extras": {"skinbake": {
    "clip": "lift", "first_frame": 0, "fps": 30.0, "frame_count": 2, "frame_step": 1,
    "inputs": [], "meshes": [{"id": "loose", "node": 2}], "method": "lbs", "modifiers": [],
    "space": "scene"}},
  "version": "2.0"},
"bufferViews": [
  {"buffer": 0, "byteLength": 24, "byteOffset": 32, "byteStride": 12, "target": 34962},
  {"buffer": 0, "byteLength": 12, "byteOffset": 56},
  {"buffer": 0, "byteLength": 4, "byteOffset": 68},
  {"buffer": 0, "byteLength": 8, "byteOffset": 16},
  {"buffer": 0, "byteLength": 4, "byteOffset": 24},
  {"buffer": 0, "byteLength": 4, "byteOffset": 28}],
"buffers": [{"byteLength": 72}],
"meshes": [
  {"extras": {"targetNames": ["frame 1"]},
   "primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}]}],
   "weights": [0]}],
"nodes": [{"mesh": 0, "name": "loose"}],
"scene": 0,
"scenes": [{"nodes": [0]}]
})";

// Opens a writer. Returns the code of the error, or "".
std::string code_of_opening(const CacheHeader& header) {
  const TemporaryFolder folder;
  try {
    cache_format_of("a.glb").open(folder / "a.glb", header);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    CHECK(folder.entry_count() == 0);
    return error.code();
  }
  return "";
}

}  // namespace

TEST_CASE("glb: two vertices in two frames have the bytes of the specification") {
  const LiftedVertex lift;
  const Glb glb = baked({&lift.rig}, &lift.clip, 2);
  json golden = json::parse(kGoldenJson);
  const json asset = std::exchange(golden["asset"], json());
  golden.erase("asset");
  const std::string expected = "{\"asset\":{\"generator\":\"skinbake " SKINBAKE_TEST_VERSION "\"," +
                               asset.dump().substr(1) + "," + golden.dump().substr(1);
  REQUIRE(glb.text.size() > expected.size());
  CHECK(glb.text.substr(0, expected.size()) == expected);
  CHECK(glb.text.find_first_not_of(' ', expected.size()) == std::string::npos);
  test::check_bytes(glb.bin, kGoldenBin);
}

TEST_CASE("glb: targets are the differences from frame 0, and their bounds are exact") {
  const Rig rig = test::tube({.rings = 60, .segments = 13});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  const auto expected = test::captured(rig, &clip, 40, "lbs");
  const Glb glb = baked({&rig}, &clip, 40);
  const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
  const std::vector<float> base = glb.floats(primitive["attributes"]["POSITION"]);
  const std::size_t row = base.size();
  CHECK(std::memcmp(base.data(), expected.positions.data(), row * sizeof(float)) == 0);
  REQUIRE(primitive["targets"].size() == 39);
  std::set<std::string> kinds;
  for (std::size_t f = 1; f < 40; ++f) {
    CAPTURE(f);
    const json& accessor = glb.target(0, 0, f - 1);
    kinds.insert(accessor.contains("sparse") ? "sparse" : "dense");
    const std::vector<float> deltas = glb.floats(primitive["targets"][f - 1]["POSITION"]);
    std::size_t wrong = 0;
    std::array<float, 3> low{9, 9, 9}, high{-9, -9, -9};
    for (std::size_t i = 0; i < row; ++i) {
      wrong += deltas[i] != expected.positions[f * row + i] - base[i];
      low[i % 3] = std::min(low[i % 3], deltas[i]);
      high[i % 3] = std::max(high[i % 3], deltas[i]);
    }
    CHECK(wrong == 0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      CHECK(accessor["min"][axis].get<float>() == low[axis]);
      CHECK(accessor["max"][axis].get<float>() == high[axis]);
    }
  }
  CHECK(kinds == std::set<std::string>{"dense"});
}

TEST_CASE("glb: a target is sparse if that is smaller, and zero targets share an accessor") {
  // Of 8 vertices, 7 move in frame 1, 6 in frame 2 and none in later frames.
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (int v = 0; v < 8; ++v) {
    points.push_back({1.0 * v, 0, 0});
    influences.push_back({{v == 0 ? 0u : v == 7 ? 2u : 1u, 1.0}});
  }
  const Rig rig = test::loose(points, {Node{}, Node{}, Node{}}, influences);
  Clip clip;
  const std::vector<double> times{0, 1.0 / 30, 2.0 / 30, 3.0 / 30, 4.0 / 30};
  clip.channels = {test::channel(1, ChannelPath::kTranslation, Interpolation::kLinear, times,
                                 {0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}, 3),
                   test::channel(2, ChannelPath::kTranslation, Interpolation::kLinear, times,
                                 {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 3)};
  const Glb glb = baked({&rig}, &clip, 5);
  CHECK_FALSE(glb.target(0, 0, 0).contains("sparse"));
  REQUIRE(glb.target(0, 0, 1).contains("sparse"));
  CHECK(glb.target(0, 0, 1)["sparse"]["count"] == 6);
  CHECK_FALSE(glb.target(0, 0, 1).contains("bufferView"));
  REQUIRE(glb.target(0, 0, 2).contains("sparse"));
  CHECK(glb.target(0, 0, 2)["sparse"]["count"] == 1);
  CHECK(glb.target(0, 0, 2)["min"] == json({0, 0, 0}));
  const json& targets = glb.parsed["meshes"][0]["primitives"][0]["targets"];
  CHECK(targets[2] == targets[3]);
  CHECK(glb.floats(targets[1]["POSITION"])[3 * 6 + 1] == 2);
  CHECK(glb.floats(targets[1]["POSITION"])[3 * 7 + 1] == 0);
  CHECK(glb.floats(targets[3]["POSITION"]) == std::vector<float>(24));
}

TEST_CASE("glb: every frame but the first has exactly one weight of 1") {
  const LiftedVertex lift;
  const Glb glb = baked({&lift.rig}, &lift.clip, 5);
  const json& sampler = glb.parsed["animations"][0]["samplers"][0];
  const std::vector<float> times = glb.floats(sampler["input"]);
  const std::vector<float> weights = glb.floats(sampler["output"]);
  REQUIRE(weights.size() == 5 * 4);
  for (std::size_t f = 0; f < 5; ++f) {
    CHECK(times[f] == static_cast<float>(static_cast<double>(f) / 30));
    for (std::size_t t = 0; t < 4; ++t) CHECK(weights[4 * f + t] == (f == t + 1 ? 1 : 0));
  }
  CHECK(sampler["interpolation"] == "LINEAR");
  const Glb steps = baked({&lift.rig}, &lift.clip, 5, {{"interpolation", "step"}});
  CHECK(steps.parsed["animations"][0]["samplers"][0]["interpolation"] == "STEP");
}

TEST_CASE("glb: a cache of one frame does not have targets, weights or an animation") {
  const LiftedVertex lift;
  const Glb glb = baked({&lift.rig}, nullptr, 1);
  CHECK_FALSE(glb.parsed.contains("animations"));
  const json& mesh = glb.parsed["meshes"][0];
  CHECK_FALSE(mesh.contains("weights"));
  CHECK_FALSE(mesh.contains("extras"));
  CHECK_FALSE(mesh["primitives"][0].contains("targets"));
  CHECK(glb.parsed["asset"]["extras"]["skinbake"]["clip"].is_null());
  CHECK(glb.bin.size() == 2 * 12);
}

TEST_CASE("glb: a file of several meshes has a node for each") {
  const LiftedVertex lift;
  const Rig tube = test::tube({});
  const Glb glb = baked({&lift.rig, &tube}, &lift.clip, 20);
  CHECK(glb.parsed["nodes"].size() == 2);
  CHECK(glb.parsed["scenes"][0]["nodes"] == json({0, 1}));
  CHECK(glb.parsed["animations"][0]["channels"].size() == 2);
  const auto expected = test::captured(tube, &lift.clip, 20, "lbs");
  const std::vector<float> base =
      glb.floats(glb.parsed["meshes"][1]["primitives"][0]["attributes"]["POSITION"]);
  CHECK(std::memcmp(base.data(), expected.positions.data(), base.size() * sizeof(float)) == 0);
}

TEST_CASE("glb: the bytes do not depend on the number of threads") {
  const Rig rig = test::tube({.rings = 100, .segments = 13});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2, 4);
  const std::string one = baked({&rig}, &clip, 100, {}, 1).bytes;
  CHECK(one == baked({&rig}, &clip, 100, {}, 2).bytes);
  CHECK(one == baked({&rig}, &clip, 100, {}, 7).bytes);
}

TEST_CASE("glb: counts beyond the limits of the format are refused before a file is written") {
  const LiftedVertex lift;
  CHECK(code_of_opening(lift.header(46341)).empty());
  CHECK(code_of_opening(lift.header(46342)) == "CACHE_TOO_LARGE");
  CHECK(code_of_opening(lift.header(std::int64_t{1} << 62)) == "CACHE_TOO_LARGE");
  CacheHeader split = lift.header(50000);
  split.options = {{"split", "1"}};
  CHECK(code_of_opening(split).empty());
  for (const std::int64_t frames : {230000, 300000}) {  // their JSON exceeds what is read
    split.frames.frame_count = frames;
    CHECK(code_of_opening(split) == "CACHE_TOO_LARGE");
  }
  const Rig large = test::tube({.rings = 1000, .segments = 100});
  CacheHeader header = lift.header(3570);
  header.rig = &large;
  CHECK(code_of_opening(header).empty());
  header.frames.frame_count = 3580;
  CHECK(code_of_opening(header) == "CACHE_TOO_LARGE");
}

TEST_CASE("glb: frames whose times are equal as float32 are refused") {
  const LiftedVertex lift;
  CacheHeader header = lift.header(3);
  header.frames = {1000, 1 << 24, 1, 3};
  CHECK(code_of_opening(header) == "CACHE_TIMES_COLLIDE");
}

TEST_CASE(
    "glb: a displacement that float32 does not hold is refused, though each position is finite") {
  LiftedVertex lift;
  lift.clip.channels = {test::channel(1, ChannelPath::kTranslation, Interpolation::kLinear,
                                      {0, 1.0 / 30}, {2e38F, 0, 0, -2e38F, 0, 0}, 3)};
  const TemporaryFolder folder;
  for (const test::Options& options : {test::Options{}, test::Options{{"split", "1"}}}) {
    std::string code;
    try {
      test::bake_to(folder / "a.glb", lift.header(2, options), plan_of(lift.rig, &lift.clip, 2));
    } catch (const Error& error) {
      code = error.code();
    }
    CHECK(code == "CACHE_UNSUITABLE");
  }
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("glb: unknown options are refused") {
  const LiftedVertex lift;
  CacheHeader header = lift.header(3);
  header.options = {{"interpolation", "cubic"}};
  CHECK(code_of_opening(header) == "FORMAT_OPTION_UNKNOWN");
  header.options = {{"quality", "1"}};
  CHECK(code_of_opening(header) == "FORMAT_OPTION_UNKNOWN");
}

TEST_CASE("glb: a cancelled bake does not leave a file") {
  const TemporaryFolder folder;
  const LiftedVertex lift;
  {
    BakePlan plan = plan_of(lift.rig, &lift.clip, 2);
    const std::atomic<bool> cancelled = true;
    plan.cancelled = &cancelled;
    CHECK_THROWS_AS(test::bake_to(folder / "a.glb", lift.header(2), plan), Cancelled);
  }
  CHECK(folder.entry_count() == 0);
}

}  // namespace skinbake
