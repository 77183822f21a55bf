// Limits of a file: memory, and paths outside its folder.

#include <doctest/doctest.h>

#include <filesystem>

#include "gltf/document/memory.h"
#include "support/gltf/gltf_file.h"
#include "support/gltf/gltf_shared_assets.h"
#include "support/gltf/packed.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

using nlohmann::json;

// The message of the error with MEMORY_LIMIT, or another error's code.
std::string refusal(const GltfFile& file, const LoadOptions& options = {}) {
  const TemporaryFile written("test.gltf", file.text());
  try {
    load_asset(written.path(), options);
  } catch (const Error& error) {
    return error.code() == "MEMORY_LIMIT" ? error.what() : error.code();
  }
  return "loaded";
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// Adds an accessor of zeros without bytes.
int zeros(GltfFile& file, const char* type, std::uint64_t count) {
  file.json["accessors"].push_back({{"componentType", kFloat}, {"count", count}, {"type", type}});
  return static_cast<int>(file.json["accessors"].size()) - 1;
}

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

// The limit in bytes that a message recommends.
std::uint64_t recommended(const std::string& message) {
  const std::string remedy = "raise the limit to ";
  REQUIRE(contains(message, remedy.c_str()));
  return std::stoull(message.substr(message.find(remedy) + remedy.size())) * kMiB;
}

}  // namespace

TEST_CASE("memory: sums and products saturate") {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  static_assert(gltf::saturated_sum(kMost, 1) == kMost);
  static_assert(gltf::saturated_product(kMost / 2, 3) == kMost);
  static_assert(gltf::saturated_product(0, kMost) == 0);
  gltf::MemoryBudget budget(100);
  CHECK(budget.take(25, 4));
  CHECK_FALSE(budget.take(1, 1));
  CHECK_FALSE(budget.take(kMost, kMost));
  CHECK(budget.take(0, 8));
  CHECK(budget.taken() == 100);
}

TEST_CASE("memory: the message names the needed memory, the limit and a sufficient limit") {
  CHECK(contains(gltf::over_the_limit(5 * 1024 * kMiB + 1, 4 * 1024 * kMiB),
                 "needs at least 5 GiB of memory, more than the limit of 4 GiB; "
                 "raise the limit to 5121 MiB or more"));
  CHECK(contains(gltf::over_the_limit(3 * kMiB / 2, kMiB), "raise the limit to 2 MiB"));
  CHECK(contains(gltf::over_the_limit(std::numeric_limits<std::uint64_t>::max(), kMiB),
                 "the declared counts are damaged"));
}

TEST_CASE("memory: the second refusal of a compressed primitive names a limit that suffices") {
  constexpr std::uint32_t kSide = 100, kCount = kSide * kSide;
  GltfFile file = skinned_triangle();
  std::vector<float> points;
  std::vector<std::uint32_t> corners;
  for (std::uint32_t v = 0; v < kCount; ++v) {
    const auto x = static_cast<float>(v % kSide), y = static_cast<float>(v / kSide);
    points.insert(points.end(), {x, y, x * y});
    if (v % kSide + 1 == kSide || v + kSide >= kCount) continue;
    corners.insert(corners.end(), {v, v + 1, v + kSide, v + 1, v + kSide + 1, v + kSide});
  }
  json attributes;
  for (const char* name : {"POSITION", "NORMAL"})
    attributes[name] = file.add<float>("VEC3", points);
  attributes["TANGENT"] = file.add<float>("VEC4", std::vector<float>(4 * kCount, 1));
  attributes["TEXCOORD_0"] = file.add<float>("VEC2", std::vector<float>(2 * kCount));
  file.json["meshes"][0]["primitives"] = {{{"attributes", attributes}}};
  file.json["nodes"][0].erase("skin");
  for (const bool edgebreaker : {false, true}) {
    CAPTURE(edgebreaker);
    GltfFile packed = file;
    pack_primitive(packed, 0, corners, edgebreaker);
    // The first refusal knows the JSON, which contains the buffers, and the second one the rest.
    const std::uint64_t json_fits = recommended(refusal(packed, {.max_memory = 1}));
    const std::uint64_t figure = recommended(refusal(packed, {.max_memory = json_fits}));
    CHECK(refusal(packed, {.max_memory = figure}) == "loaded");
    CHECK(refusal(packed, {.max_memory = figure / 2}) != "loaded");
  }
}

TEST_CASE("memory: the limit that the message recommends is sufficient") {
  GltfFile file = skinned_triangle();
  auto& targets = file.json["meshes"][0]["primitives"][0]["targets"];
  const int delta = file.add<float>("VEC3", std::vector<float>(9));
  for (int i = 0; i < 500; ++i) targets.push_back({{"POSITION", delta}});
  const std::uint64_t figure = recommended(refusal(file, {.max_memory = 20'000}));
  CHECK(refusal(file, {.max_memory = figure}) == "loaded");
}

TEST_CASE("memory: a limit of one byte is reported as the limit") {
  CHECK(contains(refusal(skinned_triangle(), {.max_memory = 1}), "more than the limit of 1 byte"));
}

TEST_CASE("memory: counts without bytes are summed over all uses") {
  SUBCASE("positions") {
    GltfFile file = skinned_triangle();
    file.json["meshes"][0]["primitives"][0]["attributes"] = {
        {"POSITION", zeros(file, "VEC3", 400'000'000)}};
    CHECK(contains(refusal(file), "mesh 'Body' primitive 0"));
  }
  SUBCASE("primitives that share one accessor") {
    GltfFile file = skinned_triangle();
    const int many = zeros(file, "VEC3", 2'000'000);
    auto& primitives = file.json["meshes"][0]["primitives"];
    primitives = nlohmann::json::array();
    for (int i = 0; i < 100; ++i) primitives.push_back({{"attributes", {{"POSITION", many}}}});
    CHECK(contains(refusal(file), "mesh 'Body' primitive"));
  }
  SUBCASE("morph targets") {
    GltfFile file = skinned_triangle();
    const int many = zeros(file, "VEC3", 1'000'000);
    auto& primitive = file.json["meshes"][0]["primitives"][0];
    primitive = {{"attributes", {{"POSITION", many}}}};
    for (int i = 0; i < 300; ++i) primitive["targets"].push_back({{"POSITION", many}});
    CHECK(contains(refusal(file), "mesh 'Body' primitive 0"));
  }
  SUBCASE("empty morph targets of many nodes") {
    GltfFile file = skinned_triangle();
    auto& targets = file.json["meshes"][0]["primitives"][0]["targets"];
    for (int i = 0; i < 2000; ++i) targets.push_back(nlohmann::json::object());
    for (int i = 0; i < 2000; ++i) {
      file.json["scenes"][0]["nodes"].push_back(file.json["nodes"].size());
      file.json["nodes"].push_back({{"mesh", 0}});
    }
    CHECK(contains(refusal(file, {.max_memory = 24 * kMiB}), "mesh 'Body' needs the largest part"));
  }
  SUBCASE("nodes that bind one mesh") {
    GltfFile file = skinned_triangle();
    auto& primitive = file.json["meshes"][0]["primitives"][0];
    primitive["attributes"] = {{"POSITION", zeros(file, "VEC3", 1'000'000)}};
    for (int i = 0; i < 300; ++i) {
      file.json["scenes"][0]["nodes"].push_back(file.json["nodes"].size());
      file.json["nodes"].push_back({{"mesh", 0}});
    }
    CHECK(contains(refusal(file), "mesh 'Body' primitive 0"));
  }
  SUBCASE("keys") {
    GltfFile file = skinned_triangle();
    const int times = zeros(file, "SCALAR", 300'000'000);
    file.json["animations"] = {{{"name", "Run"},
                                {"channels", nlohmann::json::array()},
                                {"samplers", {{{"input", times}, {"output", times}}}}}};
    CHECK(contains(refusal(file), "animation 'Run'"));
  }
  SUBCASE("inverse bind matrices") {
    GltfFile file = skinned_triangle();
    file.json["skins"][0]["inverseBindMatrices"] = zeros(file, "MAT4", 100'000'000);
    CHECK(contains(refusal(file), "skin 0"));
  }
  SUBCASE("compressed views") {
    GltfFile file = skinned_triangle();
    file.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"] = {
        {"buffer", 0},
        {"byteLength", 8},
        {"count", std::uint64_t{1} << 40},
        {"byteStride", 256},
        {"mode", "ATTRIBUTES"}};
    CHECK(contains(refusal(file), "bufferView 0"));
  }
  SUBCASE("sparse parts") {
    GltfFile file = skinned_triangle();
    file.json["accessors"][0]["sparse"] = {
        {"count", 2'000'000'000},
        {"indices", {{"bufferView", 0}, {"componentType", kU32}}},
        {"values", {{"bufferView", 0}}}};
    CHECK(contains(refusal(file), "mesh 'Body' primitive 0"));
  }
}

TEST_CASE("memory: unused accessors are not counted") {
  GltfFile file = skinned_triangle();
  zeros(file, "MAT4", std::uint64_t{1} << 50);
  CHECK(refusal(file) == "loaded");
}

TEST_CASE("memory: the size of parsed JSON is measured before it is parsed") {
  std::string text = R"({"asset":{"version":"2.0"},"extras":[[])";
  for (int i = 0; i < 100'000; ++i) text += ",[]";
  text += "]}";
  const TemporaryFile written("test.gltf", text);
  CHECK_THROWS_WITH_AS(load_asset(written.path(), {.max_memory = 8 * kMiB}),
                       doctest::Contains("the JSON text needs"), Error);
  CHECK_NOTHROW(load_asset(written.path()));
}

TEST_CASE("memory: empty nodes are counted with the size of their parsed structs") {
  GltfFile file = skinned_triangle();
  for (int i = 0; i < 30'000; ++i) file.json["nodes"].push_back(nlohmann::json::object());
  CHECK(contains(refusal(file, {.max_memory = 24 * kMiB}), "'nodes' needs the largest part"));
  CHECK(refusal(file) == "loaded");
}

TEST_CASE("outside: a symbolic link out of the folder is refused unless it is allowed") {
  const TemporaryFolder outer;
  std::filesystem::create_directories(outer / "in/below");
  GltfFile file = skinned_triangle();
  write_file(outer / "secret.bin", file.bytes);
  write_file(outer / "in/below/own.bin", file.bytes);
  std::filesystem::create_symlink("../secret.bin", outer / "in/link.bin");
  std::filesystem::create_directory_symlink("..", outer / "in/up");
  std::filesystem::create_symlink("below/own.bin", outer / "in/inner.bin");
  const auto code_with = [&](const std::string& uri, bool allow) {
    file.json["buffers"] = {{{"byteLength", file.bytes.size()}, {"uri", uri}}};
    write_file(outer / "in/test.gltf", file.text());
    try {
      load_asset(outer / "in/test.gltf", {.allow_outside = allow});
    } catch (const Error& error) {
      return error.code();
    }
    return std::string("loaded");
  };
  CHECK(code_with("link.bin", false) == "URI_REFUSED");
  CHECK(code_with("up/secret.bin", false) == "URI_REFUSED");
  CHECK(code_with("inner.bin", false) == "loaded");
  CHECK(code_with("below/own.bin", false) == "loaded");
  CHECK(code_with("below/../below/own.bin", false) == "loaded");
  for (const std::string& uri :
       {std::string("link.bin"), std::string("up/secret.bin"), std::string("../secret.bin"),
        std::string("%2e%2e/secret.bin"), outer / "secret.bin"}) {
    CAPTURE(uri);
    CHECK(code_with(uri, true) == "loaded");
  }
  for (const char* uri : {"file:///etc/hostname", "http://example.com/x.bin", "%00", "%4", ""}) {
    CAPTURE(uri);
    CHECK(code_with(uri, true) == "URI_REFUSED");
  }
}

TEST_CASE("outside: buffers beside a glTF are inside its folder if the glTF is opened by a link") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "real");
  std::filesystem::create_directory_symlink("real", folder / "link");
  GltfFile file = skinned_triangle();
  write_file(folder / "real/own.bin", file.bytes);
  file.json["buffers"] = {{{"byteLength", file.bytes.size()}, {"uri", "own.bin"}}};
  write_file(folder / "real/test.gltf", file.text());
  CHECK_NOTHROW(load_asset(folder / "link/test.gltf"));
}

TEST_CASE("issues: a file with very many findings lists some positions and counts the others") {
  GltfFile file = skinned_triangle();
  for (int i = 0; i < 20'000; ++i) {
    file.json["nodes"].push_back({{"rotation", {0, 0, 0, 2}}});
  }
  const Asset asset = load(file);
  CHECK(issue_count(asset, "QUATERNION_NOT_UNIT") == 20'000);
  CHECK(asset.issues.size() <= 10'010);
}
