// Baked GLBs with tangents.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "skinbake/caches.h"
#include "support/bytes.h"
#include "support/caches/baked_glb.h"
#include "support/caches/golden.h"
#include "support/normal_rigs.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::bake_with_normals;
using test::Glb;
using test::HalfTurn;
using test::Options;
using test::TemporaryFolder;
using test::with_normals;
using test::with_tangents;

const Options kTangents{{"tangents", "1"}};
const Options kQuantizedTangents{{"tangents", "1"}, {"quantize", "1"}};
const Options kCompressedTangents{{"tangents", "1"}, {"quantize", "1"}, {"meshopt", "1"}};

// A tube whose second primitive, which turns farther, has tangents around it, of both signs.
Rig tube_with_tangents() {
  const Rig tube = test::bulging_tube();
  auto mesh = std::make_shared<Mesh>(*tube.mesh);
  const VertexIndex count = mesh->vertex_count(), half = count / 2;
  mesh->primitives = {{0, half}, {half, count - half}};
  mesh->tangents.resize(std::size_t{half} * 4);
  for (VertexIndex v = half; v < count; ++v) {
    const float* p = mesh->positions.data() + std::size_t{v} * 3;
    const float length = std::hypot(p[0], p[2]), sign = v % 3 == 0 ? -1 : 1;
    const bool is_axis = length == 0;
    const float x = is_axis ? 1 : -p[2] / length, z = is_axis ? 0 : p[0] / length;
    mesh->tangents.insert(mesh->tangents.end(), {x, 0, z, sign});
  }
  Rig rig = tube;
  rig.mesh = mesh;
  return rig;
}

struct TurningTube {
  Rig rig = tube_with_tangents();
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  TurningTube() { clip.id = "turn"; }
};

// clang-format off
constexpr unsigned char kTangentsEnd[] = {
    0, 0, 0x00, 0x00,  0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0x3f,  // 0, 1, 0, 1
    0, 0, 0x00, 0x00,  0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0xbf,  // 0, 1, 0, -1
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0xbf,    // displacement: 0, 0, -1
    1, 0, 0, 0,                                                // of vertex 1, padded
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0xc0,    // of the normal: 0, 0, -2
    1, 0, 0, 0,
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0xc0,  0, 0, 0x00, 0x00,    // of the tangent: 0, -2, 0
    1, 0, 0, 0,
};
// clang-format on

}  // namespace

TEST_CASE("glb tangents: two vertices in two frames have the bytes of the specification") {
  const HalfTurn turn;
  const Rig rig = with_tangents(turn.rig, {0, 1, 0, 1, 0, 1, 0, -1});
  const Glb glb = bake_with_normals(rig, turn.clip, 2, {.options = kTangents});
  test::check_end(glb.bin, kTangentsEnd);
  const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
  CHECK(primitive["attributes"] == json({{"POSITION", 0}, {"NORMAL", 1}, {"TANGENT", 2}}));
  CHECK(primitive["targets"] == json::parse(R"([{"POSITION": 3, "NORMAL": 4, "TANGENT": 5}])"));
  const json& accessors = glb.parsed["accessors"];
  CHECK(accessors[2]["type"] == "VEC4");
  CHECK(accessors[5]["type"] == "VEC3");
  CHECK(glb.parsed["bufferViews"][accessors[2]["bufferView"].get<std::size_t>()]["byteStride"] ==
        16);
}

TEST_CASE("glb tangents: only primitives with tangents have base and targets of them") {
  const TurningTube tube;
  for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
    const Glb glb = bake_with_normals(tube.rig, tube.clip, 20, {kind, 2, kTangents});
    const json& primitives = glb.parsed["meshes"][0]["primitives"];
    CHECK(primitives[1]["attributes"].contains("TANGENT"));
    CHECK(primitives[1]["targets"][18].contains("TANGENT"));
    CHECK_FALSE(primitives[0]["attributes"].contains("TANGENT"));
    CHECK_FALSE(primitives[0]["targets"][18].contains("TANGENT"));
    CHECK(primitives[0]["targets"][18].contains("NORMAL"));
    const std::vector<float> base = glb.floats(primitives[1]["attributes"]["TANGENT"]);
    const std::size_t first = tube.rig.mesh->primitives[1].first_vertex;
    for (std::size_t v = 0; 4 * v < base.size(); ++v) {
      CHECK(std::hypot(base[4 * v], base[4 * v + 1], base[4 * v + 2]) == doctest::Approx(1));
      CHECK(base[4 * v + 3] == ((first + v) % 3 == 0 ? -1 : 1));
    }
  }
}

TEST_CASE(
    "glb tangents: tangents=1 implies normals=1, and without it the file does not have tangents") {
  const TurningTube tube;
  const Glb both = bake_with_normals(tube.rig, tube.clip, 3, {.options = kTangents});
  const Glb normals = bake_with_normals(tube.rig, tube.clip, 3, {});
  CHECK(normals.text.find("TANGENT") == std::string::npos);
  CHECK(both.parsed["meshes"][0]["primitives"][1]["attributes"].contains("NORMAL"));
  CHECK(normals.bytes ==
        bake_with_normals(with_tangents(tube.rig, {}), tube.clip, 3, {.options = kTangents}).bytes);
  CHECK(normals.bytes == bake_with_normals(tube.rig, tube.clip, 3,
                                           {.options = {{"tangents", "0"}, {"normals", "1"}}})
                             .bytes);
  CacheHeader header;
  header.rig = &tube.rig;
  header.frames.frame_count = 3;
  header.options = {{"tangents", "1"}, {"normals", "0"}};
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(cache_format_of("a.glb").open(folder / "a.glb", header),
                       "format glb: tangents=1 needs normals=1", Error);
}

TEST_CASE("glb tangents: a vertex with a zero normal gets a normal and a tangent of unit length") {
  const Rig two = test::loose({{1, 2, 3}, {4, 5, 6}}, {Node{}}, {{{0, 1}}, {{0, 1}}});
  const Rig rig = with_tangents(with_normals(two, {0, 0, 0, 1, 0, 0}), {0, 1, 0, 1, 0, 1, 0, 1});
  Clip clip;
  clip.id = "still";
  const Glb glb = bake_with_normals(rig, clip, 2, {.options = kTangents});
  const json& attributes = glb.parsed["meshes"][0]["primitives"][0]["attributes"];
  CHECK(glb.floats(attributes["NORMAL"]) == std::vector<float>{0, 0, 1, 1, 0, 0});
  CHECK(glb.floats(attributes["TANGENT"]) == std::vector<float>{1, 0, 0, 1, 0, 1, 0, 1});
}

TEST_CASE("glb tangents: the bytes do not depend on the number of threads") {
  const TurningTube tube;
  for (const Options& options : {kTangents, kCompressedTangents}) {
    for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
      const std::string one = bake_with_normals(tube.rig, tube.clip, 33, {kind, 1, options}).bytes;
      CHECK(one == bake_with_normals(tube.rig, tube.clip, 33, {kind, 3, options}).bytes);
    }
  }
}

TEST_CASE("glb tangents: quantized values of two vertices in two frames are as specified") {
  const HalfTurn turn;
  const Rig rig = with_tangents(turn.rig, {0, 1, 0, 1, 0, 1, 0, -1});
  const Glb glb = bake_with_normals(rig, turn.clip, 2, {.options = kQuantizedTangents});
  const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
  const auto accessor = [&](const json& number) {
    return glb.parsed["accessors"][number.get<std::size_t>()];
  };
  const json base = accessor(primitive["attributes"]["TANGENT"]);
  CHECK(base["type"] == "VEC4");
  CHECK(base["componentType"] == 5122);
  CHECK(base["normalized"] == true);
  CHECK(glb.numbers<std::int16_t>(base["bufferView"], 0, 8) ==
        std::vector<std::int16_t>{0, 32767, 0, 32767, 0, 32767, 0, -32767});
  const json target = accessor(primitive["targets"][0]["TANGENT"]);
  CHECK(target["type"] == "VEC3");
  CHECK(target["componentType"] == 5126);  // the displacement exceeds int16
  CHECK(glb.floats(primitive["targets"][0]["TANGENT"]) == std::vector<float>{0, 0, 0, 0, -2, 0});
}

TEST_CASE("glb tangents: quantized targets are int16, and floats if a tangent turns far") {
  for (const double angle : {0.5, 3.1}) {
    TurningTube tube;
    tube.clip = test::turning_clip(tube.rig, {0, 0, 1}, angle);
    for (const Options& options : {kQuantizedTangents, kCompressedTangents}) {
      const Glb glb =
          bake_with_normals(tube.rig, tube.clip, 20, {NormalKind::kSkinned, 2, options});
      const json& primitives = glb.parsed["meshes"][0]["primitives"];
      CHECK_FALSE(primitives[0]["attributes"].contains("TANGENT"));
      int shorts = 0, floats = 0;
      for (const json& target : primitives[1]["targets"]) {
        const json& accessor = glb.parsed["accessors"][target["TANGENT"].get<std::size_t>()];
        (accessor["componentType"] == 5122 ? shorts : floats) += 1;
      }
      CHECK(shorts + floats == 19);
      CHECK(shorts > 0);
      CHECK((floats > 0) == (angle > 1));
    }
  }
}

TEST_CASE("glb tangents: a file with damaged tangents is refused or read") {
  const TurningTube tube;
  for (const Options& options : {kQuantizedTangents, kCompressedTangents}) {
    test::check_damaged_bytes(bake_with_normals(tube.rig, tube.clip, 3, {.options = options}).bytes,
                              20);
  }
  const std::string whole = bake_with_normals(tube.rig, tube.clip, 3, {.options = kTangents}).bytes;
  CHECK(test::error_code_of(whole).empty());
  const json original = Glb(whole).parsed;
  const auto refused = [&](const std::string& pointer, const json& value) {
    test::check_refused(whole, pointer, value);
  };
  const std::string primitive = "/meshes/0/primitives/1";
  const json& number = original[json::json_pointer(primitive + "/attributes/TANGENT")];
  const std::string base = "/accessors/" + number.dump();
  refused(base + "/count", 1);
  refused(base + "/type", "VEC3");
  refused(base + "/componentType", 5120);
  refused(base + "/componentType", 1e308);  // no integer; a conversion is undefined
  refused(primitive + "/attributes/TANGENT", 99999);
  refused(primitive + "/attributes/TANGENT", 1);  // the accessor of the normals
  refused(primitive + "/targets/0/TANGENT", 99999);
  refused(primitive + "/targets/0/TANGENT", "1");
  json changed = original;
  changed["meshes"][0]["primitives"][1]["targets"][0].erase("TANGENT");
  CHECK(test::error_code_of(test::with_json(whole, changed)) == "CACHE_INVALID");
  test::check_damaged_bytes(whole, 20);
}

TEST_CASE("glb tangents: verification finds a changed tangent and a changed sign") {
  const HalfTurn turn;
  const Rig rig = with_tangents(turn.rig, {0, 1, 0, 1, 0, 1, 0, -1});
  CacheHeader header;
  header.rig = &rig;
  header.clip = turn.clip.id;
  header.frames = {30, 0, 1, 2};
  header.options = kTangents;
  header.normals = NormalKind::kSkinned;
  header.tangents = true;
  const TemporaryFolder folder;
  const auto writer = cache_format_of("a.glb").open(folder / "a.glb", header);
  BakePlan plan = test::plan_of(rig, &turn.clip, 2);
  const auto bake_into = [&](FrameSink& sink) {
    plan.runs = {{parse_method("lbs"), {&sink}}};
    bake(plan);
  };
  bake_into(*writer);
  const auto verified = [&] {
    const auto verifier = verify_cache(*writer, header);
    bake_into(*verifier);
    return *verifier->tangents();
  };
  CHECK(verified().max == 0);
  const std::size_t end = test::read_file(writer->readable_path()).size();
  const auto overwrite = [&](std::size_t before_end, float value) {
    test::damage_file(writer->readable_path(), end - before_end, test::bytes_of(value));
  };
  overwrite(12, -1.5F);  // y of the last target, which is -2
  const NormalDifference worst = verified();
  CHECK(worst.max == doctest::Approx(0.5));
  CHECK(worst.frame == 1);
  CHECK(worst.vertex == 1);
  overwrite(sizeof kTangentsEnd - 12, -1);  // the first w
  CHECK_THROWS_WITH_AS(verify_cache(*writer, header),
                       doctest::Contains("vertex 0: the sign of the tangent differs"), Error);
}

}  // namespace skinbake
