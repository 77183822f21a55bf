// TANGENT of primitives and of their morph targets.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "support/gltf/gltf_file.h"
#include "support/gltf/packed.h"

namespace skinbake {
namespace {

using namespace skinbake::test;
using nlohmann::json;
using Floats = std::vector<float>;

const LoadOptions kWanted{.materials = true, .tangents = true, .tangents_are_kept = true};

// The triangle with normals and tangents.
GltfFile tangent_triangle() {
  GltfFile file = skinned_triangle();
  json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["NORMAL"] = file.add<float>("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
  attributes["TANGENT"] = file.add<float>("VEC4", {1, 0, 0, 1, 0, 1, 0, -1, 0.6F, 0.8F, 0, 1});
  return file;
}

json& attributes_of(GltfFile& file) {
  return file.json["meshes"][0]["primitives"][0]["attributes"];
}

Asset load_wanted(const GltfFile& file, const LoadOptions& options = kWanted) {
  return whole(load_asset(TemporaryFile("test.gltf", file.text()).path(), options));
}

Floats tangents_of(const GltfFile& file) {
  return load_wanted(file).rigs.at(0).mesh->tangents;
}

std::string code_of(const GltfFile& file) {
  try {
    load_wanted(file);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.location().pointer == "/meshes/0/primitives/0/attributes/TANGENT");
    return error.code();
  }
  return "";
}

}  // namespace

TEST_CASE("gltf tangents: are read only if requested") {
  const GltfFile file = tangent_triangle();
  CHECK(load(file).rigs.at(0).mesh->tangents.empty());
  CHECK(tangents_of(file) == Floats{1, 0, 0, 1, 0, 1, 0, -1, 0.6F, 0.8F, 0, 1});
  CHECK(issue_count(load_wanted(file), "NORMALS_LEFT_OUT") == 1);  // of normals
  LoadOptions elsewhere = kWanted;
  elsewhere.tangents_are_kept = false;
  CHECK(issue_count(load_wanted(file, elsewhere), "NORMALS_LEFT_OUT") == 2);
}

TEST_CASE("gltf tangents: without normals they are ignored, and an issue reports it") {
  GltfFile file = tangent_triangle();
  attributes_of(file).erase("NORMAL");
  const Asset asset = load_wanted(file);
  CHECK(asset.rigs.at(0).mesh->tangents.empty());
  CHECK(issue_count(asset, "NORMALS_LEFT_OUT") == 1);
}

TEST_CASE("gltf tangents: a primitive without tangents may follow one with tangents") {
  GltfFile file = tangent_triangle();
  json& primitives = file.json["meshes"][0]["primitives"];
  primitives.insert(primitives.begin(), primitives[0]);
  primitives[0]["attributes"].erase("TANGENT");
  const Floats tangents = tangents_of(file);
  REQUIRE(tangents.size() == 24);
  CHECK(Floats(tangents.begin(), tangents.begin() + 12) == Floats(12));
  CHECK(tangents[19] == -1);
}

TEST_CASE("gltf tangents: tangents of morph targets have three axes") {
  GltfFile file = tangent_triangle();
  json& primitive = file.json["meshes"][0]["primitives"][0];
  primitive["targets"] = {{{"TANGENT", file.add<float>("VEC3", {0, 0, 0, 0, 0, 0, 1, 2, 3})}}};
  const Asset asset = load_wanted(file);
  const MorphTarget& target = asset.rigs.at(0).mesh->morph_targets.at(0);
  CHECK(target.tangents == Floats{0, 0, 0, 0, 0, 0, 1, 2, 3});
  CHECK(target.positions.empty());
  CHECK(load(file).rigs.at(0).mesh->morph_targets.at(0).tangents.empty());
  primitive["targets"][0]["TANGENT"] = primitive["attributes"]["TANGENT"];
  try {
    load_wanted(file);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == "ACCESSOR_FORMAT");
  }
}

TEST_CASE("gltf tangents: integers are read as fractions if the extension allows them") {
  GltfFile file = tangent_triangle();
  const int bytes =
      file.add<std::int8_t>("VEC4", {127, 0, 0, 127, 0, 127, 0, -127, 0, 0, -127, 127});
  file.json["accessors"].back()["normalized"] = true;
  attributes_of(file)["TANGENT"] = bytes;
  CHECK(code_of(file) == "ACCESSOR_FORMAT");
  file.json["extensionsUsed"] = file.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  CHECK(tangents_of(file) == Floats{1, 0, 0, 1, 0, 1, 0, -1, 0, 0, -1, 1});
  CHECK(issue_count(load_wanted(file), "TANGENTS_INVALID") == 0);
}

TEST_CASE("gltf tangents: accessors of a wrong format are refused") {
  GltfFile file = tangent_triangle();
  attributes_of(file)["TANGENT"] = file.add<float>("VEC4", {1, 0, 0, 1});
  CHECK(code_of(file) == "ACCESSOR_COUNT");
  attributes_of(file)["TANGENT"] = attributes_of(file)["NORMAL"];
  CHECK(code_of(file) == "ACCESSOR_FORMAT");
  attributes_of(file)["TANGENT"] = file.add<std::uint16_t>("VEC4", std::vector<std::uint16_t>(12));
  CHECK(code_of(file) == "ACCESSOR_FORMAT");
  file = tangent_triangle();
  file.json["accessors"].back()["byteOffset"] = 4;
  CHECK(code_of(file) == "ACCESSOR_OUT_OF_RANGE");
  attributes_of(file)["TANGENT"] = 99;
  CHECK_THROWS_AS(load_wanted(file), Error);
}

TEST_CASE(
    "gltf tangents: tangents that are not finite or do not have a sign are repaired and counted") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  GltfFile file = tangent_triangle();
  attributes_of(file)["TANGENT"] =
      file.add<float>("VEC4", {nan, 0, 0, -1, 0, 1, 0, 0.5F, 0, 1, 0, -0.25F});
  CHECK(tangents_of(file) == Floats{0, 0, 0, -1, 0, 1, 0, 1, 0, 1, 0, -1});
  CHECK(issue_count(load_wanted(file), "TANGENTS_INVALID") == 3);
  attributes_of(file)["TANGENT"] = file.add<float>("VEC4", {1, 0, 0, nan, 0, 1, 0, 0, 0, 1, 0, 1});
  CHECK(tangents_of(file) == Floats{1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(issue_count(load_wanted(file), "TANGENTS_INVALID") == 2);
}

TEST_CASE("gltf tangents: Draco streams may contain tangents") {
  GltfFile file = tangent_triangle();
  pack_primitive(file, 0, {0, 1, 2}, false);
  const Floats tangents = tangents_of(file);
  REQUIRE(tangents.size() == 12);
  CHECK(std::count(tangents.begin(), tangents.end(), 0.6F) == 1);
  CHECK(std::count(tangents.begin(), tangents.end(), -1.0F) == 1);
}

}  // namespace skinbake
