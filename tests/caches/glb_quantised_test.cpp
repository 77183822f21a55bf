#include <doctest/doctest.h>

#include <cmath>

#include "support/baked_glb.h"
#include "support/frames.h"
#include "support/golden.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::code_of;
using test::json_of;
using test::largest_distance;
using test::Options;
using test::read_file;
using test::TemporaryFolder;
using test::Turning;
using test::with_json;

const Options kPacked{{"quantize", "1"}, {"meshopt", "1"}};

struct Written {
  std::string bytes;
  double bound_m = 0;
};

Written written(const Rig& rig, const Clip* clip, std::int64_t frames, const Options& options,
                int threads = 1) {
  const TemporaryFolder folder;
  CacheHeader header;
  header.rig = &rig;
  header.clip = clip == nullptr ? "" : clip->id;
  header.frames = {30, 0, 1, frames};
  header.method = "lbs";
  header.options = options;
  const auto writer = cache_format_of("a.glb").open(folder / "a.glb", header);
  BakePlan plan = test::plan_of(rig, clip, frames);
  plan.threads = threads;
  plan.runs = {{parse_method("lbs"), {writer.get()}}};
  bake(plan);
  writer->commit();
  return {read_file(folder / "a.glb"), writer->bound_m()};
}

std::string binary_chunk(const std::string& bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, sizeof length);
  return bytes.substr(28 + length);
}

std::vector<float> frames_of(const std::string& bytes) {
  const TemporaryFolder folder;
  test::write_file(folder / "a.glb", bytes);
  const auto reader = open_cache(folder / "a.glb");
  std::vector<float> rows(static_cast<std::size_t>(reader->vertex_count()) * 3 *
                          static_cast<std::size_t>(reader->frame_count()));
  reader->read(0, reader->frame_count(), rows.data());
  return rows;
}

// The same frames, as glTF's rules and not our reader make them of the file.
std::vector<float> evaluated(const std::string& bytes, std::int64_t frames) {
  const TemporaryFolder folder;
  test::write_file(folder / "a.glb", bytes);
  const Asset asset = load_asset(folder / "a.glb");
  REQUIRE(asset.rigs.size() == 1);
  REQUIRE(asset.clips.size() == 1);
  const auto captured = test::captured(asset.rigs[0], &asset.clips[0], frames, "lbs");
  return {captured.positions.begin(), captured.positions.end()};
}

// Two vertices; the second one's joint moves by (0, 0, 8) from frame 0 to frame 1.
struct Lift {
  Rig rig = test::loose({{1, 2, 3}, {-1, 0, 0.5}}, {Node{}, Node{}}, {{{0, 1}}, {{1, 1}}});
  Clip clip;

  Lift() {
    clip.id = "lift";
    clip.channels = {test::channel(1, ChannelPath::kTranslation, Interpolation::kLinear,
                                   {0, 1.0 / 30}, {0, 0, 0, 0, 0, 8}, 3)};
  }
};

// clang-format off
constexpr unsigned char kGolden[] = {
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,     // zeros
    0, 0, 0, 0,  0x89, 0x88, 0x08, 0x3d,                   // times: 0, 1/30
    1, 0, 0, 0,                                            // of the weights 0, 1: number 1 …
    0, 0, 0x80, 0x3f,                                      // … is 1.0
    0x00, 0x10,  0x00, 0x10,  0x00, 0x14,  0, 0,           // frame 0: 4096, 4096, 5120
    0x00, 0xf0,  0x00, 0xf0,  0x00, 0xec,  0, 0,           //         -4096, -4096, -5120
    0, 0,  0, 0,  0, 0,  0, 0,                             // what they move by
    0, 0,  0, 0,  0xff, 0x7f,  0, 0,                       //         0, 0, 32767
};
// clang-format on

}  // namespace

TEST_CASE("quantised glb: two vertices, two frames, byte for byte") {
  const Lift lift;
  const std::string bytes = written(lift.rig, &lift.clip, 2, {{"quantize", "1"}}).bytes;
  test::check_bytes(binary_chunk(bytes), kGolden);
  const json gltf = json_of(bytes);
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

TEST_CASE("quantised glb: whoever reads it is within the bound, which is half a step") {
  const Turning turning;
  const auto expected = test::captured(turning.rig, &turning.clip, Turning::kFrames, "lbs");
  const std::vector<float> frames(expected.positions.begin(), expected.positions.end());
  for (const char* bits : {"8", "11", "16"}) {
    for (const char* meshopt : {"0", "1"}) {
      CAPTURE(bits);
      CAPTURE(meshopt);
      const Written file = written(turning.rig, &turning.clip, Turning::kFrames,
                                   {{"quantize", "1"}, {"bits", bits}, {"meshopt", meshopt}});
      const double largest = std::pow(2, std::stoi(bits) - 1) - 1;
      const double scale = json_of(file.bytes)["nodes"][0]["scale"][0];
      const double step = scale / 32767;
      CHECK(step * largest < 5);  // the tube is less than 2.5 long
      CHECK(file.bound_m == doctest::Approx(std::sqrt(3.0) * step / 2).epsilon(0.01));
      const double worst = largest_distance(frames_of(file.bytes), frames);
      CHECK(worst <= file.bound_m);
      CHECK(worst > file.bound_m / 4);
      const double rounded = 1e-6;  // floats on the way through a rig's node and morph targets
      CHECK(largest_distance(evaluated(file.bytes, Turning::kFrames), frames) <=
            file.bound_m + rounded);
    }
  }
}

TEST_CASE("quantised glb: compression loses nothing") {
  const Turning turning;
  const std::string plain =
      written(turning.rig, &turning.clip, Turning::kFrames, {{"quantize", "1"}}).bytes;
  const std::string packed = written(turning.rig, &turning.clip, Turning::kFrames, kPacked).bytes;
  CHECK(frames_of(plain) == frames_of(packed));
  const json gltf = json_of(packed);
  CHECK(gltf["extensionsRequired"] == json({"EXT_meshopt_compression", "KHR_mesh_quantization"}));
  REQUIRE(gltf["buffers"].size() == 2);
  CHECK(gltf["buffers"][1]["extensions"]["EXT_meshopt_compression"]["fallback"] == true);
  CHECK_FALSE(gltf["buffers"][1].contains("uri"));
  CHECK(binary_chunk(packed).size() < binary_chunk(plain).size());
}

TEST_CASE("quantised glb: a smooth clip takes four bytes per vertex and frame at most") {
  const Rig rig = test::tube({.rings = 120, .segments = 60});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  const std::int64_t frames = 20;
  const Written file =
      written(rig, &clip, frames, {{"quantize", "1"}, {"bits", "14"}, {"meshopt", "1"}});
  const auto expected = test::captured(rig, &clip, frames, "lbs");
  const std::vector<float> exact(expected.positions.begin(), expected.positions.end());
  const double numbers = static_cast<double>(exact.size()) / 3;
  CHECK(static_cast<double>(binary_chunk(file.bytes).size()) / numbers < 4);
  std::array<float, 3> low{9, 9, 9}, high{-9, -9, -9};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    low[i % 3] = std::min(low[i % 3], exact[i]);
    high[i % 3] = std::max(high[i % 3], exact[i]);
  }
  const double diagonal = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  CHECK(largest_distance(frames_of(file.bytes), exact) < 1e-4 * diagonal);
}

TEST_CASE("quantised glb: a point that rests, and a single frame") {
  const Rig point = test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}});
  for (const std::int64_t frames : {1, 3}) {
    CAPTURE(frames);
    for (const Options& options : {Options{{"quantize", "1"}}, kPacked}) {
      const std::vector<float> rows = frames_of(written(point, nullptr, frames, options).bytes);
      REQUIRE(rows.size() == static_cast<std::size_t>(3 * frames));
      for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i] == static_cast<float>(1 + i % 3));
    }
  }
}

TEST_CASE("quantised glb: the bytes are the same for every number of threads") {
  const Rig rig = test::tube({.rings = 40, .segments = 13});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2, 4);
  const std::string one = written(rig, &clip, 50, kPacked, 1).bytes;
  CHECK(one == written(rig, &clip, 50, kPacked, 2).bytes);
  CHECK(one == written(rig, &clip, 50, kPacked, 7).bytes);
}

TEST_CASE("quantised glb: options that make no sense are refused") {
  const Lift lift;
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

TEST_CASE("quantised glb: what no lattice holds is refused, and nothing is left") {
  const Rig rig = test::loose({{3e38, 0, 0}, {-3e38, 0, 0}}, {Node{}}, {{{0, 1}}, {{0, 1}}});
  try {
    written(rig, nullptr, 1, {{"quantize", "1"}});
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.code() == "CACHE_UNSUITABLE");
  }
}

TEST_CASE("quantised glb: anything that bake does not write is refused") {
  const std::string whole = Turning().bytes(kPacked);
  CHECK(code_of(whole).empty());
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
  refused("/accessors/0/normalized", false);
  refused("/accessors/0/componentType", 5120);
  refused("/accessors/0/count", 4294967295u);
  const std::string view = "/bufferViews/0";
  const std::string stream = view + "/extensions/EXT_meshopt_compression";
  refused(view + "/byteStride", 6);
  refused(view + "/extensions", {{"KHR_meshopt_compression", json::object()}});
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
  json bomb = json_of(whole);
  bomb["accessors"][0]["count"] = 4000000000u;
  bomb["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["count"] = 4000000000u;
  CHECK(code_of(with_json(whole, bomb)) == "CACHE_INVALID");
}

TEST_CASE("quantised glb: a damaged byte is refused or read, never worse") {
  for (const Options& options : {Options{{"quantize", "1"}}, kPacked}) {
    test::check_damaged_bytes(Turning().bytes(options), 100);
  }
}

}  // namespace skinbake
