// Limits of a file: its counts, and paths outside its folder.

#include <doctest/doctest.h>

#include <filesystem>

#include "support/gltf/gltf_file.h"
#include "support/gltf/gltf_shared_assets.h"
#include "support/gltf/packed.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

std::string code_of(const GltfFile& file) {
  const TemporaryFile written("test.gltf", file.text());
  try {
    whole(load_asset(written.path()));
  } catch (const Error& error) {
    return error.code();
  }
  return "loaded";
}

}  // namespace

TEST_CASE("limits: counts that the file's bytes contradict are refused before they are allocated") {
  GltfFile file = skinned_triangle();
  SUBCASE("compressed views") {
    file.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"] = {
        {"buffer", 0},
        {"byteLength", 8},
        {"count", std::uint64_t{1} << 40},
        {"byteStride", 256},
        {"mode", "ATTRIBUTES"}};
    CHECK(code_of(file) == "MESHOPT_INVALID");
  }
  SUBCASE("sparse parts") {
    file.json["accessors"][0]["sparse"] = {
        {"count", 2'000'000'000},
        {"indices", {{"bufferView", 0}, {"componentType", kU32}}},
        {"values", {{"bufferView", 0}}}};
    CHECK(code_of(file) == "ACCESSOR_OUT_OF_RANGE");
  }
  SUBCASE("matrices") {
    const int matrices = file.add<float>("MAT4", std::vector<float>(32));
    file.json["accessors"][static_cast<std::size_t>(matrices)]["count"] = std::uint64_t{1} << 50;
    file.json["skins"][0]["inverseBindMatrices"] = matrices;
    CHECK(code_of(file) == "ACCESSOR_OUT_OF_RANGE");
  }
  SUBCASE("an accessor that is not used") {
    file.json["accessors"].push_back(
        {{"componentType", kFloat}, {"count", std::uint64_t{1} << 50}, {"type", "MAT4"}});
    CHECK(code_of(file) == "loaded");
  }
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
      whole(load_asset(outer / "in/test.gltf", {.allow_outside = allow}));
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
    CHECK(code_with(uri, true) == "URI_INVALID");
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
