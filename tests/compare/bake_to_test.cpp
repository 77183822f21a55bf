#include "skinbake/caches.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "skinbake/error.h"
#include "support/capture.h"
#include "support/rigs.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

// 53 frames of a bending tube of several tiles.
struct BendingTube {
  Rig rig = test::tube({.rings = 40, .segments = 16, .joints = 3});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2, 52 / 30.0);
  FrameRange frames = frames_of(clip, 30);
  Method method = parse_method("dqs");
};

std::string code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

}  // namespace

TEST_CASE("bake to array: one vertex, one frame, no clip is the vertex at rest") {
  const Rig rig = test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}});
  const BakedArray baked = bake_to_array({rig, nullptr, parse_method("lbs"), FrameRange{}});
  CHECK(baked.frame_count == 1);
  CHECK(baked.vertex_count == 1);
  CHECK(baked.positions == std::vector<float>{1, 2, 3});
  CHECK(baked.at(0, 0) == baked.positions.data());
}

TEST_CASE("bake to array: positions are those of a bake into a sink, with any number of threads") {
  const BendingTube tube;
  const test::Capture expected = test::captured(tube.rig, &tube.clip, 53, "dqs");
  for (const int threads : {1, 3}) {
    BakeSettings settings;
    settings.threads = threads;
    const BakedArray baked =
        bake_to_array({tube.rig, &tube.clip, tube.method, tube.frames, settings});
    CHECK(baked.frame_count == 53);
    CHECK(baked.positions == expected.positions);
  }
}

TEST_CASE("bake to array: a range with a step has the frames that it names") {
  const BendingTube tube;
  const BakedArray all = bake_to_array({tube.rig, &tube.clip, tube.method, tube.frames});
  const BakedArray some = bake_to_array({tube.rig, &tube.clip, tube.method, {30, 4, 3, 5}});
  CHECK(some.frames.frame(4) == 16);
  const std::size_t row = static_cast<std::size_t>(all.vertex_count) * 3;
  for (std::int64_t k = 0; k < 5; ++k) {
    CHECK(std::equal(some.at(k, 0), some.at(k, 0) + row, all.at(4 + 3 * k, 0)));
  }
}

TEST_CASE("bake to array: settings reach the bake") {
  const BendingTube tube;
  std::int64_t done = 0;
  BakeSettings settings;
  settings.progress = [&](std::int64_t frames) { done = frames; };
  bake_to_array({tube.rig, &tube.clip, tube.method, tube.frames, settings});
  CHECK(done == 53);
  const std::atomic<bool> cancelled = true;
  settings.cancelled = &cancelled;
  CHECK_THROWS_AS(bake_to_array({tube.rig, &tube.clip, tube.method, tube.frames, settings}),
                  Cancelled);
}

TEST_CASE("bake to array: unusable frames, rigs and clips are refused with a code") {
  const BendingTube tube;
  const auto code_with = [&](const FrameRange& frames) {
    return code_of([&] { bake_to_array({tube.rig, &tube.clip, tube.method, frames}); });
  };
  CHECK(code_with({0, 0, 1, 1}) == "FPS_INVALID");
  CHECK(code_with({std::numeric_limits<double>::infinity(), 0, 1, 1}) == "FPS_INVALID");
  CHECK(code_with({30, 0, 1, 0}) == "FRAMES_INVALID");
  CHECK(code_with({30, 0, 0, 1}) == "FRAMES_INVALID");
  CHECK(code_with({30, -1, 1, 1}) == "FRAMES_INVALID");
  CHECK(code_with({30, 0, 1, std::int64_t{1} << 31}) == "TOO_MANY_FRAMES");
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  CHECK(code_with({30, kLargest, 1, 1}) == "TOO_MANY_FRAMES");
  CHECK(code_with({30, 0, kLargest, 2}) == "TOO_MANY_FRAMES");
  Rig broken = tube.rig;
  broken.influences.front().joint = 99;
  CHECK(code_of([&] { bake_to_array({broken, nullptr, tube.method, {}}); }) == "RIG_INVALID");
  Clip other = tube.clip;
  other.channels.front().node = 99;
  CHECK(code_of([&] { bake_to_array({tube.rig, &other, tube.method, {}}); }) == "CLIP_INVALID");
}

TEST_CASE("bake to array, bake to file: an invalid method is refused with a code") {
  const BendingTube tube;
  const test::TemporaryFolder folder;
  const auto check_refused = [&](const Method& method) {
    CHECK(code_of([&] { bake_to_array({tube.rig, nullptr, method, {}}); }) == "PLAN_INVALID");
    CHECK(code_of([&] {
            bake_to_file({tube.rig, nullptr, method, {}}, folder / "a.pc2");
          }) == "PLAN_INVALID");
  };
  check_refused({999, {}});
  check_refused({-1, {}});
  check_refused({tube.method.index, {}});  // without the values of its parameters
  for (const MethodInfo& info : methods()) {
    const Method usual = parse_method(info.id);
    CHECK(fault_of(usual).empty());
    for (std::size_t p = 0; p < usual.values.size(); ++p) {
      for (const double value : {std::numeric_limits<double>::quiet_NaN(), -1e300, 1e300}) {
        if (value > 0 && std::isinf(info.parameters[p].highest)) continue;
        CAPTURE(info.id);
        Method method = usual;
        method.values[p] = value;
        check_refused(method);
      }
    }
  }
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("bake to file: an input, unknown options and an unusable scale are refused with a code") {
  const BendingTube tube;
  const test::TemporaryFolder folder;
  const std::string path = folder / "tube.pc2";
  CacheSettings cache;
  const auto code = [&] {
    return code_of([&] { bake_to_file({tube.rig, nullptr, tube.method, {}}, path, cache); });
  };
  CHECK(code().empty());
  for (const std::string& input : {path, path + ".json"}) {
    cache.files = {input};
    CHECK(code() == "OUTPUT_IS_INPUT");
  }
  cache = {};
  cache.options = {{"quantize", "1"}};
  CHECK(code() == "FORMAT_OPTION_UNKNOWN");
  cache = {};
  for (const double scale : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    cache.axes.scale = scale;
    CHECK(code() == "AXES_INVALID");
  }
}

TEST_CASE("bake to file: the cache has the positions of the array, and its sidecar tells of it") {
  const BendingTube tube;
  const test::TemporaryFolder folder;
  const std::string path = folder / "tube.npy";
  const BakedFile file = bake_to_file({tube.rig, &tube.clip, tube.method, tube.frames}, path);
  CHECK(file.path == path);
  CHECK(file.bytes == test::read_file(path).size());
  CHECK(file.bound_m == 0);
  CHECK(folder.entry_count() == 2);
  const auto cache = open_cache(path);
  CHECK(cache->xxh128() == file.xxh128);
  const auto provenance = cache->provenance();
  REQUIRE(provenance);
  CHECK(provenance->mesh == "tube");
  CHECK(provenance->method == "dqs");
  CHECK(test::read_file(file.sidecar_path).find(file.xxh128) != std::string::npos);
  std::vector<float> stored(static_cast<std::size_t>(53 * cache->vertex_count() * 3));
  cache->read(0, 53, stored.data());
  CHECK(stored == bake_to_array({tube.rig, &tube.clip, tube.method, tube.frames}).positions);
}

TEST_CASE("bake to file: options and axes of the format are kept") {
  const BendingTube tube;
  const test::TemporaryFolder folder;
  CacheSettings cache;
  cache.options = {{"precision", "half"}};
  cache.axes = {CacheAxes::Up::kZ, 100};
  const std::string path = folder / "tube.npy";
  const BakedFile half =
      bake_to_file({tube.rig, &tube.clip, tube.method, tube.frames}, path, cache);
  CHECK(half.bound_m > 0);
  CHECK(open_cache(path)->provenance()->axes.scale == 100);
  cache.options = {{"precision", "quarter"}};
  CHECK(code_of([&] {
          bake_to_file({tube.rig, &tube.clip, tube.method, tube.frames}, path, cache);
        }) == "FORMAT_OPTION_UNKNOWN");
  CHECK(test::read_file(path).size() == half.bytes);
}

TEST_CASE("bake to file: normals and tangents that the cache does not get are issues") {
  BendingTube tube;
  auto mesh = std::make_shared<Mesh>(*tube.rig.mesh);
  const test::TemporaryFolder folder;
  const auto found_by = [&](const std::string& method,
                            const std::map<std::string, std::string>& options) {
    tube.rig.mesh = mesh;
    CacheSettings cache;
    cache.options = options;
    std::vector<std::string> codes;
    BakeSettings settings;
    settings.found = [&](const Issue& issue) { codes.push_back(issue.code); };
    bake_to_file({tube.rig, &tube.clip, parse_method(method), tube.frames, settings},
                 folder / "tube.glb", cache);
    return codes;
  };
  using Codes = std::vector<std::string>;
  mesh->normals.assign(mesh->positions.size(), 0);
  for (std::size_t i = 0; i < mesh->normals.size(); i += 3) mesh->normals[i] = 1;
  CHECK(found_by("dqs", {}).empty());
  CHECK(found_by("dqs", {{"normals", "1"}}).empty());
  CHECK(found_by("dm", {{"normals", "1"}}) == Codes{"NORMALS_RECOMPUTED"});
  CHECK(found_by("dqs", {{"tangents", "1"}}) == Codes{"TANGENTS_UNAVAILABLE"});
  mesh->normals.clear();
  CHECK(found_by("dqs", {}).empty());
  CHECK(found_by("dqs", {{"normals", "1"}}) == Codes{"NORMALS_UNAVAILABLE"});
}

TEST_CASE("bake to file: a bake that fails leaves no file") {
  const BendingTube tube;
  const test::TemporaryFolder folder;
  const auto code_with = [&](const std::string& name) {
    return code_of([&] {
      bake_to_file({tube.rig, &tube.clip, tube.method, tube.frames}, folder / name);
    });
  };
  CHECK(code_with("tube.xyz") == "FORMAT_UNKNOWN");
  CHECK(code_with("/dev/null/tube.pc2") == "OUTPUT_NOT_WRITTEN");
  BakeSettings settings;
  const std::atomic<bool> cancelled = true;
  settings.cancelled = &cancelled;
  CHECK_THROWS_AS(
      bake_to_file({tube.rig, &tube.clip, tube.method, tube.frames, settings}, folder / "tube.pc2"),
      Cancelled);
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("frames of a clip: all of them, from 0 to the last") {
  Clip clip;
  clip.duration_s = 1;
  const FrameRange frames = frames_of(clip, 24);
  CHECK(frames.first_frame == 0);
  CHECK(frames.frame_step == 1);
  CHECK(frames.frame_count == 25);
  CHECK(frames_of(Clip{}).frame_count == 1);
  CHECK(code_of([&] { frames_of(clip, 0); }) == "FPS_INVALID");
  clip.duration_s = 1e10;
  CHECK(code_of([&] { frames_of(clip, 60); }) == "TOO_MANY_FRAMES");
}

}  // namespace skinbake
