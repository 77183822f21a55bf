#include <doctest/doctest.h>

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
  return load_asset(TemporaryFile("test.gltf", file.text()).path(), {.materials = true});
}

std::string text_of(const JsonTemplate& from) {
  std::string text = from.texts.front();
  for (std::size_t i = 0; i < from.references.size(); ++i) {
    text += "<" + std::to_string(from.references[i].index) + ">" + from.texts[i + 1];
  }
  return text;
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

TEST_CASE("materials: are read only if requested") {
  CHECK_FALSE(load(textured_triangle()).materials);
  CHECK(load_with_materials(textured_triangle()).materials);
}

TEST_CASE("materials: indices, material and texture coordinates of a primitive are read") {
  const Asset asset = load_with_materials(textured_triangle());
  const PrimitiveMaterials& primitive = asset.materials->meshes.at(0)->primitives.at(0);
  CHECK(primitive.mode == 4);
  CHECK(primitive.material == 1);
  CHECK(primitive.is_indexed);
  CHECK(primitive.indices == std::vector<std::uint32_t>{2, 1, 0});
  REQUIRE(primitive.attributes.size() == 1);
  CHECK(primitive.attributes[0].name == "TEXCOORD_0");
  CHECK(primitive.attributes[0].values == std::vector<float>{0, 1, 1 / 65535.0f, 0, 0, 0});
}

TEST_CASE("materials: only used elements are kept, and their references can be renumbered") {
  const Asset asset = load_with_materials(textured_triangle());
  const AssetMaterials& materials = *asset.materials;
  REQUIRE(materials.materials.size() == 2);
  CHECK(materials.materials[0].texts.empty());
  CHECK(text_of(materials.materials[1]) ==
        R"({"extensions": {"KHR_materials_unlit": {}}, "name": "skin", "pbrMetallicRoughness": )"
        R"({"baseColorTexture": {"index": <1>, "texCoord": <0>}, "metallicFactor": 0.25}})");
  CHECK(materials.materials[1].extensions == std::vector<std::string>{"KHR_materials_unlit"});
  CHECK(materials.textures[0].texts.empty());
  CHECK(text_of(materials.textures[1]) == R"({"sampler": <0>, "source": <1>})");
  CHECK(materials.samplers.size() == 1);
  CHECK_FALSE(materials.images[0].bytes);
  REQUIRE(materials.images[1].bytes);
  CHECK(materials.images[1].bytes->size() == 8);
  CHECK(materials.images[1].mime_type == "image/png");
  CHECK(materials.images[1].name == "face");
  CHECK(issue_count(asset, "IMAGE_LEFT_OUT") == 0);
}

TEST_CASE("materials: references that are written as 1.0 are followed as 1 is") {
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
  CHECK(asset.materials->meshes.at(0)->primitives.at(0).material == 1);
  for (const auto& [is, wanted] :
       {std::pair(&asset.materials->materials, &expected.materials->materials),
        std::pair(&asset.materials->textures, &expected.materials->textures)}) {
    CHECK(text_of(is->at(1)) == text_of(wanted->at(1)));
  }
  REQUIRE(asset.materials->images[1].bytes);
  CHECK(*asset.materials->images[1].bytes == *expected.materials->images[1].bytes);
}

TEST_CASE("materials: images are read from bufferViews and from files, which become inputs") {
  GltfFile file = textured_triangle();
  const std::string png = "\x89PNG\r\n\x1a\n and more";
  const TemporaryFile beside("face.png", png);
  file.json["images"][1] = {{"uri", beside.name()}};
  Asset asset = load_with_materials(file);
  REQUIRE(asset.materials->images[1].bytes);
  CHECK(std::string(asset.materials->images[1].bytes->begin(),
                    asset.materials->images[1].bytes->end()) == png);
  CHECK(asset.inputs.back().role == "image");
  CHECK(asset.inputs.back().path == beside.name());

  const int view = file.add_view(std::vector<std::uint8_t>{0xff, 0xd8, 0xff, 0xe0});
  file.json["images"][1] = {{"bufferView", view}, {"mimeType", "image/jpeg"}};
  asset = load_with_materials(file);
  REQUIRE(asset.materials->images[1].bytes);
  CHECK(asset.materials->images[1].bytes->size() == 4);
  CHECK(asset.materials->images[1].mime_type == "image/jpeg");
}

TEST_CASE("materials: an unreadable image is an issue, and its texture is removed") {
  for (const char* uri :
       {"not_there.png", "../outside.png", "/etc/hostname", "https://example.org/a.png",
        "data:image/png;base64,!", "data:image/png;base64,", "", "."}) {
    CAPTURE(uri);
    GltfFile file = textured_triangle();
    file.json["images"][1] = {{"uri", uri}};
    const Asset asset = load_with_materials(file);
    CHECK(issue_count(asset, "IMAGE_LEFT_OUT") == 1);
    CHECK_FALSE(asset.materials->images[1].bytes);
    CHECK(text_of(asset.materials->materials[1]).find("baseColorTexture") == std::string::npos);
  }
}

TEST_CASE("materials: an image without bytes is an issue") {
  GltfFile file = textured_triangle();
  const TemporaryFile empty("empty.png", "");
  file.json["images"][1] = {{"uri", empty.name()}};
  const Asset asset = load_with_materials(file);
  REQUIRE(issue_count(asset, "IMAGE_LEFT_OUT") == 1);
  const auto issue = std::find_if(asset.issues.begin(), asset.issues.end(),
                                  [](const Issue& i) { return i.code == "IMAGE_LEFT_OUT"; });
  CHECK(issue->message.find("is empty") != std::string::npos);
}

TEST_CASE("materials: extensions that are not kept are one issue") {
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

TEST_CASE("materials: normals and tangents that the caller does not keep are reported") {
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

TEST_CASE("materials: invalid references are refused") {
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
    "materials: attributes with a wrong count are refused, attributes with a NaN are left out") {
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
  CHECK(asset.materials->meshes.at(0)->primitives[0].attributes.empty());
}

TEST_CASE("materials: attributes whose names are not sets are not kept") {
  GltfFile file = textured_triangle();
  json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  const int coordinates = attributes["TEXCOORD_0"];
  for (const char* name : {"TEXCOORD_", "TEXCOORD_00", "TEXCOORD_1 = []\n", "COLOR_x",
                           "TEXCOORD_18446744073709551615"}) {
    attributes[name] = coordinates;
  }
  for (const Asset& asset : {load_with_materials(file), load(file)}) {
    CHECK(issue_count(asset, "ATTRIBUTE_IGNORED") == 5);
    if (!asset.materials) continue;
    const PrimitiveMaterials& primitive = asset.materials->meshes.at(0)->primitives.at(0);
    REQUIRE(primitive.attributes.size() == 1);
    CHECK(primitive.attributes[0].name == "TEXCOORD_0");
  }
}

}  // namespace skinbake
