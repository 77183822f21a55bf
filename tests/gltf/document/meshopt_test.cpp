// EXT_meshopt_compression: every mode and filter, and wrong streams.

#include <doctest/doctest.h>
#include <meshoptimizer.h>

#include <cmath>

#include "support/gltf/packed.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

using nlohmann::json;

// The triangle with indices; its views are 0 positions, 1 joints, 2 weights, 3 indices.
GltfFile indexed_triangle() {
  GltfFile file = skinned_triangle();
  file.json["meshes"][0]["primitives"][0]["indices"] = file.add<std::uint16_t>("SCALAR", {0, 2, 1});
  return file;
}

GltfFile packed_triangle(const std::string& index_mode) {
  GltfFile file = indexed_triangle();
  pack_view(file, 0, {"ATTRIBUTES", 12});
  pack_view(file, 1, {"ATTRIBUTES", 4});
  pack_view(file, 2, {"ATTRIBUTES", 16});
  pack_view(file, 3, {index_mode, 2});
  finish_packing(file);
  return file;
}

// The code of the error after a change to the JSON of the packed positions, or of their bytes.
template <class Change>
std::string error_after_packing(const Change& change) {
  GltfFile file = indexed_triangle();
  const Packed packed = pack_view(file, 0, {"ATTRIBUTES", 12});
  change(file.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"],
         file.bytes[packed.offset]);
  finish_packing(file);
  return error_of(file);
}

// Normals of a mesh of as many vertices, packed with the octahedral filter.
std::vector<float> filtered_normals(const std::string& bytes, std::size_t stride, int type) {
  GltfFile file;
  const std::size_t count = bytes.size() / stride;
  const int position = file.add<float>("VEC3", std::vector<float>(3 * count));
  add_packed_view(file, bytes, {"ATTRIBUTES", stride}, "OCTAHEDRAL");
  file.json["bufferViews"].back()["byteStride"] = stride;
  file.json["accessors"].push_back({{"bufferView", 1},
                                    {"componentType", type},
                                    {"normalized", true},
                                    {"count", count},
                                    {"type", "VEC3"}});
  file.json["meshes"] = {
      {{"primitives", {{{"attributes", {{"POSITION", position}, {"NORMAL", 1}}}, {"mode", 0}}}}}};
  file.json["nodes"] = {{{"mesh", 0}}};
  finish_packing(file);
  file.json["extensionsUsed"].push_back("KHR_mesh_quantization");
  return load(file).rigs.at(0).mesh->normals;
}

constexpr float kNormals[12] = {0, 0, 1, 0, 0.6f, 0, -0.8f, 0, -0.36f, 0.48f, -0.8f, 0};

// Keys of one channel, packed with a filter.
std::vector<double> filtered_keys(const std::string& bytes, std::size_t stride,
                                  const std::string& filter, int type, const std::string& path) {
  GltfFile file = skinned_triangle();
  const int times = file.add<float>("SCALAR", {0, 1});
  add_packed_view(file, bytes, {"ATTRIBUTES", stride}, filter);
  file.json["accessors"].push_back({{"bufferView", file.json["bufferViews"].size() - 1},
                                    {"componentType", type},
                                    {"normalized", type != kFloat},
                                    {"count", 2},
                                    {"type", path == "rotation" ? "VEC4" : "VEC3"}});
  file.json["animations"] = {
      {{"samplers", {{{"input", times}, {"output", file.json["accessors"].size() - 1}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", path}}}}}}}};
  finish_packing(file);
  return *load(file).clips.at(0).channels.at(0).values;
}

}  // namespace

TEST_CASE("meshopt: views compressed without a filter decode to the original") {
  const Rig plain = load(indexed_triangle()).rigs.at(0);
  for (const char* mode : {"TRIANGLES", "INDICES"}) {
    CAPTURE(mode);
    const Rig packed = load(packed_triangle(mode)).rigs.at(0);
    CHECK(packed.mesh->positions == plain.mesh->positions);
    CHECK(packed.influences.size() == plain.influences.size());
    CHECK(packed.influences[2].weight == 0.75);
    REQUIRE(packed.mesh->triangles.size() == 1);
    CHECK(packed.mesh->triangles[0][0] + packed.mesh->triangles[0][1] == 2);  // 0 2 1, or turned
  }
}

TEST_CASE("meshopt: a fallback buffer is read only if an uncompressed view uses it") {
  GltfFile file = packed_triangle("INDICES");
  file.json["buffers"][1]["uri"] = "not_there.bin";
  CHECK(error_of(file).empty());
  file.json["bufferViews"][1].erase("extensions");
  CHECK(error_of(file) == "BUFFER_MISSING");
}

TEST_CASE("meshopt: the fallback buffer of a GLB does not have bytes") {
  const GltfFile file = packed_triangle("TRIANGLES");
  const TemporaryFile packed("packed.glb", file.glb());
  CHECK(load_asset(packed.path()).rigs.at(0).mesh->positions ==
        load(indexed_triangle()).rigs.at(0).mesh->positions);
}

TEST_CASE("meshopt: octahedral normals of 8 bits are equal on every processor") {
  std::string bytes(12, '\0');
  meshopt_encodeFilterOct(bytes.data(), 3, 4, 8, kNormals);
  const std::vector<float> normals = filtered_normals(bytes, 4, kByte);
  for (std::size_t v = 0; v < 3; ++v) {
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(std::abs(normals[3 * v + c] - kNormals[4 * v + c]) <= 1.5f / 127);
      CHECK(normals[3 * v + c] * 127 == doctest::Approx(std::round(normals[3 * v + c] * 127)));
    }
  }
  CHECK(normals[2] == 1);
}

TEST_CASE("meshopt: the octahedral filter of 8 bits rounds the exact unit vector") {
  // All vectors of 6 bits are compared with the definition in double; zeros are undefined.
  std::string bytes(4, '\0');
  for (int x = -31; x <= 31; ++x) {
    for (int y = -31; y <= 31; ++y) {
      bytes += {static_cast<char>(x), static_cast<char>(y), 31, 0};
    }
  }
  const std::vector<float> normals = filtered_normals(bytes, 4, kByte);
  CHECK(normals[0] == 0);
  double largest = 0;
  for (std::size_t v = 1; v < normals.size() / 3; ++v) {
    double x = static_cast<std::int8_t>(bytes[4 * v]) / 31.0;
    double y = static_cast<std::int8_t>(bytes[4 * v + 1]) / 31.0;
    const double z = 1 - std::abs(x) - std::abs(y), fold = std::max(-z, 0.0);
    x -= std::copysign(fold, x), y -= std::copysign(fold, y);
    const double length = std::sqrt(x * x + y * y + z * z);
    const double exact[] = {x / length, y / length, z / length};
    for (std::size_t c = 0; c < 3; ++c) {
      largest = std::max(largest, std::abs(normals[3 * v + c] - exact[c]) * 127);
    }
  }
  CHECK(largest <= 0.5001);
  CHECK(largest > 0.4);
}

TEST_CASE("meshopt: octahedral normals of 16 bits are decoded") {
  std::string bytes(24, '\0');
  meshopt_encodeFilterOct(bytes.data(), 3, 8, 16, kNormals);
  const std::vector<float> normals = filtered_normals(bytes, 8, kShort);
  for (std::size_t v = 0; v < 3; ++v) {
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(std::abs(normals[3 * v + c] - kNormals[4 * v + c]) <= 2.0f / 32767);
    }
  }
}

TEST_CASE("meshopt: quaternions and floats with a common exponent are decoded") {
  const float turns[8] = {0.6f, 0, 0, 0.8f, 0.5f, -0.5f, 0.5f, 0.5f};
  std::string bytes(16, '\0');
  meshopt_encodeFilterQuat(bytes.data(), 2, 8, 16, turns);
  const std::vector<double> q = filtered_keys(bytes, 8, "QUATERNION", kShort, "rotation");
  for (std::size_t k = 0; k < 2; ++k) {
    double dot = 0;
    for (std::size_t c = 0; c < 4; ++c) dot += q[4 * k + c] * turns[4 * k + c];
    CHECK(std::abs(dot) == doctest::Approx(1).epsilon(1e-7));
  }
  const float steps[6] = {1.5f, -2, 0.25f, 1000, 0.5f, -0.125f};
  bytes.assign(24, '\0');
  meshopt_encodeFilterExp(bytes.data(), 2, 12, 24, steps);
  const std::vector<double> t = filtered_keys(bytes, 12, "EXPONENTIAL", kFloat, "translation");
  for (std::size_t i = 0; i < 6; ++i) CHECK(t[i] == steps[i]);
}

TEST_CASE("meshopt: wrong counts, strides and streams are refused") {
  CHECK(error_after_packing([](json&, char&) {}).empty());
  const auto with = [](const char* member, const json& value) {
    return error_after_packing([&](json& extension, char&) { extension[member] = value; });
  };
  CHECK(with("count", 400) == "MESHOPT_INVALID");
  CHECK(with("count", std::uint64_t{1} << 50) == "MESHOPT_INVALID");
  CHECK(with("count", 2) == "ACCESSOR_OUT_OF_RANGE");
  CHECK(with("count", 0) == "ACCESSOR_OUT_OF_RANGE");
  CHECK(with("byteStride", 0) == "MESHOPT_INVALID");
  CHECK(with("byteStride", 10) == "MESHOPT_INVALID");
  CHECK(with("byteStride", 260) == "MESHOPT_INVALID");
  CHECK(with("mode", "VERTICES") == "MESHOPT_INVALID");
  CHECK(with("mode", "TRIANGLES") == "MESHOPT_INVALID");
  CHECK(with("mode", "INDICES") == "MESHOPT_INVALID");
  CHECK(with("filter", "BLUR") == "MESHOPT_INVALID");
  CHECK(with("filter", "QUATERNION") == "MESHOPT_INVALID");
  CHECK(with("filter", "OCTAHEDRAL") == "MESHOPT_INVALID");
  CHECK(with("filter", "NONE").empty());
  CHECK(with("byteOffset", 1 << 20) == "BUFFER_VIEW_OUT_OF_RANGE");
  CHECK(with("byteLength", 1 << 20) == "BUFFER_VIEW_OUT_OF_RANGE");
  CHECK(with("byteLength", 0) == "MESHOPT_INVALID");
  CHECK(with("buffer", 7) == "REFERENCE_INVALID");
  CHECK(with("count", -1) == "SCHEMA_VIOLATION");
  CHECK(error_after_packing([](json&, char& first) { first = '\x55'; }) == "MESHOPT_INVALID");
}

TEST_CASE("meshopt: KHR_meshopt_compression is decoded up to the library's version") {
  GltfFile file = indexed_triangle();
  const Packed packed = pack_view(file, 0, {"ATTRIBUTES", 12, "KHR_meshopt_compression"});
  finish_packing(file);
  file.json["extensionsUsed"] = file.json["extensionsRequired"] = {"KHR_meshopt_compression"};
  CHECK(load(file).rigs.at(0).mesh->positions[3] == 1);
  file.bytes[packed.offset] = '\xA1';  // the next version of the vertex codec
  file.json["buffers"][0]["uri"] = file.data_uri();
  CHECK(error_of(file) == "EXTENSION_UNSUPPORTED");
  file.json["bufferViews"][0]["extensions"]["KHR_meshopt_compression"]["filter"] = "COLOR";
  CHECK(error_of(file) == "EXTENSION_UNSUPPORTED");
}

TEST_CASE("meshopt: a damaged stream is not read past its end") {
  GltfFile file = indexed_triangle();
  const Packed packed = pack_view(file, 2, {"ATTRIBUTES", 16});
  int loaded = 0, refused = 0;
  for (std::size_t i = 0; i < packed.size; ++i) {
    GltfFile damaged = file;
    damaged.bytes[packed.offset + i] = static_cast<char>(damaged.bytes[packed.offset + i] ^ 0x5A);
    finish_packing(damaged);
    (error_of(damaged).empty() ? loaded : refused) += 1;
  }
  CHECK(loaded + refused == static_cast<int>(packed.size));
  CHECK(refused > 0);
}
