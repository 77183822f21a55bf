#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "gltf/write/baked_document.h"
#include "support/gltf/gltf_file.h"
#include "support/gltf/gltf_shared_assets.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using namespace skinbake::test;
using nlohmann::json;

constexpr const char* kPng = "data:image/png;base64,iVBORw0KGgo=";  // its signature alone

// The triangle with texture coordinates, indices and a material of one texture.
GltfFile textured_triangle() {
  GltfFile file = skinned_triangle();
  json& primitive = file.json["meshes"][0]["primitives"][0];
  primitive["attributes"]["TEXCOORD_0"] = file.add<std::uint16_t>("VEC2", {0, 65535, 1, 0, 0, 0});
  file.json["accessors"].back()["normalized"] = true;
  primitive["indices"] = file.add<std::uint8_t>("SCALAR", {2, 1, 0});
  primitive["material"] = 1;
  file.json["materials"] = {
      {{"name", "unused"}},
      {{"name", "skin"},
       {"pbrMetallicRoughness",
        {{"baseColorTexture", {{"index", 1}, {"texCoord", 0}}}, {"metallicFactor", 0.25}}},
       {"extensions", {{"KHR_materials_unlit", json::object()}, {"MSFT_lod", {{"ids", {0}}}}}}}};
  file.json["textures"] = {{{"source", 0}}, {{"source", 1}, {"sampler", 0}}};
  file.json["samplers"] = {{{"magFilter", 9729}}};
  file.json["images"] = {{{"uri", "never_read.png"}}, {{"uri", kPng}, {"name", "face"}}};
  return file;
}

Asset load_with_materials(const GltfFile& file) {
  return whole(load_asset(TemporaryFile("test.gltf", file.text()).path(), {.materials = true}));
}

// The bytes of an image.
std::string bytes_of(const BakedDocument& document, std::size_t image) {
  const auto view = document.json["images"][image]["bufferView"].get<std::size_t>();
  const auto buffer = document.json["bufferViews"][view]["buffer"].get<std::size_t>();
  const gltf::ByteSpan bytes = document.buffers[buffer];
  return {bytes.begin(), bytes.end()};
}

std::string code_with_materials(const GltfFile& file) {
  try {
    load_with_materials(file);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    return error.code();
  }
  return "";
}

}  // namespace

TEST_CASE("appearance: is read only if requested") {
  CHECK_FALSE(load(textured_triangle()).appearance);
  CHECK(load_with_materials(textured_triangle()).appearance);
}

TEST_CASE("appearance: indices, material and texture coordinates of a primitive are kept") {
  const Asset asset = load_with_materials(textured_triangle());
  const BakedDocument& document = *asset.appearance;
  const json& primitive = document.primitives_of(0).at(0);
  CHECK(primitive["mode"] == 4);
  CHECK(primitive["material"] == 0);
  const json& indices = document.json["accessors"][primitive["indices"].get<std::size_t>()];
  CHECK(indices["componentType"] == 5123);
  CHECK(indices["count"] == 3);
  REQUIRE(primitive["attributes"].size() == 1);
  const auto values = document.floats_of(primitive["attributes"]["TEXCOORD_0"].get<std::size_t>());
  CHECK(std::vector<float>(values.begin(), values.end()) ==
        std::vector<float>{0, 1, 1 / 65535.0f, 0, 0, 0});
  CHECK(document.primitives_of(1).empty());
  CHECK(document.primitives_of(99).empty());
}

TEST_CASE("appearance: used elements stay as they are in the file, and get new indices") {
  const Asset asset = load_with_materials(textured_triangle());
  const json& document = asset.appearance->json;
  CHECK(document["materials"] ==
        json::parse(R"([{"name": "skin", "extensions": {"KHR_materials_unlit": {}},
          "pbrMetallicRoughness":
            {"baseColorTexture": {"index": 0, "texCoord": 0}, "metallicFactor": 0.25}}])"));
  CHECK(document["textures"] == json::parse(R"([{"sampler": 0, "source": 0}])"));
  CHECK(document["samplers"] == json::parse(R"([{"magFilter": 9729}])"));
  REQUIRE(document["images"].size() == 1);
  CHECK(document["images"][0]["mimeType"] == "image/png");
  CHECK(document["images"][0]["name"] == "face");
  CHECK_FALSE(document["images"][0].contains("uri"));
  CHECK(bytes_of(*asset.appearance, 0).size() == 8);
  CHECK(issue_count(asset, "IMAGE_LEFT_OUT") == 0);
}

TEST_CASE("appearance: references that are written as 1.0 are followed as 1 is") {
  GltfFile file = textured_triangle();
  file.json["images"][1] = {{"bufferView", file.add_view<std::uint8_t>({0xff, 0xd8, 0xff, 0xe0})}};
  const Asset expected = load_with_materials(file);
  const auto as_float = [](json& number) { number = number.get<double>(); };
  as_float(file.json["meshes"][0]["primitives"][0]["material"]);
  json& texture = file.json["materials"][1]["pbrMetallicRoughness"]["baseColorTexture"];
  as_float(texture["index"]);
  as_float(texture["texCoord"]);
  as_float(file.json["textures"][1]["source"]);
  as_float(file.json["textures"][1]["sampler"]);
  as_float(file.json["images"][1]["bufferView"]);
  const Asset asset = load_with_materials(file);
  CHECK(asset.appearance->json.dump() == expected.appearance->json.dump());
  CHECK(bytes_of(*asset.appearance, 0) == bytes_of(*expected.appearance, 0));
}

TEST_CASE("appearance: images are read from bufferViews and from files, which become inputs") {
  GltfFile file = textured_triangle();
  const std::string png = "\x89PNG\r\n\x1a\n and more";
  const TemporaryFile beside("face.png", png);
  file.json["images"][1] = {{"uri", beside.name()}};
  Asset asset = load_with_materials(file);
  CHECK(bytes_of(*asset.appearance, 0) == png);
  CHECK(asset.inputs.back().role == "image");
  CHECK(asset.inputs.back().path == beside.name());

  const int view = file.add_view(std::vector<std::uint8_t>{0xff, 0xd8, 0xff, 0xe0});
  file.json["images"][1] = {{"bufferView", view}, {"mimeType", "image/jpeg"}};
  asset = load_with_materials(file);
  CHECK(bytes_of(*asset.appearance, 0).size() == 4);
  CHECK(asset.appearance->json["images"][0]["mimeType"] == "image/jpeg");
}

TEST_CASE("appearance: an unreadable image is an issue, and its texture is removed") {
  for (const char* uri :
       {"not_there.png", "../outside.png", "/etc/hostname", "https://example.org/a.png",
        "data:image/png;base64,!", "data:image/png;base64,", "", "."}) {
    CAPTURE(uri);
    GltfFile file = textured_triangle();
    file.json["images"][1] = {{"uri", uri}};
    const Asset asset = load_with_materials(file);
    const bool is_outside = std::string(uri).starts_with("..") || uri[0] == '/';
    CHECK(issue_count(asset, "IMAGE_LEFT_OUT") == (is_outside ? 0 : 1));
    CHECK(issue_count(asset, "IMAGE_OUTSIDE") == (is_outside ? 1 : 0));
    const json& document = asset.appearance->json;
    CHECK(document["images"].empty());
    CHECK(document["textures"].empty());
    CHECK_FALSE(document["materials"][0]["pbrMetallicRoughness"].contains("baseColorTexture"));
  }
}

TEST_CASE("appearance: an image without bytes is an issue") {
  GltfFile file = textured_triangle();
  const TemporaryFile empty("empty.png", "");
  file.json["images"][1] = {{"uri", empty.name()}};
  const Asset asset = load_with_materials(file);
  REQUIRE(issue_count(asset, "IMAGE_LEFT_OUT") == 1);
  const auto issue = std::find_if(asset.issues.begin(), asset.issues.end(),
                                  [](const Issue& i) { return i.code == "IMAGE_LEFT_OUT"; });
  CHECK(issue->message.find("is empty") != std::string::npos);
}

TEST_CASE("appearance: extensions that are not kept are one issue") {
  GltfFile file = textured_triangle();  // whose material has MSFT_lod
  file.json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"] = {
      {"mappings", json::array()}};
  const Asset asset = load_with_materials(file);
  REQUIRE(issue_count(asset, "EXTENSION_LEFT_OUT") == 2);
  const auto issue = std::find_if(asset.issues.begin(), asset.issues.end(),
                                  [](const Issue& i) { return i.code == "EXTENSION_LEFT_OUT"; });
  CHECK(issue->severity == Severity::kInfo);
  CHECK(issue->pointer == "/meshes/0/primitives/0");
  CHECK(issue->message.ends_with("primitives: 'KHR_materials_variants', 'MSFT_lod'"));
  file.json["meshes"][0]["primitives"][0].erase("extensions");
  file.json["materials"][1]["extensions"].erase("MSFT_lod");
  CHECK(issue_count(load_with_materials(file), "EXTENSION_LEFT_OUT") == 0);
}

TEST_CASE("appearance: normals and tangents that the caller does not keep are reported") {
  GltfFile file = textured_triangle();
  CHECK(issue_count(load_with_materials(file), "NORMALS_LEFT_OUT") == 0);
  json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["NORMAL"] = file.add<float>("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
  attributes["TANGENT"] = file.add<float>("VEC4", {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1});
  const Asset asset = load_with_materials(file);
  CHECK(issue_count(asset, "NORMALS_LEFT_OUT") == 2);
  CHECK(issue_count(load(file), "NORMALS_LEFT_OUT") == 0);
  const LoadOptions kept{.materials = true, .normals_are_kept = true};
  const Asset with_normals = load_asset(TemporaryFile("test.gltf", file.text()).path(), kept);
  CHECK(issue_count(with_normals, "NORMALS_LEFT_OUT") == 1);  // of tangents
}

TEST_CASE("appearance: invalid references are refused") {
  const auto broken = [](const char* pointer, const json& value) {
    GltfFile file = textured_triangle();
    file.json[json::json_pointer(pointer)] = value;
    return code_with_materials(file);
  };
  CHECK(broken("/meshes/0/primitives/0/material", 2) == "REFERENCE_INVALID");
  CHECK(broken("/meshes/0/primitives/0/material", -1) == "REFERENCE_INVALID");
  CHECK(broken("/materials/1/pbrMetallicRoughness/baseColorTexture/index", 2) ==
        "REFERENCE_INVALID");
  CHECK(broken("/materials/1/pbrMetallicRoughness/baseColorTexture/index", "1") ==
        "REFERENCE_INVALID");
  CHECK(broken("/textures/1/source", 9) == "REFERENCE_INVALID");
  CHECK(broken("/textures/1/sampler", 1) == "REFERENCE_INVALID");
  CHECK(broken("/images/1", {{"bufferView", 99}}) == "REFERENCE_INVALID");
  CHECK(broken("/images/1", 5) == "SCHEMA_VIOLATION");
  CHECK(broken("/materials/1", 5) == "SCHEMA_VIOLATION");
  CHECK(broken("/materials", 5) == "REFERENCE_INVALID");
  CHECK(broken("/textures", json::object()) == "REFERENCE_INVALID");
}

TEST_CASE(
    "appearance: attributes with a wrong count are refused, attributes with a NaN are left out") {
  GltfFile file = textured_triangle();
  json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["TEXCOORD_0"] = file.add<float>("VEC2", {0, 1, 1, 0});
  CHECK(code_with_materials(file) == "ACCESSOR_COUNT");
  attributes["TEXCOORD_0"] = file.add<float>("VEC3", {0, 1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(code_with_materials(file) == "ACCESSOR_FORMAT");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  attributes["TEXCOORD_0"] = file.add<float>("VEC2", {0, 1, nan, 0, 0, 0});
  const Asset asset = load_with_materials(file);
  CHECK(issue_count(asset, "ATTRIBUTE_LEFT_OUT") == 1);
  CHECK(asset.appearance->primitives_of(0).at(0)["attributes"].empty());
}

TEST_CASE("appearance: attributes whose names are not sets are not kept") {
  GltfFile file = textured_triangle();
  json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  const int coordinates = attributes["TEXCOORD_0"];
  for (const char* name : {"TEXCOORD_", "TEXCOORD_00", "TEXCOORD_1 = []\n", "COLOR_x",
                           "TEXCOORD_18446744073709551615"}) {
    attributes[name] = coordinates;
  }
  for (const Asset& asset : {load_with_materials(file), load(file)}) {
    CHECK(issue_count(asset, "ATTRIBUTE_IGNORED") == 5);
    if (!asset.appearance) continue;
    const json& attributes_kept = asset.appearance->primitives_of(0).at(0)["attributes"];
    CHECK(attributes_kept.size() == 1);
    CHECK(attributes_kept.contains("TEXCOORD_0"));
  }
}

namespace {

// The triangle below a node of some scale, with a volume material that another node shares.
Asset load_scaled(const std::vector<double>& scale) {
  GltfFile file = textured_triangle();
  file.json["materials"][1]["extensions"]["KHR_materials_volume"] = {{"thicknessFactor", 50},
                                                                     {"attenuationDistance", 2}};
  file.json["nodes"][0].erase("skin");
  file.json["nodes"][0]["scale"] = scale;
  file.json["nodes"].push_back({{"mesh", 0}, {"name", "other"}});
  for (json& scene : file.json["scenes"]) scene["nodes"].push_back(file.json["nodes"].size() - 1);
  return load_with_materials(file);
}

std::vector<std::uint16_t> indices_of(const BakedDocument& document, const json& primitive) {
  const json& accessor = document.json["accessors"][primitive["indices"].get<std::size_t>()];
  const json& view = document.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  const gltf::ByteSpan bytes = document.buffers[view["buffer"].get<std::size_t>()];
  const auto* const indices = reinterpret_cast<const std::uint16_t*>(bytes.data());
  return {indices, indices + bytes.size() / 2};
}

}  // namespace

TEST_CASE("appearance: a scaled node gets its own thickness; the distance in the world stays") {
  const Asset asset = load_scaled({0.01, 0.01, 0.01});
  REQUIRE(asset.rigs.size() == 2);
  const std::vector<gltf::BakedMesh> meshes{{&asset.rigs[0]}, {&asset.rigs[1]}};
  const BakedDocument baked = gltf::baked_meshes(asset.appearance.get(), meshes);
  REQUIRE(baked.json["materials"].size() == 2);
  const auto volume = [&](std::size_t mesh) {
    const json& primitive = baked.json["meshes"][mesh]["primitives"][0];
    const auto material = primitive["material"].get<std::size_t>();
    return baked.json["materials"][material]["extensions"]["KHR_materials_volume"];
  };
  CHECK(volume(0)["thicknessFactor"] == 0.5);
  CHECK(volume(0)["attenuationDistance"] == 2);
  CHECK(volume(1)["thicknessFactor"] == 50);
  const std::vector<gltf::BakedMesh> local{{&asset.rigs[0], false}};
  const BakedDocument in_mesh_space = gltf::baked_meshes(asset.appearance.get(), local);
  CHECK(
      in_mesh_space.json["materials"][0]["extensions"]["KHR_materials_volume"]["thicknessFactor"] ==
      50);
}

TEST_CASE("appearance: the triangles of a mirrored node turn the other way in scene space") {
  const Asset asset = load_scaled({-1, 1, 1});
  CHECK(gltf::is_mirrored(asset.rigs[0]));
  CHECK_FALSE(gltf::is_mirrored(asset.rigs[1]));
  const std::vector<gltf::BakedMesh> meshes{
      {&asset.rigs[0]}, {&asset.rigs[0], false}, {&asset.rigs[1]}};
  const BakedDocument baked = gltf::baked_meshes(asset.appearance.get(), meshes);
  const auto indices = [&](std::size_t mesh) {
    return indices_of(baked, baked.json["meshes"][mesh]["primitives"][0]);
  };
  CHECK(indices(0) == std::vector<std::uint16_t>{2, 0, 1});
  CHECK(indices(1) == std::vector<std::uint16_t>{2, 1, 0});
  CHECK(indices(2) == std::vector<std::uint16_t>{2, 1, 0});
}

TEST_CASE("appearance: no decimal of a float has a longer text than the longest") {
  const std::size_t longest = json(gltf::decimal(gltf::kLongestDecimal)).dump().size();
  CHECK(longest == std::string_view("-1.1872044999999999e+20").size());
  std::uint32_t bits = 1;
  for (int i = 0; i < 200'000; ++i) {
    bits = bits * 1664525 + 1013904223;  // passes all 2^32 values
    const auto number = std::bit_cast<float>(bits);
    if (std::isfinite(number)) CHECK(json(gltf::decimal(number)).dump().size() <= longest);
  }
}

}  // namespace skinbake
