// Baked GLBs that keep tangents.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "skinbake/caches.h"
#include "support/baked_glb.h"
#include "support/glb_with_normals.h"
#include "support/golden.h"
#include "support/normal_rigs.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::baked;
using test::Glb;
using test::HalfTurn;
using test::Options;
using test::TemporaryFolder;
using test::with_normals;
using test::with_tangents;

const Options kKept{{"tangents", "1"}};
const Options kQuantised{{"tangents", "1"}, {"quantize", "1"}};
const Options kPacked{{"tangents", "1"}, {"quantize", "1"}, {"meshopt", "1"}};

// Around the tube, of either side; of the second primitive only, which turns farther.
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
constexpr unsigned char kGoldenEnd[] = {
    0, 0, 0x00, 0x00,  0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0x3f,  // 0, 1, 0, 1
    0, 0, 0x00, 0x00,  0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0xbf,  // 0, 1, 0, -1
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x80, 0xbf,    // what moves: 0, 0, -1
    1, 0, 0, 0,                                                // vertex 1, filled up
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0xc0,    // normals that turn: 0, 0, -2
    1, 0, 0, 0,
    0, 0, 0x00, 0x00,  0, 0, 0x00, 0xc0,  0, 0, 0x00, 0x00,    // tangents that turn: 0, -2, 0
    1, 0, 0, 0,
};
// clang-format on

}  // namespace

TEST_CASE("glb tangents: two vertices, two frames, byte for byte") {
  const HalfTurn turn;
  const Rig rig = with_tangents(turn.rig, {0, 1, 0, 1, 0, 1, 0, -1});
  const Glb glb = baked(rig, turn.clip, 2, {.options = kKept});
  test::check_end(glb.bin, kGoldenEnd);
  const json& primitive = glb.parsed["meshes"][0]["primitives"][0];
  CHECK(primitive["attributes"] == json({{"POSITION", 0}, {"NORMAL", 1}, {"TANGENT", 2}}));
  CHECK(primitive["targets"] == json::parse(R"([{"POSITION": 3, "NORMAL": 4, "TANGENT": 5}])"));
  const json& accessors = glb.parsed["accessors"];
  CHECK(accessors[2]["type"] == "VEC4");
  CHECK(accessors[5]["type"] == "VEC3");
  CHECK(glb.parsed["bufferViews"][accessors[2]["bufferView"].get<std::size_t>()]["byteStride"] ==
        16);
}

TEST_CASE("glb tangents: base and targets are those of the frames, of primitives that have some") {
  const TurningTube tube;
  for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
    const Glb glb = baked(tube.rig, tube.clip, 20, {kind, 2, kKept});
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

TEST_CASE("glb tangents: normals are kept with them, and nothing of them without") {
  const TurningTube tube;
  const Glb both = baked(tube.rig, tube.clip, 3, {.options = kKept});
  const Glb normals = baked(tube.rig, tube.clip, 3, {});
  CHECK(normals.text.find("TANGENT") == std::string::npos);
  CHECK(both.parsed["meshes"][0]["primitives"][1]["attributes"].contains("NORMAL"));
  CHECK(normals.bytes ==
        baked(with_tangents(tube.rig, {}), tube.clip, 3, {.options = kKept}).bytes);
  CHECK(normals.bytes ==
        baked(tube.rig, tube.clip, 3, {.options = {{"tangents", "0"}, {"normals", "1"}}}).bytes);
  CacheHeader header;
  header.rig = &tube.rig;
  header.frames.frame_count = 3;
  header.options = {{"tangents", "1"}, {"normals", "0"}};
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(cache_format_of("a.glb").open(folder / "a.glb", header),
                       "--format glb: tangents=1 needs normals=1", Error);
}

TEST_CASE("glb tangents: where there is no normal, both are of unit length all the same") {
  const Rig rig = with_tangents(
      with_normals(test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}}), {0, 0, 0}), {0, 1, 0, 1});
  Clip clip;
  clip.id = "still";
  const Glb glb = baked(rig, clip, 2, {.options = kKept});
  const json& attributes = glb.parsed["meshes"][0]["primitives"][0]["attributes"];
  CHECK(glb.floats(attributes["NORMAL"]) == std::vector<float>{0, 0, 1});
  CHECK(glb.floats(attributes["TANGENT"]) == std::vector<float>{1, 0, 0, 1});
}

TEST_CASE("glb tangents: the bytes are the same for every number of threads") {
  const TurningTube tube;
  for (const Options& options : {kKept, kPacked}) {
    for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
      const std::string one = baked(tube.rig, tube.clip, 33, {kind, 1, options}).bytes;
      CHECK(one == baked(tube.rig, tube.clip, 33, {kind, 3, options}).bytes);
    }
  }
}

TEST_CASE("glb tangents: quantised, two vertices, two frames, byte for byte") {
  const HalfTurn turn;
  const Rig rig = with_tangents(turn.rig, {0, 1, 0, 1, 0, 1, 0, -1});
  const Glb glb = baked(rig, turn.clip, 2, {.options = kQuantised});
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
  CHECK(target["componentType"] == 5126);  // it turns too far for a short
  CHECK(glb.floats(primitive["targets"][0]["TANGENT"]) == std::vector<float>{0, 0, 0, 0, -2, 0});
}

TEST_CASE("glb tangents: quantised, they are shorts, and floats where one turns far") {
  for (const double angle : {0.5, 3.1}) {
    TurningTube tube;
    tube.clip = test::turning_clip(tube.rig, {0, 0, 1}, angle);
    for (const Options& options : {kQuantised, kPacked}) {
      const Glb glb = baked(tube.rig, tube.clip, 20, {NormalKind::kSkinned, 2, options});
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

TEST_CASE("glb tangents: a file whose tangents were changed is refused or read, never worse") {
  const TurningTube tube;
  for (const Options& options : {kQuantised, kPacked}) {
    test::check_damaged_bytes(baked(tube.rig, tube.clip, 3, {.options = options}).bytes, 20);
  }
  const std::string whole = baked(tube.rig, tube.clip, 3, {.options = kKept}).bytes;
  CHECK(test::code_of(whole).empty());
  const json original = test::json_of(whole);
  const auto refused = [&](const std::string& pointer, const json& value) {
    test::check_refused(whole, pointer, value);
  };
  const std::string primitive = "/meshes/0/primitives/1";
  const json& number = original[json::json_pointer(primitive + "/attributes/TANGENT")];
  const std::string base = "/accessors/" + number.dump();
  refused(base + "/count", 1);
  refused(base + "/type", "VEC3");
  refused(base + "/componentType", 5120);
  refused(primitive + "/attributes/TANGENT", 99999);
  refused(primitive + "/attributes/TANGENT", 1);  // of normals
  refused(primitive + "/targets/0/TANGENT", 99999);
  refused(primitive + "/targets/0/TANGENT", "1");
  json changed = original;
  changed["meshes"][0]["primitives"][1]["targets"][0].erase("TANGENT");
  CHECK(test::code_of(test::with_json(whole, changed)) == "CACHE_INVALID");
  test::check_damaged_bytes(whole, 20);
}

TEST_CASE("glb tangents: verifying finds a tangent that was changed, and a sign") {
  const HalfTurn turn;
  const Rig rig = with_tangents(turn.rig, {0, 1, 0, 1, 0, 1, 0, -1});
  CacheHeader header;
  header.rig = &rig;
  header.clip = turn.clip.id;
  header.frames = {30, 0, 1, 2};
  header.options = kKept;
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
    test::damage_file(writer->readable_path(), end - before_end,
                      {reinterpret_cast<const char*>(&value), sizeof value});
  };
  overwrite(12, -1.5F);  // of the last target: -2
  const NormalDifference worst = verified();
  CHECK(worst.max == doctest::Approx(0.5));
  CHECK(worst.frame == 1);
  CHECK(worst.vertex == 1);
  overwrite(sizeof kGoldenEnd - 12, -1);  // the first w
  CHECK_THROWS_WITH_AS(verify_cache(*writer, header),
                       doctest::Contains("vertex 0 has another sign of its tangent"), Error);
}

}  // namespace skinbake
