// NORMAL of primitives and of their morph targets.

#include <doctest/doctest.h>

#include <limits>

#include "support/gltf/gltf_file.h"
#include "support/gltf/packed.h"

namespace skinbake {
namespace {

using namespace skinbake::test;
using nlohmann::json;
using Floats = std::vector<float>;

// A mesh of triangles; each has NORMAL if `normals` is not empty.
GltfFile triangles(const std::vector<Floats>& normals) {
  GltfFile file = skinned_triangle();
  json& primitives = file.json["meshes"][0]["primitives"];
  const json bare = primitives[0];
  primitives.clear();
  for (const Floats& some : normals) {
    primitives.push_back(bare);
    if (!some.empty()) primitives.back()["attributes"]["NORMAL"] = file.add<float>("VEC3", some);
  }
  return file;
}

// The pointers of the primitives that NORMALS_MISSING names.
std::vector<std::string> missing(const Asset& asset) {
  std::vector<std::string> pointers;
  for (const Issue& issue : asset.issues) {
    if (issue.code == "NORMALS_MISSING") pointers.push_back(issue.pointer);
  }
  return pointers;
}

const Floats kUp{0, 0, 1, 0, 0, 1, 0, 0, 1}, kNone(9);

Floats joined(const Floats& a, const Floats& b) {
  Floats both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

}  // namespace

TEST_CASE("gltf normals: each primitive without them is named, and the others keep theirs") {
  const Asset asset = load(triangles({kUp, {}, kUp, {}}));
  CHECK(asset.rigs.at(0).mesh->normals == joined(joined(kUp, kNone), joined(kUp, kNone)));
  CHECK(missing(asset) ==
        std::vector<std::string>{"/meshes/0/primitives/1", "/meshes/0/primitives/3"});
}

TEST_CASE("gltf normals: of a mesh without any, the first primitive is named") {
  const Asset asset = load(triangles({{}, {}}));
  CHECK(asset.rigs.at(0).mesh->normals.empty());
  CHECK(missing(asset) == std::vector<std::string>{"/meshes/0/primitives/0"});
}

TEST_CASE("gltf normals: a target displaces only the normals of a primitive that has some") {
  GltfFile file = triangles({{}, kUp});
  for (json& primitive : file.json["meshes"][0]["primitives"]) {
    const int zeros = file.add<float>("VEC3", kNone);
    primitive["targets"] = {{{"POSITION", zeros}, {"NORMAL", file.add<float>("VEC3", kUp)}}};
  }
  const Asset asset = load(file);
  CHECK(asset.rigs.at(0).mesh->normals == joined(kNone, kUp));
  CHECK(asset.rigs.at(0).mesh->morph_targets.at(0).normals == joined(kNone, kUp));
}

TEST_CASE("gltf normals: tangents of a primitive without normals do not count") {
  GltfFile file = triangles({{}, kUp});
  const Floats right{1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, -1};
  for (json& primitive : file.json["meshes"][0]["primitives"]) {
    primitive["attributes"]["TANGENT"] = file.add<float>("VEC4", right);
  }
  const LoadOptions options{.materials = true, .tangents = true, .tangents_are_kept = true};
  const Asset asset = load_asset(TemporaryFile("test.gltf", file.text()).path(), options);
  CHECK(asset.rigs.at(0).mesh->tangents == joined(Floats(12), right));
  std::size_t named = 0;
  for (const Issue& issue : asset.issues) {
    named += issue.pointer == "/meshes/0/primitives/0/attributes/TANGENT" &&
             issue.message.find("the primitive is read without normals") != std::string::npos;
  }
  CHECK(named == 1);
}

TEST_CASE("gltf normals: a primitive whose normals are all NaN does not have normals") {
  const Floats bad(9, std::numeric_limits<float>::quiet_NaN());
  const Asset asset = load(triangles({bad, kUp}));
  CHECK(asset.rigs.at(0).mesh->normals == joined(kNone, kUp));
  CHECK(issue_count(asset, "NORMALS_NOT_FINITE") == 3);
  CHECK(missing(asset).empty());
}

}  // namespace skinbake
