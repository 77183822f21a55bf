#include <doctest/doctest.h>

#include <cmath>

#include "skinbake/gltf.h"
#include "support/caches/baked_glb.h"
#include "support/caches/golden.h"
#include "support/frames.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::BendingTube;
using test::error_code_of;
using test::Glb;
using test::largest_distance;
using test::LiftedVertex;
using test::Options;
using test::read_file;
using test::TemporaryFolder;
using test::with_json;

const Options kCompressed{{"quantize", "1"}, {"meshopt", "1"}};

struct Written {
  std::string bytes;
  double bound_m = 0;
};

Written written(const Rig& rig, const Clip* clip, std::int64_t frames, const Options& options,
                int threads = 1) {
  const TemporaryFolder folder;
  BakePlan plan = test::plan_of(rig, clip, frames);
  plan.threads = threads;
  const auto writer = test::bake_to(folder / "a.glb", test::header_of(plan, options), plan);
  return {read_file(folder / "a.glb"), writer->bound_m()};
}

std::vector<float> frames_of(const std::string& bytes) {
  const TemporaryFolder folder;
  test::write_file(folder / "a.glb", bytes);
  return test::positions_of(*open_cache(folder / "a.glb"));
}

// The frames of the file when it is loaded as a glTF model, not read as a cache.
std::vector<float> evaluated(const std::string& bytes, std::int64_t frames) {
  const TemporaryFolder folder;
  test::write_file(folder / "a.glb", bytes);
  const Asset asset = load_asset(folder / "a.glb");
  REQUIRE(asset.rigs.size() == 1);
  REQUIRE(asset.clips.size() == 1);
  const auto captured = test::captured(asset.rigs[0], &asset.clips[0], frames, "lbs");
  return {captured.positions.begin(), captured.positions.end()};
}

// clang-format off
constexpr unsigned char kQuantizedGolden[] = {
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,     // zeros
    0, 0, 0, 0,  0x89, 0x88, 0x08, 0x3d,                   // times: 0, 1/30
    1, 0, 0, 0,                                            // weights: index 1,
    0, 0, 0x80, 0x3f,                                      //          value 1.0
    0x00, 0x10,  0x00, 0x10,  0x00, 0x14,  0, 0,           // frame 0: 4096, 4096, 5120
    0x00, 0xf0,  0x00, 0xf0,  0x00, 0xec,  0, 0,           //         -4096, -4096, -5120
    0, 0,  0, 0,  0, 0,  0, 0,                             // displacements: 0, 0, 0
    0, 0,  0, 0,  0xff, 0x7f,  0, 0,                       //                0, 0, 32767
};
// clang-format on

}  // namespace

TEST_CASE("quantized glb: two vertices in two frames have the bytes of the specification") {
  const LiftedVertex lift;
  const std::string bytes = written(lift.rig, &lift.clip, 2, {{"quantize", "1"}}).bytes;
  test::check_bytes(Glb(bytes).bin, kQuantizedGolden);
  const json gltf = Glb(bytes).parsed;
  CHECK(gltf["extensionsUsed"] == json({"KHR_mesh_quantization"}));
  CHECK(gltf["extensionsRequired"] == json({"KHR_mesh_quantization"}));
  CHECK(gltf["nodes"][0]["translation"] == json({0, 1, 1.75}));
  CHECK(gltf["nodes"][0]["scale"] == json({8, 8, 8}));
  const json& base = gltf["accessors"][0];
  CHECK(base["componentType"] == 5122);
  CHECK(base["normalized"] == true);
  CHECK(base["min"] == json({-4096, -4096, -5120}));
  CHECK(base["max"] == json({4096, 4096, 5120}));
  CHECK(gltf["bufferViews"][0]["byteStride"] == 8);
  CHECK(gltf["accessors"][1]["max"] == json({0, 0, 32767}));
}

TEST_CASE("quantized glb: the error is within the bound, both as a cache and as a glTF model") {
  const BendingTube tube;
  const auto expected = test::captured(tube.rig, &tube.clip, BendingTube::kFrames, "lbs");
  const std::vector<float> frames(expected.positions.begin(), expected.positions.end());
  for (const char* bits : {"8", "11", "16"}) {
    for (const char* meshopt : {"0", "1"}) {
      CAPTURE(bits);
      CAPTURE(meshopt);
      const Written file = written(tube.rig, &tube.clip, BendingTube::kFrames,
                                   {{"quantize", "1"}, {"bits", bits}, {"meshopt", meshopt}});
      const double largest = std::pow(2, std::stoi(bits) - 1) - 1;
      const double scale = Glb(file.bytes).parsed["nodes"][0]["scale"][0];
      const double step = scale / 32767;
      CHECK(step * largest < 5);  // the tube is less than 2.5 long
      CHECK(file.bound_m == doctest::Approx(std::sqrt(3.0) * step / 2).epsilon(0.01));
      const double worst = largest_distance(frames_of(file.bytes), frames);
      CHECK(worst <= file.bound_m);
      CHECK(worst > file.bound_m / 4);
      const double rounded = 1e-6;  // float32 in the node's transform and the morph targets
      CHECK(largest_distance(evaluated(file.bytes, BendingTube::kFrames), frames) <=
            file.bound_m + rounded);
    }
  }
}

TEST_CASE("quantized glb: meshopt compression is lossless") {
  const BendingTube tube;
  const std::string plain =
      written(tube.rig, &tube.clip, BendingTube::kFrames, {{"quantize", "1"}}).bytes;
  const std::string compressed =
      written(tube.rig, &tube.clip, BendingTube::kFrames, kCompressed).bytes;
  CHECK(frames_of(plain) == frames_of(compressed));
  const json gltf = Glb(compressed).parsed;
  CHECK(gltf["extensionsRequired"] == json({"KHR_mesh_quantization", "EXT_meshopt_compression"}));
  REQUIRE(gltf["buffers"].size() == 2);
  CHECK(gltf["buffers"][1]["extensions"]["EXT_meshopt_compression"]["fallback"] == true);
  CHECK_FALSE(gltf["buffers"][1].contains("uri"));
  CHECK(Glb(compressed).bin.size() < Glb(plain).bin.size());
}

TEST_CASE("quantized glb: a smooth clip takes less than four bytes per vertex and frame") {
  const Rig rig = test::tube({.rings = 120, .segments = 60});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  const std::int64_t frames = 20;
  const Written file =
      written(rig, &clip, frames, {{"quantize", "1"}, {"bits", "14"}, {"meshopt", "1"}});
  const auto expected = test::captured(rig, &clip, frames, "lbs");
  const std::vector<float> exact(expected.positions.begin(), expected.positions.end());
  const double numbers = static_cast<double>(exact.size()) / 3;
  CHECK(static_cast<double>(Glb(file.bytes).bin.size()) / numbers < 4);
  std::array<float, 3> low{9, 9, 9}, high{-9, -9, -9};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    low[i % 3] = std::min(low[i % 3], exact[i]);
    high[i % 3] = std::max(high[i % 3], exact[i]);
  }
  const double diagonal = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  CHECK(largest_distance(frames_of(file.bytes), exact) < 1e-4 * diagonal);
}

TEST_CASE("quantized glb: a point that does not move, and a single frame, are exact") {
  const Rig point = test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}});
  for (const std::int64_t frames : {1, 3}) {
    CAPTURE(frames);
    for (const Options& options : {Options{{"quantize", "1"}}, kCompressed}) {
      const std::vector<float> rows = frames_of(written(point, nullptr, frames, options).bytes);
      REQUIRE(rows.size() == static_cast<std::size_t>(3 * frames));
      for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i] == static_cast<float>(1 + i % 3));
    }
  }
}

TEST_CASE("quantized glb: the bytes do not depend on the number of threads") {
  const Rig rig = test::tube({.rings = 40, .segments = 13});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2, 4);
  const std::string one = written(rig, &clip, 50, kCompressed, 1).bytes;
  CHECK(one == written(rig, &clip, 50, kCompressed, 2).bytes);
  CHECK(one == written(rig, &clip, 50, kCompressed, 7).bytes);
}

TEST_CASE("quantized glb: invalid values and combinations of options are refused") {
  const LiftedVertex lift;
  for (const Options& options :
       {Options{{"quantize", "2"}}, Options{{"quantize", "1"}, {"bits", "7"}},
        Options{{"quantize", "1"}, {"bits", "17"}}, Options{{"quantize", "1"}, {"bits", "012"}},
        Options{{"bits", "12"}}, Options{{"meshopt", "1"}},
        Options{{"quantize", "0"}, {"meshopt", "1"}},
        Options{{"quantize", "1"}, {"meshopt", ""}}}) {
    try {
      written(lift.rig, &lift.clip, 2, options);
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.code() == "FORMAT_OPTION_UNKNOWN");
    }
  }
}

TEST_CASE("quantized glb: a mesh that is too large for a grid is refused") {
  const Rig rig = test::loose({{3e38, 0, 0}, {-3e38, 0, 0}}, {Node{}}, {{{0, 1}}, {{0, 1}}});
  try {
    written(rig, nullptr, 1, {{"quantize", "1"}});
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.code() == "CACHE_UNSUITABLE");
  }
}

TEST_CASE("quantized glb: a file that differs from what the writer writes is refused") {
  const std::string whole = BendingTube().bytes(kCompressed);
  CHECK(error_code_of(whole).empty());
  const test::BasePointers base(Glb(whole).parsed);
  const auto refused = [&](const std::string& pointer, const json& value) {
    test::check_refused(whole, pointer, value);
  };
  refused("/extensionsRequired", json::array());
  refused("/extensionsRequired", "KHR_mesh_quantization");
  refused("/nodes/0/scale", {1, 1, 2});
  refused("/nodes/0/scale", {0, 0, 0});
  refused("/nodes/0/scale", {-1, -1, -1});
  refused("/nodes/0/scale", {1e38, 1e38, 1e38});
  refused("/nodes/0/scale", {1, 1});
  refused("/nodes/0/translation", {0, "0", 0});
  refused("/nodes/0/translation", {0, 1e300, 0});
  refused("/nodes/0/rotation", {0, 0, 0, 1});
  refused(base.accessor + "/normalized", false);
  refused(base.accessor + "/componentType", 5120);
  refused(base.accessor + "/count", 4294967295u);
  const std::string stream = base.view + "/extensions/EXT_meshopt_compression";
  refused(base.view + "/byteStride", 6);
  refused(base.view + "/extensions", {{"KHR_meshopt_compression", json::object()}});
  refused(stream + "/buffer", 1);
  refused(stream + "/byteOffset", 4000000000u);
  refused(stream + "/byteLength", 4000000000u);
  refused(stream + "/byteLength", 0);
  refused(stream + "/byteLength", 40);
  refused(stream + "/byteStride", 4);
  refused(stream + "/count", 3);
  refused(stream + "/count", -1);
  refused(stream + "/mode", "TRIANGLES");
  refused(stream + "/filter", "EXPONENTIAL");
  json bomb = Glb(whole).parsed;
  bomb[json::json_pointer(base.accessor)]["count"] = 4000000000u;
  bomb[json::json_pointer(stream)]["count"] = 4000000000u;
  CHECK(error_code_of(with_json(whole, bomb)) == "CACHE_INVALID");
}

// The stream of a target is decoded only when its frame is read.
TEST_CASE("quantized glb: a stream larger than its elements can need is refused on opening") {
  const std::string whole = BendingTube().bytes(kCompressed);
  const TemporaryFolder folder;
  json gltf = Glb(whole).parsed;
  const std::size_t target = gltf["meshes"][0]["primitives"][0]["targets"][0]["POSITION"];
  const std::size_t view = gltf["accessors"][target]["bufferView"];
  json& stream = gltf["bufferViews"][view]["extensions"]["EXT_meshopt_compression"];
  stream["byteLength"] = Glb(whole).bin.size() - stream["byteOffset"].get<std::size_t>();
  test::write_file(folder / "a.glb", with_json(whole, gltf));
  CHECK_THROWS_AS(open_cache(folder / "a.glb"), Error);
}

TEST_CASE("quantized glb: a file with a damaged byte is refused or read") {
  for (const Options& options : {Options{{"quantize", "1"}}, kCompressed}) {
    test::check_damaged_bytes(BendingTube().bytes(options), 100);
  }
}

}  // namespace skinbake
