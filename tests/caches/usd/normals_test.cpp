// Normals in baked USD text.

#include <doctest/doctest.h>

#include <cstring>

#include "skinbake/error.h"
#include "support/caches/baked_usda.h"
#include "support/normal_rigs.h"

namespace skinbake {
namespace {

using test::baked_usda;
using test::bulging_tube;
using test::captured_normals;
using test::HalfTurn;
using test::numbers_after;
using test::plan_of;
using test::TwoByTwo;

constexpr std::int64_t kBlockAndPart = 20;  // one block and a part of one

constexpr const char* kNormalsText = R"(        normal3f[] normals = [(1, 0, 0), (0, 0, 1)] (
            interpolation = "vertex"
        )
        normal3f[] normals.timeSamples = {
            0: [(1, 0, 0), (0, 0, 1)],
            1: [(1, 0, 0), (0, 0, -1)],
        }
    }
}
)";

CacheHeader header_of(const Rig& rig, std::int64_t frames, NormalKind kind = NormalKind::kSkinned) {
  CacheHeader header = TwoByTwo().header(frames);
  header.rig = &rig;
  header.options = {{"normals", "1"}};
  header.normals = available_normals(*rig.mesh, parse_method("lbs"), kind);
  return header;
}

std::string without_normals(CacheHeader header, const Clip& clip) {
  header.options.clear();
  return baked_usda({header}, &clip);
}

}  // namespace

TEST_CASE("usda normals: two vertices, two frames, character for character") {
  const HalfTurn turn;
  const std::string text = baked_usda({header_of(turn.rig, 2)}, &turn.clip);
  std::string expected = without_normals(header_of(turn.rig, 2), turn.clip);
  const std::string end = "    }\n}\n";
  REQUIRE(expected.ends_with(end));
  expected.replace(expected.size() - end.size(), end.size(), kNormalsText);
  CHECK(text == expected);
}

TEST_CASE("usda normals: every sample has the normals of its frame, for both kinds") {
  const Rig rig = bulging_tube(180);
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  for (const NormalKind kind : {NormalKind::kSkinned, NormalKind::kGeometric}) {
    const auto expected = captured_normals(plan_of(rig, &clip, kBlockAndPart), kind).normals;
    const std::string text = baked_usda({header_of(rig, kBlockAndPart, kind)}, &clip);
    const std::string normals = text.substr(text.find("normal3f[] normals.timeSamples"));
    const std::size_t row = rig.mesh->positions.size();
    REQUIRE(row > 3 * 2048);  // more than one run of text
    for (std::size_t f = 0; f < kBlockAndPart; ++f) {
      const std::vector<float> sample =
          numbers_after(normals, "            " + std::to_string(f) + ": ");
      REQUIRE(sample.size() == row);
      CHECK(std::memcmp(sample.data(), &expected[f * row], row * sizeof(float)) == 0);
    }
    CHECK(numbers_after(text, "normal3f[] normals = ") == numbers_after(normals, " 0: "));
  }
}

TEST_CASE("usda normals: each of several meshes has its own normals, or none") {
  const HalfTurn turn;
  const Rig bare = test::with_normals(test::tube({}), {});
  const std::string text =
      baked_usda({header_of(turn.rig, 3), header_of(bare, 3), header_of(turn.rig, 3)}, &turn.clip);
  const std::size_t second = text.find("def Mesh \"tube\""), third = text.find("\"loose_2\"");
  const std::size_t first_normals = text.find("normal3f[] normals ");
  CHECK(first_normals < second);
  CHECK(text.find("normal3f[] normals ", first_normals + 1) > third);
  CHECK(text.find("normal3f[] normals ", third) != std::string::npos);
}

TEST_CASE("usda normals: a zero normal is written as a unit vector") {
  const Rig rig = test::with_normals(
      test::loose({{1, 2, 3}, {4, 5, 6}}, {Node{}}, {{{0, 1}}, {{0, 1}}}), {0, 0, 0, 1, 0, 0});
  const std::string text = baked_usda({header_of(rig, 1)}, nullptr);
  CHECK(numbers_after(text, "normal3f[] normals = ") == std::vector<float>{0, 0, 1, 1, 0, 0});
}

TEST_CASE("usda normals: the bytes do not depend on the number of threads") {
  const Rig rig = bulging_tube(180);
  const Clip clip = test::turning_clip(rig, {0, 1, 1}, 2, 3);
  const std::string one = baked_usda({header_of(rig, 50)}, &clip, 1);
  CHECK(one == baked_usda({header_of(rig, 50)}, &clip, 3));
}

TEST_CASE("usda normals: an unknown option or value is refused") {
  const HalfTurn turn;
  for (const auto& [name, value] : {std::pair{"normals", "2"}, std::pair{"quantize", "1"}}) {
    CacheHeader header = header_of(turn.rig, 2);
    header.options = {{name, value}};
    CHECK(test::refusal_of(header) == "FORMAT_OPTION_UNKNOWN");
  }
}

}  // namespace skinbake
