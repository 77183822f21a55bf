#include <doctest/doctest.h>

#include <cstring>

#include "caches/usd/file.h"
#include "caches/usd/point_text.h"
#include "gltf/write/baked_document.h"
#include "skinbake/error.h"
#include "support/caches/baked_usda.h"

namespace skinbake {
namespace {

using test::baked_usda;
using test::numbers_after;
using test::TwoByTwo;

constexpr const char* kFileGolden = R"(#usda 1.0
(
    doc = "skinbake VERSION"
    defaultPrim = "Baked"
    endTimeCode = 1
    framesPerSecond = 30
    metersPerUnit = 1
    startTimeCode = 0
    timeCodesPerSecond = 30
    upAxis = "Y"
)

def Xform "Baked"
{
    def Mesh "loose"
    {
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = []
        int[] faceVertexIndices = []
        point3f[] points = [(1, 2, 3), (-1, 0, 0.5)]
        point3f[] points.timeSamples = {
            0: [(1, 2, 3), (-1, 0, 0.5)],
            1: [(1, 2, 11), (-1, 0, 8.5)],
        }
        float3[] extent = [(-1, 0, 0.5), (1, 2, 3)]
        float3[] extent.timeSamples = {
            0: [(-1, 0, 0.5), (1, 2, 3)],
            1: [(-1, 0, 8.5), (1, 2, 11)],
        }
    }
}
)";

std::string baked(const TwoByTwo& two, std::int64_t frames, int threads = 1) {
  return baked_usda({two.header(frames)}, &two.clip, threads);
}

}  // namespace

TEST_CASE("usda: two vertices, two frames, character for character") {
  std::string expected = kFileGolden;
  const std::string version = "VERSION";
  expected.replace(expected.find(version), version.size(), SKINBAKE_TEST_VERSION);
  CHECK(baked(TwoByTwo(), 2) == expected);
}

TEST_CASE("usda: every sample equals its frame, and its extent is exact") {
  const Rig rig = test::tube({.rings = 200, .segments = 13});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  const auto expected = test::captured(rig, &clip, 20, "lbs");
  CacheHeader header = TwoByTwo().header(20);
  header.rig = &rig;
  const std::string text = baked_usda({header}, &clip);
  const std::size_t row = std::size_t{rig.mesh->vertex_count()} * 3;
  REQUIRE(row > 3 * 2048);  // more than one run
  for (std::size_t f = 0; f < 20; ++f) {
    const float* frame = &expected.positions[f * row];
    const std::string sample = "            " + std::to_string(f) + ": ";
    const std::size_t extents = text.find("float3[] extent.timeSamples");
    const std::vector<float> points = numbers_after(text, sample);
    REQUIRE(points.size() == row);
    CHECK(std::memcmp(points.data(), frame, row * sizeof(float)) == 0);
    const std::vector<float> box = numbers_after(text.substr(extents), sample);
    REQUIRE(box.size() == 6);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float low = frame[axis], high = low;
      for (std::size_t i = axis; i < row; i += 3) {
        low = std::min(low, frame[i]);
        high = std::max(high, frame[i]);
      }
      CHECK(box[axis] == low);
      CHECK(box[3 + axis] == high);
    }
  }
  CHECK(numbers_after(text, "point3f[] points = ") == numbers_after(text, " 0: "));
  const std::vector<float> indices = numbers_after(text, "faceVertexIndices = ");
  REQUIRE(indices.size() == 3 * rig.mesh->triangles.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    REQUIRE(indices[i] == static_cast<float>(rig.mesh->triangles[i / 3][i % 3]));
  }
  CHECK(numbers_after(text, "faceVertexCounts = ") ==
        std::vector<float>(rig.mesh->triangles.size(), 3.0F));
}

TEST_CASE("usda: numbers are the shortest texts that read back as the same floats") {
  std::string text;
  const std::vector<float> numbers{0.1F, -0.0F, 1e-38F, 3.4028235e38F, 16777216, 1.0F / 3, 1e-45F};
  append_numbers(text, numbers);
  CHECK(text == "0.1, -0, 1e-38, 3.4028235e+38, 16777216, 0.33333334, 1e-45");
}

TEST_CASE("usda: time codes are frame numbers") {
  const TwoByTwo two;
  CacheHeader header = two.header(3);
  header.frames = {23.976, 12, 5, 3};
  const std::string text = baked_usda({header}, &two.clip);
  for (const char* line : {"\n    startTimeCode = 12\n", "\n    endTimeCode = 22\n",
                           "\n    timeCodesPerSecond = 23.976\n", "\n            12: [",
                           "\n            17: [", "\n            22: ["}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}

TEST_CASE("usda: several meshes follow one another in one file") {
  const TwoByTwo two;
  const Rig tube = test::tube({});
  CacheHeader other = two.header(20);
  other.rig = &tube;
  const std::string text = baked_usda({two.header(20), other}, &two.clip);
  const std::size_t first = text.find("def Mesh \"loose\""),
                    second = text.find("def Mesh \"tube\"");
  REQUIRE(first < second);
  REQUIRE(second != std::string::npos);
  CHECK(text.find("def Mesh", second + 1) == std::string::npos);
  CHECK(numbers_after(text.substr(second), "points = ").size() == tube.mesh->positions.size());
}

TEST_CASE("usda: texture coordinates have their origin at the bottom") {
  const TwoByTwo two;
  const auto appearance = std::make_shared<BakedDocument>();
  appearance->json["nodes"] =
      nlohmann::json::array_t(static_cast<std::size_t>(two.rig.node), nlohmann::json::object());
  appearance->json["nodes"].push_back({{"mesh", 0}});
  const std::vector<float> first{0, 0.25, 0.5, 1}, second{1, 2, 3, 4}, colours{1, 1, 1, 1, 1, 1};
  appearance->json["meshes"][0]["primitives"][0]["attributes"] = {
      {"COLOR_0", appearance->add_floats(colours, 3)},
      {"TEXCOORD_0", appearance->add_floats(first, 2)},
      {"TEXCOORD_1", appearance->add_floats(second, 2)}};
  CacheHeader header = two.header(2);
  header.appearance = appearance;
  const std::string text = baked_usda({header}, &two.clip);
  CHECK(text.find("        texCoord2f[] primvars:st = [(0, 0.75), (0.5, 0)] (\n"
                  "            interpolation = \"vertex\"\n        )\n"
                  "        texCoord2f[] primvars:st1 = [(1, -1), (3, -3)] (\n") !=
        std::string::npos);
  CHECK(text.find("COLOR") == std::string::npos);
}

TEST_CASE("usda: faces of a mirrored node turn the other way in scene space") {
  const Rig tube = test::tube({});
  Rig mirrored = tube;
  auto skeleton = std::make_shared<Skeleton>(*tube.skeleton);
  skeleton->nodes[static_cast<std::size_t>(tube.node)].scale = {1, -2, 1};
  mirrored.skeleton = skeleton;
  const auto faces_of = [](const Rig& rig, Space space) {
    CacheHeader header = TwoByTwo().header(2);
    header.rig = &rig;
    header.space = space;
    return numbers_after(baked_usda({header}, nullptr), "faceVertexIndices = ");
  };
  const auto faces = faces_of(tube, Space::kScene), turned = faces_of(mirrored, Space::kScene);
  REQUIRE(faces.size() == turned.size());
  REQUIRE(faces.size() > 3);
  for (std::size_t i = 0; i < faces.size(); i += 3) {
    CHECK(turned[i] == faces[i]);
    CHECK(turned[i + 1] == faces[i + 2]);
    CHECK(turned[i + 2] == faces[i + 1]);
  }
  CHECK(faces_of(mirrored, Space::kMesh) == faces);
}

TEST_CASE("usda: names of prims are distinct identifiers") {
  CHECK(
      prim_names({"Body", "Body", "a b", "a-b", "2nd", "", "é€", "\xff", "#7", "Body_2", "Body"}) ==
      std::vector<std::string>{"Body", "Body_2", "a_b", "a_b_2", "_2nd", "_", "__", "__2", "_7",
                               "Body_2_2", "Body_3"});
}

TEST_CASE("usda: the bytes do not depend on the number of threads") {
  const Rig rig = test::tube({.rings = 400, .segments = 13});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2, 4);
  CacheHeader header = TwoByTwo().header(40);
  header.rig = &rig;
  const std::string one = baked_usda({header}, &clip, 1);
  CHECK(one == baked_usda({header}, &clip, 2));
  CHECK(one == baked_usda({header}, &clip, 7));
}

TEST_CASE(
    "usda: counts and axes that the format cannot hold are refused before a file is created") {
  const TwoByTwo two;
  CHECK(test::refusal_of(two.header(2)).empty());
  CHECK(test::refusal_of(two.header(std::int64_t{1} << 31)) == "CACHE_TOO_LARGE");
  CacheHeader header = two.header(2);
  header.axes.up = CacheAxes::Up::kZ;
  CHECK(test::refusal_of(header) == "CACHE_UNSUITABLE");
  header.axes = {};
  header.rig = nullptr;
  header.mesh.vertex_count = 2;
  CHECK(test::refusal_of(header) == "CACHE_UNSUITABLE");
}

}  // namespace skinbake
