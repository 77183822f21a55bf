// One invalid field at a time: the code and the position of the error.

#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;
using nlohmann::json;

namespace {

std::string error_after(const std::function<void(json&)>& change) {
  GltfFile file = skinned_triangle();
  change(file.json);
  return error_of(file);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("bad file: an error names file, element, cause and position") {
  GltfFile file = skinned_triangle();
  file.json["accessors"][1]["count"] = 4;
  const TemporaryFile written("test.gltf", file.text());
  try {
    whole(load_asset(written.path()));
    FAIL("loaded");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.location().pointer == "/meshes/0/primitives/0/attributes/JOINTS_0");
    const std::string what = error.what();
    CHECK(what.starts_with(written.path() + " /meshes/0/primitives/0/attributes/JOINTS_0: "));
    CHECK(what.find("mesh 'Body' primitive 0, JOINTS_0 has 4 elements") != std::string::npos);
  }
}

TEST_CASE("bad file: a file that is not glTF 2.0 is refused") {
  CHECK_THROWS_WITH_AS(load_asset("/nowhere/at_all.glb"), doctest::Contains("does not exist"),
                       Error);
  CHECK_THROWS_WITH_AS(load_asset("/tmp"), doctest::Contains("not a regular file"), Error);
  for (const char* text :
       {"", "{", "[]", "null", "{}", "{\"asset\": 1}", "\xff\xfe", "glTF",
        "{\"asset\": {\"version\": \"1.0\"}}", "{\"asset\": {\"version\": \"2.\"}}",
        "version https://git-lfs.github.com/spec/v1"}) {
    CHECK_THROWS_AS(load_text(text), Error);
  }
  CHECK_THROWS_WITH_AS(load_text(std::string(12, '\0')), doctest::Contains("begins with 'glTF'"),
                       Error);
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  CHECK_THROWS_WITH_AS(load_text("{\"extras\": " + deep + "}"), doctest::Contains("nests"), Error);
}

TEST_CASE("bad file: wrong types and missing members are refused") {
  CHECK(error_after([](json& j) { j["meshes"] = 1; }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["meshes"][0] = nullptr; }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["meshes"][0].erase("primitives"); }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["nodes"][2]["translation"] = {1, 2}; }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["nodes"][0]["mesh"] = -1; }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["nodes"][0]["mesh"] = 0.5; }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["nodes"][0]["mesh"] = "0"; }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["accessors"][0]["count"] = 1e300; }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["bufferViews"][0]["byteStride"] = 3; }) == "SCHEMA_VIOLATION");
  CHECK(error_after([](json& j) { j["meshes"][0]["primitives"][0]["mode"] = 7; }) ==
        "SCHEMA_VIOLATION");
}

TEST_CASE("bad file: references to missing elements are refused") {
  for (const char* pointer :
       {"/nodes/0/mesh", "/nodes/0/skin", "/nodes/1/children/0", "/skins/0/joints/1",
        "/scenes/0/nodes/0", "/accessors/0/bufferView", "/bufferViews/0/buffer",
        "/meshes/0/primitives/0/attributes/POSITION"}) {
    CAPTURE(pointer);
    CHECK(error_after([&](json& j) { j[json::json_pointer(pointer)] = 99; }) ==
          "REFERENCE_INVALID");
  }
}

TEST_CASE("bad file: views and accessors past their bytes are refused") {
  const auto with = [](const char* pointer, std::uint64_t value) {
    return error_after([&](json& j) { j[json::json_pointer(pointer)] = value; });
  };
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 53;
  CHECK(with("/bufferViews/0/byteOffset", kHuge) == "BUFFER_VIEW_OUT_OF_RANGE");
  CHECK(with("/bufferViews/0/byteLength", kHuge) == "BUFFER_VIEW_OUT_OF_RANGE");
  CHECK(with("/accessors/0/byteOffset", 4) == "ACCESSOR_OUT_OF_RANGE");
  CHECK(with("/accessors/0/byteOffset", kHuge) == "ACCESSOR_OUT_OF_RANGE");
  CHECK(with("/accessors/0/count", 4) == "ACCESSOR_OUT_OF_RANGE");
  CHECK(with("/accessors/0/count", kHuge) == "MESH_TOO_LARGE");
  CHECK(with("/accessors/0/count", 0) == "ACCESSOR_FORMAT");
  CHECK(with("/accessors/0/componentType", kU8) == "ACCESSOR_FORMAT");
  CHECK(with("/accessors/0/componentType", 5124) == "ACCESSOR_FORMAT");
  CHECK(with("/accessors/1/componentType", kFloat) == "ACCESSOR_FORMAT");
}

TEST_CASE("bad file: a declared count without bytes allocates nothing") {
  GltfFile file = skinned_triangle();
  file.json["accessors"][0].erase("bufferView");
  file.json["accessors"][0]["count"] = 600'000'000;
  CHECK(error_of(file) == "MESH_TOO_LARGE");
}

TEST_CASE("bad file: indices out of range are refused") {
  GltfFile file = skinned_triangle();
  file.json["meshes"][0]["primitives"][0]["indices"] = file.add<std::uint8_t>("SCALAR", {0, 1, 3});
  CHECK(error_of(file) == "INDEX_OUT_OF_RANGE");
}

TEST_CASE("bad file: joints out of range are refused only if they have weight") {
  GltfFile file = skinned_triangle();
  auto& joints = file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"];
  joints = file.add<std::uint8_t>("VEC4", {0, 1, 255, 0, 0, 1, 0, 9, 1, 0, 0, 0});
  CHECK(error_of(file).empty());
  joints = file.add<std::uint8_t>("VEC4", {0, 2, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0});
  CHECK(error_of(file) == "JOINT_OUT_OF_RANGE");
}

TEST_CASE("bad file: numbers that are not finite are refused") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["WEIGHTS_0"] = file.add<float>("VEC4", {kNan, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  CHECK(error_of(file) == "VALUE_NOT_FINITE");
  file = skinned_triangle();
  file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] =
      file.add<float>("VEC3", {0, 0, 0, 0, HUGE_VALF, 0, 0, 0, 0});
  CHECK(error_of(file) == "VALUE_NOT_FINITE");
  file = skinned_triangle();
  file.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] =
      file.add<float>("VEC3", {kNan, kNan, kNan, 0, 1, 0, 0, 1, 0});
  CHECK(issue_count(load(file), "NORMALS_NOT_FINITE") == 1);
}

TEST_CASE("bad file: negative, zero and missing weights are repaired") {
  GltfFile file = skinned_triangle();
  auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["WEIGHTS_0"] = file.add<float>("VEC4", {-1, 1, 0, 0, 0, 0, 0, 0, 0.5f, 0, 0, 0});
  Asset asset = load(file);
  CHECK(issue_count(asset, "WEIGHTS_NEGATIVE") == 1);
  CHECK(issue_count(asset, "WEIGHTS_ZERO") == 1);
  CHECK(issue_count(asset, "WEIGHTS_RENORMALISED") == 1);
  CHECK(asset.rigs[0].influences_of(0)[0].joint == 1);
  CHECK(asset.rigs[0].influences_of(1)[0].joint == 0);
  attributes.erase("WEIGHTS_0");
  asset = load(file);
  CHECK(issue_count(asset, "WEIGHTS_MISSING") == 1);
  CHECK(asset.rigs[0].influences_of(2)[0].joint == 1);
}

TEST_CASE("bad file: cycles, second parents and projective matrices are refused") {
  CHECK(error_after([](json& j) { j["nodes"][2]["children"] = {1}; }) == "NODE_CYCLE");
  CHECK(error_after([](json& j) { j["nodes"][2]["children"] = {2}; }) == "NODE_PARENTS");
  CHECK(error_after([](json& j) { j["nodes"][0]["children"] = {2}; }) == "NODE_PARENTS");
  CHECK(error_after([](json& j) {
          j["nodes"][1]["matrix"] = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        }) == "MATRIX_NOT_AFFINE");
  GltfFile chain = skinned_triangle();  // deep, but valid
  for (int i = 3; i < 20000; ++i) {
    chain.json["nodes"][i - 1]["children"] = {i};
    chain.json["nodes"].push_back(json::object());
  }
  CHECK(error_of(chain).empty());
}

TEST_CASE("bad file: missing, short and foreign buffers are refused") {
  const auto with_uri = [](const std::string& uri) {
    return error_after([&](json& j) { j["buffers"] = {{{"byteLength", 200}, {"uri", uri}}}; });
  };
  CHECK(with_uri("not_there.bin") == "BUFFER_MISSING");
  for (const char* uri :
       {"/etc/hostname", "../x.bin", "a/../../x.bin", "%2e%2e/x.bin", "%2Fetc/hostname"}) {
    CAPTURE(uri);
    CHECK(with_uri(uri) == "URI_REFUSED");
  }
  for (const char* uri :
       {"file:///etc/hostname", "http://example.com/x.bin", "C:/x.bin", "%00", "%4", ""}) {
    CAPTURE(uri);
    CHECK(with_uri(uri) == "URI_INVALID");
  }
  CHECK(with_uri("data:;base64,AA==") == "BUFFER_TOO_SHORT");
  CHECK(with_uri("data:;base64,A*==") == "URI_INVALID");
  CHECK(with_uri("data:;base64") == "URI_INVALID");
  CHECK(error_after([](json& j) { j["buffers"] = {{{"byteLength", 200}}}; }) == "BUFFER_MISSING");
}

TEST_CASE("bad file: unsupported extensions that change geometry are refused") {
  CHECK(error_after([](json& j) { j["extensionsRequired"] = {"ACME_anvil"}; }) ==
        "EXTENSION_UNSUPPORTED");
  CHECK(error_after([](json& j) {
          j["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"] = json::object();
        }) == "INSTANCING_UNSUPPORTED");
}
