// Baked GLBs that keep normals.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "metrics/shapes.h"
#include "skinbake/caches.h"
#include "support/capture.h"
#include "support/parsed_glb.h"
#include "support/rigs.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::captured_normals;
using test::Glb;
using test::plan_of;
using test::TemporaryFolder;

Rig with_normals(Rig rig, std::vector<float> normals) {
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->normals = std::move(normals);
  rig.mesh = mesh;
  return rig;
}

// A tube whose normals look away from its middle.
Rig bulging_tube() {
  const Rig rig = test::tube({.rings = 9, .segments = 12, .joints = 3, .influences = 1});
  std::vector<float> normals;
  for (std::size_t i = 0; i < rig.mesh->positions.size(); i += 3) {
    const float* const p = rig.mesh->positions.data() + i;
    const double y = p[1] - 1, length = std::hypot(p[0], y, p[2]);
    for (const double x : {double{p[0]}, y, double{p[2]}}) {
      normals.push_back(static_cast<float>(length == 0 ? 0 : x / length));
    }
  }
  return with_normals(rig, normals);
}

struct Kept {
  NormalKind kind = NormalKind::kSkinned;
  int threads = 1;
};

Glb baked(const Rig& rig, const Clip& clip, std::int64_t frames, const Kept& kept) {
  const TemporaryFolder folder;
  CacheHeader header;
  header.rig = &rig;
  header.clip = clip.id;
  header.frames = {30, 0, 1, frames};
  header.method = "lbs";
  header.options = {{"normals", "1"}};
  header.normals = available_normals(*rig.mesh, parse_method("lbs"), kept.kind);
  const auto writer = cache_format_of("a.glb").open(folder / "a.glb", header);
  BakePlan plan = plan_of(rig, &clip, frames);
  plan.threads = kept.threads;
  plan.runs = {{parse_method("lbs"), {writer.get()}}};
  bake(plan);
  writer->commit();
  // The positions are read back as if there were no normals.
  const auto reader = open_cache(folder / "a.glb");
  CHECK(reader->frame_count() == frames);
  const auto expected = test::captured(rig, &clip, frames, "lbs");
  std::vector<float> rows(expected.positions.size());
  reader->read(0, frames, rows.data());
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    worst = std::max(worst, std::abs(double{rows[i]} - expected.positions[i]));
  }
  CHECK(worst <= writer->bound_m());
  return Glb(test::read_file(folder / "a.glb"));
}

// Two vertices; the second one's joint turns half a turn about x from frame 0 to frame 1.
struct HalfTurn {
  Rig rig =
      with_normals(test::loose({{1, 2, 3}, {-1, 0, 0.5}}, {Node{}, Node{}}, {{{0, 1}}, {{1, 1}}}),
                   {1, 0, 0, 0, 0, 1});
  Clip clip;

  HalfTurn() {
    clip.id = "turn";
    clip.channels = {test::channel(1, ChannelPath::kRotation, Interpolation::kStep, {0, 1.0 / 30},
                                   {0, 0, 0, 1, 1, 0, 0, 0}, 4)};
  }
};

// clang-format off
constexpr unsigned char kGoldenBin[] = {
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,         // zeros
    0, 0, 0, 0,  0x89, 0x88, 0x08, 0x3d,                       // times: 0, 1/30
    1, 0, 0, 0,                                                // of the weights 0, 1: number 1 …
    0, 0, 0x80, 0x3f,                                          // … is 1.0
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x40, 0x40,    // frame 0: 1, 2, 3
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x3f,    //         -1, 0, 0.5
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,    // its normals: 1, 0, 0
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0x3f,    //              0, 0, 1
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0xbf,    // what moves: 0, 0, -1
    1, 0, 0, 0,                                                // vertex 1, filled up
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0xc0,    // what turns: 0, 0, -2
    1, 0, 0, 0,                                                // vertex 1, filled up
};
// clang-format on

}  // namespace

TEST_CASE("glb normals: two vertices, two frames, byte for byte") {
  const HalfTurn turn;
  const Glb glb = baked(turn.rig, turn.clip, 2, {});
  REQUIRE(glb.bin.size() == sizeof kGoldenBin);
  for (std::size_t i = 0; i < sizeof kGoldenBin; ++i) {
    CAPTURE(i);
    CHECK(static_cast<unsigned char>(glb.bin[i]) == kGoldenBin[i]);
  }
  const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
  CHECK(primitive["attributes"] == json({{"POSITION", 0}, {"NORMAL", 1}}));
  CHECK(primitive["targets"] == json::parse(R"([{"POSITION": 2, "NORMAL": 3}])"));
}

TEST_CASE("glb normals: base and targets are the normals of the frames, of either kind") {
  const Rig rig = bulging_tube();
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  clip.id = "turn";
  for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
    const auto expected = captured_normals(plan_of(rig, &clip, 20), kind).normals;
    const Glb glb = baked(rig, clip, 20, {.kind = kind});
    const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
    const std::vector<float> base = glb.floats(primitive["attributes"]["NORMAL"]);
    const std::size_t row = base.size();
    REQUIRE(expected.size() == 20 * row);
    CHECK(std::memcmp(base.data(), expected.data(), row * sizeof(float)) == 0);
    std::size_t wrong = 0, turned = 0;
    for (std::size_t f = 1; f < 20; ++f) {
      const std::vector<float> deltas = glb.floats(primitive["targets"][f - 1]["NORMAL"]);
      REQUIRE(deltas.size() == row);
      for (std::size_t i = 0; i < row; ++i) {
        wrong += deltas[i] != expected[f * row + i] - base[i];
        turned += deltas[i] != 0;
      }
    }
    CHECK(wrong == 0);
    CHECK(turned > 0);
  }
}

TEST_CASE("glb normals: what only moves shares one target of normals that do not turn") {
  const Rig rig = bulging_tube();
  Clip clip;
  clip.id = "rise";
  clip.channels = {test::channel(rig.joints[0].node, ChannelPath::kTranslation,
                                 Interpolation::kLinear, {0, 1}, {0, 0, 0, 0, 5, 0}, 3)};
  const Glb glb = baked(rig, clip, 5, {});
  const json& targets = glb.parsed["meshes"][0]["primitives"][0]["targets"];
  for (std::size_t f = 1; f < 4; ++f) {
    CHECK(targets[f]["NORMAL"] == targets[0]["NORMAL"]);
    CHECK(targets[f]["POSITION"] != targets[0]["POSITION"]);
  }
  CHECK(glb.floats(targets[0]["NORMAL"]) == std::vector<float>(rig.mesh->positions.size()));
}

TEST_CASE("glb normals: one that there is not is of unit length all the same") {
  const Rig rig = with_normals(test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}}), {0, 0, 0});
  Clip clip;
  clip.id = "still";
  const Glb glb = baked(rig, clip, 2, {});
  const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
  CHECK(glb.floats(primitive["attributes"]["NORMAL"]) == std::vector<float>{0, 0, 1});
  CHECK(glb.floats(primitive["targets"][0]["NORMAL"]) == std::vector<float>{0, 0, 0});
}

TEST_CASE("glb normals: a mesh without normals has none") {
  const Rig rig = with_normals(test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}}), {});
  Clip clip;
  clip.id = "still";
  const Glb glb = baked(rig, clip, 2, {});
  CHECK_FALSE(glb.parsed["meshes"][0]["primitives"][0]["attributes"].contains("NORMAL"));
}

TEST_CASE("glb normals: the bytes are the same for every number of threads") {
  const Rig rig = bulging_tube();
  Clip clip = test::turning_clip(rig, {0, 1, 1}, 2, 3);
  clip.id = "turn";
  for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
    const std::string one = baked(rig, clip, 90, {kind, 1}).bytes;
    CHECK(one == baked(rig, clip, 90, {kind, 5}).bytes);
  }
}

TEST_CASE("glb normals: not with what is quantised") {
  const HalfTurn turn;
  const TemporaryFolder folder;
  CacheHeader header;
  header.rig = &turn.rig;
  header.frames = {30, 0, 1, 2};
  header.options = {{"normals", "1"}, {"quantize", "1"}};
  CHECK_THROWS_AS(cache_format_of("a.glb").open(folder / "a.glb", header), Error);
}

}  // namespace skinbake
