// Baked GLBs with normals.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "skinbake/caches.h"
#include "support/caches/baked_glb.h"
#include "support/caches/golden.h"
#include "support/capture.h"
#include "support/frames.h"
#include "support/gltf/parsed_glb.h"
#include "support/normal_rigs.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::bake_with_normals;
using test::bulging_tube;
using test::captured_normals;
using test::Glb;
using test::HalfTurn;
using test::Options;
using test::plan_of;
using test::TemporaryFolder;
using test::with_normals;

// The number of targets of the first primitive whose normals have this component type.
int count_targets(const Glb& glb, int component_type) {
  int count = 0;
  for (const json& target : glb.parsed["meshes"][0]["primitives"][0]["targets"]) {
    const json& accessor = glb.parsed["accessors"][target["NORMAL"].get<std::size_t>()];
    count += accessor["componentType"] == component_type ? 1 : 0;
  }
  return count;
}

const Options kQuantizedNormals{{"normals", "1"}, {"quantize", "1"}};
const Options kCompressedNormals{{"normals", "1"}, {"quantize", "1"}, {"meshopt", "1"}};

// clang-format off
constexpr unsigned char kNormalsGolden[] = {
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,         // zeros
    0, 0, 0, 0,  0x89, 0x88, 0x08, 0x3d,                       // times: 0, 1/30
    1, 0, 0, 0,                                                // weights: index 1,
    0, 0, 0x80, 0x3f,                                          //          value 1.0
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x40, 0x40,    // frame 0: 1, 2, 3
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x3f,    //         -1, 0, 0.5
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,    // normals: 1, 0, 0
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0x3f,    //          0, 0, 1
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0xbf,    // displacement: 0, 0, -1
    1, 0, 0, 0,                                                // of vertex 1, padded
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0xc0,    // of the normal: 0, 0, -2
    1, 0, 0, 0,                                                // of vertex 1, padded
};

// The last bytes of the quantized file.
constexpr unsigned char kQuantizedNormalsEnd[] = {
    0xff, 0x7f,  0, 0,  0, 0,  0, 0,                           // normals: 1, 0, 0
    0, 0,  0, 0,  0xff, 0x7f,  0, 0,                           //          0, 0, 1
    0, 0,  0, 0,  0, 0,  0, 0,                                 // displacements: 0, 0, -1 of 1.25
    0, 0,  0, 0,  0x9a, 0x99,  0, 0,
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,                      // of the normals, as floats:
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0x00, 0xc0,                //          0, 0, -2
};
// clang-format on

}  // namespace

TEST_CASE("glb normals: two vertices in two frames have the bytes of the specification") {
  const HalfTurn turn;
  const Glb glb = bake_with_normals(turn.rig, turn.clip, 2, {});
  test::check_bytes(glb.bin, kNormalsGolden);
  const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
  CHECK(primitive["attributes"] == json({{"POSITION", 0}, {"NORMAL", 1}}));
  CHECK(primitive["targets"] == json::parse(R"([{"POSITION": 2, "NORMAL": 3}])"));
}

TEST_CASE("glb normals: targets are the differences from frame 0, of both kinds of normals") {
  const Rig rig = bulging_tube();
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  clip.id = "turn";
  for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
    const auto expected = captured_normals(plan_of(rig, &clip, 20), kind).normals;
    const Glb glb = bake_with_normals(rig, clip, 20, {.kind = kind});
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

TEST_CASE("glb normals: frames of a pure translation share a zero target of normals") {
  const Rig rig = bulging_tube();
  Clip clip;
  clip.id = "rise";
  clip.channels = {test::channel(rig.joints[0].node, ChannelPath::kTranslation,
                                 Interpolation::kLinear, {0, 1}, {0, 0, 0, 0, 5, 0}, 3)};
  const Glb glb = bake_with_normals(rig, clip, 5, {});
  const json& targets = glb.parsed["meshes"][0]["primitives"][0]["targets"];
  for (std::size_t f = 1; f < 4; ++f) {
    CHECK(targets[f]["NORMAL"] == targets[0]["NORMAL"]);
    CHECK(targets[f]["POSITION"] != targets[0]["POSITION"]);
  }
  CHECK(glb.floats(targets[0]["NORMAL"]) == std::vector<float>(rig.mesh->positions.size()));
}

TEST_CASE("glb normals: a zero normal is stored as (0, 0, 1)") {
  const Rig rig = with_normals(test::loose({{1, 2, 3}, {4, 5, 6}}, {Node{}}, {{{0, 1}}, {{0, 1}}}),
                               {0, 0, 0, 1, 0, 0});
  Clip clip;
  clip.id = "still";
  const Glb glb = bake_with_normals(rig, clip, 2, {});
  const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
  CHECK(glb.floats(primitive["attributes"]["NORMAL"]) == std::vector<float>{0, 0, 1, 1, 0, 0});
  CHECK(glb.floats(primitive["targets"][0]["NORMAL"]) == std::vector<float>(6));
}

TEST_CASE("glb normals: a mesh without normals does not get a NORMAL attribute") {
  Clip clip;
  clip.id = "still";
  for (const std::vector<float>& none : {std::vector<float>{}, std::vector<float>{0, 0, 0}}) {
    const Rig rig = with_normals(test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}}), none);
    const Glb glb = bake_with_normals(rig, clip, 2, {});
    CHECK_FALSE(glb.parsed["meshes"][0]["primitives"][0]["attributes"].contains("NORMAL"));
  }
}

TEST_CASE("glb normals: the bytes do not depend on the number of threads") {
  const Rig rig = bulging_tube();
  Clip clip = test::turning_clip(rig, {0, 1, 1}, 2, 3);
  clip.id = "turn";
  for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
    const std::string one = bake_with_normals(rig, clip, 90, {kind, 1}).bytes;
    CHECK(one == bake_with_normals(rig, clip, 90, {kind, 5}).bytes);
  }
}

TEST_CASE("glb normals: the quantized file has the bytes of the specification") {
  const HalfTurn turn;
  const Glb glb = bake_with_normals(turn.rig, turn.clip, 2, {.options = kQuantizedNormals});
  test::check_end(glb.bin, kQuantizedNormalsEnd);
  CHECK(count_targets(glb, 5126) == 1);
}

TEST_CASE("glb normals: quantized targets are int16, and floats if a normal turns far") {
  const Rig rig = bulging_tube();
  for (const double angle : {0.5, 3.1}) {
    Clip clip = test::turning_clip(rig, {0, 0, 1}, angle);
    clip.id = "turn";
    for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
      for (const Options& options : {kQuantizedNormals, kCompressedNormals}) {
        const Glb glb = bake_with_normals(rig, clip, 20, {kind, 2, options});
        const int shorts = count_targets(glb, 5122), floats = count_targets(glb, 5126);
        CHECK(shorts + floats == 19);
        CHECK(shorts > 0);
        CHECK((floats > 0) == (angle > 1));
      }
    }
  }
}

TEST_CASE("glb normals: meshopt compression of quantized normals is lossless") {
  const Rig rig = bulging_tube();
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  clip.id = "turn";
  const Glb plain = bake_with_normals(rig, clip, 20, {.options = kQuantizedNormals});
  const Glb compressed = bake_with_normals(rig, clip, 20, {.options = kCompressedNormals});
  CHECK(compressed.bin.size() < plain.bin.size());
  CHECK(compressed.bytes ==
        bake_with_normals(rig, clip, 20, {.threads = 5, .options = kCompressedNormals}).bytes);
  const auto normals = [](const Glb& glb) {
    const TemporaryFolder folder;
    test::write_file(folder / "a.glb", glb.bytes);
    const auto reader = open_cache(folder / "a.glb");
    std::vector<float> rows(static_cast<std::size_t>(reader->vertex_count()) * 60);
    reader->read_normals(0, 20, rows.data());
    return rows;
  };
  CHECK(normals(plain) == normals(compressed));
}

TEST_CASE("glb normals: a file with damaged normals is refused or read") {
  const Rig rig = bulging_tube(3);
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 3);
  clip.id = "turn";
  for (const Options& options :
       {Options{{"normals", "1"}}, kQuantizedNormals, kCompressedNormals}) {
    const std::string whole = bake_with_normals(rig, clip, 3, {.options = options}).bytes;
    CHECK(test::error_code_of(whole).empty());
    const auto refused = [&](const std::string& pointer, const json& value) {
      test::check_refused(whole, pointer, value);
    };
    const std::string base = "/accessors/1";  // the normals
    refused(base + "/count", 1);
    refused(base + "/type", "VEC2");
    refused(base + "/componentType", 5120);
    refused(base + "/componentType", 1e308);  // no integer; a conversion is undefined
    refused("/meshes/0/primitives/0/attributes/NORMAL", 99999);
    refused("/meshes/0/primitives/0/targets/0/NORMAL", 99999);
    refused("/meshes/0/primitives/0/targets/0/NORMAL", "1");
    test::check_damaged_bytes(whole, 20);
  }
}

}  // namespace skinbake
