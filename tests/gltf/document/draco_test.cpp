// KHR_draco_mesh_compression: valid, wrong and damaged streams.

#include <doctest/doctest.h>

#include "support/gltf/gltf_shared_assets.h"
#include "support/gltf/packed.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

using nlohmann::json;

// Two triangles of four vertices and two joints.
GltfFile square() {
  GltfFile file;
  const int position = file.add<float>("VEC3", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.3f});
  const int joints =
      file.add<std::uint16_t>("VEC4", {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0});
  const int weights =
      file.add<float>("VEC4", {0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 0.3f, 0.7f, 0, 0, 1, 0, 0, 0});
  file.json["meshes"] = {
      {{"primitives",
        {{{"attributes",
           {{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}}}}}};
  file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"children", {2}}}, json::object()};
  file.json["skins"] = {{{"joints", {1, 2}}}};
  return file;
}

const std::vector<std::uint32_t> kSquare{0, 1, 2, 0, 2, 3};

std::string error_after_byte(bool edgebreaker, std::size_t index, char value) {
  GltfFile file = square();
  const Packed packed = pack_primitive(file, 0, kSquare, edgebreaker);
  file.bytes[packed.offset + index] = value;
  return error_of(file);
}

}  // namespace

TEST_CASE(
    "draco: primitives compressed without quantisation decode to the original, in any order") {
  const Rig plain = load(square()).rigs.at(0);
  for (const bool edgebreaker : {false, true}) {
    CAPTURE(edgebreaker);
    GltfFile file = square();
    pack_primitive(file, 0, kSquare, edgebreaker);
    const Rig packed = load(file).rigs.at(0);
    REQUIRE(packed.mesh->vertex_count() == 4);
    CHECK(packed.mesh->triangles.size() == 2);
    for (std::size_t v = 0; v < 4; ++v) {
      const float* p = &packed.mesh->positions[3 * v];
      std::size_t same = 0;
      while (same < 4 && !std::equal(p, p + 3, &plain.mesh->positions[3 * same])) ++same;
      REQUIRE(same < 4);
      const auto expected = plain.influences_of(static_cast<VertexIndex>(same));
      const auto found = packed.influences_of(static_cast<VertexIndex>(v));
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].joint == expected[i].joint);
        CHECK(found[i].weight == expected[i].weight);
      }
    }
  }
}

TEST_CASE("draco: a compressed strip decodes to a list of triangles") {
  GltfFile file = square();
  pack_primitive(file, 0, kSquare, true);
  file.json["meshes"][0]["primitives"][0]["mode"] = 5;
  CHECK(load(file).rigs.at(0).mesh->triangles.size() == 2);
  file.json["meshes"][0]["primitives"][0]["mode"] = 1;
  CHECK(error_of(file) == "DRACO_INVALID");
}

TEST_CASE("draco: counts greater than the accessors' counts are refused before allocation") {
  for (const bool edgebreaker : {false, true}) {
    CAPTURE(edgebreaker);
    GltfFile file = square();
    pack_primitive(file, 0, kSquare, edgebreaker);
    GltfFile less = file;
    less.json["accessors"].back()["count"] = 3;
    CHECK(error_of(less) == "DRACO_INVALID");
    for (const int count : {3, 5}) {
      GltfFile other = file;
      other.json["accessors"][0]["count"] = count;
      CHECK(error_of(other) == "DRACO_INVALID");
    }
    file.json["meshes"][0]["primitives"][0].erase("indices");  // now only memory limits the faces
    CHECK(error_of(file).empty());
  }
  // The number of faces follows the header of 11 bytes and, for the edgebreaker, its traversal and
  // the number of vertices.
  CHECK(error_after_byte(false, 11, '\x7F') == "DRACO_INVALID");
  CHECK(error_after_byte(true, 12, '\x7F') == "DRACO_INVALID");
  CHECK(error_after_byte(true, 13, '\x7F') == "DRACO_INVALID");
}

TEST_CASE("draco: a stream of fewer triangles than its accessor is read with a warning") {
  GltfFile file = square();
  pack_primitive(file, 0, kSquare, true);
  CHECK(issue_count(load(file), "DRACO_TRIANGLES_FEWER") == 0);
  file.json["accessors"].back()["count"] = 300;
  const Asset asset = load(file);
  CHECK(asset.rigs.at(0).mesh->triangles.size() == 2);
  CHECK(issue_count(asset, "DRACO_TRIANGLES_FEWER") == 1);
  file.json["meshes"][0]["primitives"][0]["mode"] = 5;  // a strip has degenerate triangles
  CHECK(issue_count(load(file), "DRACO_TRIANGLES_FEWER") == 0);
}

TEST_CASE("draco: a sparse accessor of a compressed primitive is refused") {
  GltfFile file = square();
  pack_primitive(file, 0, kSquare, true);
  const json sparse = {{"count", 1},
                       {"indices", {{"bufferView", 0}, {"componentType", 5121}}},
                       {"values", {{"bufferView", 0}}}};
  const json& primitive = file.json["meshes"][0]["primitives"][0];
  for (const json& accessor : {primitive["attributes"]["POSITION"], primitive["indices"]}) {
    GltfFile changed = file;
    changed.json["accessors"][accessor.get<std::size_t>()]["sparse"] = sparse;
    CHECK(error_of(changed) == "ACCESSOR_FORMAT");
  }
}

TEST_CASE("draco: a damaged stream decodes or is refused") {
  int refused = 0;
  for (const bool edgebreaker : {false, true}) {
    GltfFile file = square();
    const Packed packed = pack_primitive(file, 0, kSquare, edgebreaker);
    for (std::size_t i = 0; i < packed.size; ++i) {
      GltfFile damaged = file;
      damaged.bytes[packed.offset + i] = static_cast<char>(damaged.bytes[packed.offset + i] ^ 0xFF);
      refused += !error_of(damaged).empty();
      if (i % 4 != 0) continue;
      damaged = file;
      damaged.json["bufferViews"].back()["byteLength"] = i;
      CHECK(!error_of(damaged).empty());
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("draco: an attribute missing in the stream is refused") {
  GltfFile file = square();
  pack_primitive(file, 0, kSquare, true);
  auto& extension =
      file.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
  extension["attributes"]["WEIGHTS_0"] = 99;
  CHECK(error_of(file) == "DRACO_INVALID");
  extension["attributes"]["WEIGHTS_0"] = -1;
  CHECK(error_of(file) == "SCHEMA_VIOLATION");
  extension["attributes"].erase("WEIGHTS_0");  // the accessor's zeros are used instead
  CHECK(issue_count(load(file), "WEIGHTS_ZERO") == 4);
}

TEST_CASE("draco: a file of another encoder equals its decoded copy") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  const Asset packed = load_asset(folder + "two_triangles/two_triangles_draco.glb");
  const Asset plain = load_asset(folder + "two_triangles/two_triangles_draco_decoded.glb");
  REQUIRE(packed.rigs.size() == plain.rigs.size());
  for (std::size_t r = 0; r < plain.rigs.size(); ++r) {
    CHECK(packed.rigs[r].mesh->positions == plain.rigs[r].mesh->positions);
    CHECK(packed.rigs[r].mesh->normals == plain.rigs[r].mesh->normals);
    CHECK(packed.rigs[r].mesh->triangles == plain.rigs[r].mesh->triangles);
    CHECK(packed.rigs[r].first_influence == plain.rigs[r].first_influence);
  }
}
