// KHR_mesh_quantization: integers for positions, normals and morph deltas.

#include <doctest/doctest.h>

#include <algorithm>

#include "skinbake/bake.h"
#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

GltfFile quantised_triangle() {
  GltfFile file = skinned_triangle();
  file.json["extensionsUsed"] = {"KHR_mesh_quantization"};
  file.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  return file;
}

// The positions of the triangle from an accessor of VEC3, normalised or not.
template <class T>
std::vector<float> positions_from(const std::vector<T>& values, bool normalised) {
  GltfFile file = quantised_triangle();
  const int accessor = file.add<T>("VEC3", values);
  file.json["accessors"][static_cast<std::size_t>(accessor)]["normalized"] = normalised;
  file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = accessor;
  return load(file).rigs.at(0).mesh->positions;
}

}  // namespace

TEST_CASE("quantisation: integers are read as numbers, or as fractions if normalised") {
  const std::vector<float> whole{0, 1, -128, 127, 0, 0, 5, 6, 7};
  CHECK(positions_from<std::int8_t>({0, 1, -128, 127, 0, 0, 5, 6, 7}, false) == whole);
  const std::vector<float> bytes =
      positions_from<std::int8_t>({0, 1, -128, 127, 0, 0, 5, 6, 7}, true);
  CHECK(bytes[1] == 1.0f / 127);
  CHECK(bytes[2] == -1);
  CHECK(bytes[3] == 1);
  CHECK(positions_from<std::uint8_t>({255, 1, 0, 0, 0, 0, 0, 0, 0}, true)[0] == 1);
  CHECK(positions_from<std::uint8_t>({255, 1, 0, 0, 0, 0, 0, 0, 0}, false)[0] == 255);
  const std::vector<float> shorts =
      positions_from<std::int16_t>({-32768, 32767, 1, 0, 0, 0, 0, 0, 0}, true);
  CHECK(shorts[0] == -1);
  CHECK(shorts[1] == 1);
  CHECK(shorts[2] == 1.0f / 32767);
  CHECK(positions_from<std::int16_t>({-32768, 0, 0, 0, 0, 0, 0, 0, 0}, false)[0] == -32768);
  CHECK(positions_from<std::uint16_t>({65535, 3, 0, 0, 0, 0, 0, 0, 0}, true)[1] == 3.0f / 65535);
  CHECK(positions_from<std::uint16_t>({65535, 3, 0, 0, 0, 0, 0, 0, 0}, false)[0] == 65535);
}

TEST_CASE(
    "quantisation: normals and morph deltas may be integers, with padded strides and sparse "
    "parts") {
  GltfFile file = quantised_triangle();
  auto& primitive = file.json["meshes"][0]["primitives"][0];
  const int normal = file.add<std::int8_t>("VEC3", {0, 0, 127, 99, 127, 0, 0, 99, 0, -127, 0, 99});
  auto& accessors = file.json["accessors"];
  accessors.back()["normalized"] = true;
  accessors.back()["count"] = 3;
  file.json["bufferViews"].back()["byteStride"] = 4;
  primitive["attributes"]["NORMAL"] = normal;
  const int indices = file.add_view<std::uint8_t>({1});
  const int values = file.add_view<std::int16_t>({-7, 8, 9});
  accessors.push_back({{"componentType", kShort},
                       {"count", 3},
                       {"type", "VEC3"},
                       {"sparse",
                        {{"count", 1},
                         {"indices", {{"bufferView", indices}, {"componentType", kU8}}},
                         {"values", {{"bufferView", values}}}}}});
  primitive["targets"] = {{{"POSITION", accessors.size() - 1}, {"NORMAL", normal}}};
  const Rig rig = load(file).rigs.at(0);
  CHECK(rig.mesh->normals == std::vector<float>{0, 0, 1, 1, 0, 0, 0, -1, 0});
  CHECK(rig.mesh->morph_targets.at(0).positions == std::vector<float>{0, 0, 0, -7, 8, 9, 0, 0, 0});
  CHECK(rig.mesh->morph_targets.at(0).normals == rig.mesh->normals);
}

TEST_CASE("quantisation: integers require the extension") {
  GltfFile file = skinned_triangle();
  file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] =
      file.add<std::int16_t>("VEC3", std::vector<std::int16_t>(9));
  CHECK(error_of(file) == "ACCESSOR_FORMAT");
  file.json["extensionsUsed"] = {"KHR_mesh_quantization"};
  CHECK(error_of(file).empty());
}

TEST_CASE("quantisation: a dequantisation in the inverse bind matrices is a common scale") {
  // Positions are integers 0 … 1000. Every joint's inverse bind matrix scales them by 1/1000. Each
  // method gives the same result as for positions in metres.
  const auto posed = [](bool quantised, const char* method) {
    GltfFile file = skinned_triangle();
    const float unit = quantised ? 0.001f : 1.0f;
    std::vector<float> matrices;
    for (const float y : {0.0f, -1.0f}) {
      matrices.insert(matrices.end(), {unit, 0, 0, 0, 0, unit, 0, 0, 0, 0, unit, 0, 0, y, 0, 1});
    }
    file.json["skins"][0]["inverseBindMatrices"] = file.add<float>("MAT4", matrices);
    if (quantised) {
      file.json["extensionsUsed"] = {"KHR_mesh_quantization"};
      file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] =
          file.add<std::uint16_t>("VEC3", {0, 0, 0, 1000, 0, 0, 0, 1000, 0});
    }
    file.json["nodes"][2]["rotation"] = {0.6, 0, 0, 0.8};
    const Asset asset = load(file);
    return pose_positions(asset.rigs.at(0), {}, parse_method(method));
  };
  for (const char* method : {"lbs", "dqs"}) {
    CAPTURE(method);
    const auto plain = posed(false, method), quantised = posed(true, method);
    REQUIRE(plain.size() == quantised.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      CHECK(quantised[i] == doctest::Approx(plain[i]).epsilon(1e-6));
    }
    CHECK(*std::max_element(plain.begin(), plain.end()) > 0.5);
  }
}
