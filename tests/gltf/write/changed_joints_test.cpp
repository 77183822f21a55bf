// Rigs that are written again with other influences and with helper joints.

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "gltf/write/added_bytes.h"
#include "gltf/write/rig_file.h"
#include "math/scalar.h"
#include "skinbake/bake.h"
#include "support/gltf/gltf_file.h"
#include "support/gltf/packed.h"
#include "support/gltf/parsed_glb.h"
#include "support/near.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;
using nlohmann::json;

namespace {

// Two nodes that share a mesh of two vertices, with two sets of influences, and a skin of two
// joints; one animation of the second joint.
GltfFile two_skinned_nodes() {
  GltfFile file;
  const int positions = file.add<float>("VEC3", {1, 0, 0, 0, 2, 0});
  file.json["accessors"][positions]["min"] = {0, 0, 0};
  file.json["accessors"][positions]["max"] = {1, 2, 0};
  const int joints = file.add<std::uint8_t>("VEC4", {0, 1, 0, 0, 1, 0, 0, 0});
  const int weights = file.add<float>("VEC4", {0.5f, 0.5f, 0, 0, 1, 0, 0, 0});
  const int none = file.add<float>("VEC4", {0, 0, 0, 0, 0, 0, 0, 0});
  const int times = file.add<float>("SCALAR", {0, 1});
  const int moves = file.add<float>("VEC3", {0, 0, 0, 0, 0, 4});
  file.json["meshes"] = {{{"primitives",
                           {{{"attributes",
                              {{"POSITION", positions},
                               {"JOINTS_0", joints},
                               {"WEIGHTS_0", weights},
                               {"JOINTS_1", joints},
                               {"WEIGHTS_1", none}}}}}}}};
  file.json["skins"] = {{{"joints", {0, 1}}}};
  file.json["nodes"] = {{{"name", "Root"}, {"children", {1}}},
                        {{"name", "Joint"}},
                        {{"name", "A"}, {"mesh", 0}, {"skin", 0}},
                        {{"name", "B"}, {"mesh", 0}, {"skin", 0}}};
  file.json["scenes"] = {{{"nodes", {0, 2, 3}}}};
  file.json["animations"] = {
      {{"name", "move"},
       {"samplers", {{{"input", times}, {"output", moves}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}}}}};
  return file;
}

struct WrittenJoints {
  TemporaryFolder folder;
  Asset asset, result;
  json document;

  explicit WrittenJoints(bool with_helper) {
    std::ofstream(folder / "in.gltf") << two_skinned_nodes().text();
    LoadOptions options;
    options.source = true;
    asset = load_asset(folder / "in.gltf", options);
    RigChanges changes;
    changes.rig = &asset.rigs[0];
    changes.first_influence = {0, 1, 2};
    changes.influences = {{1, 1}, {with_helper ? 2U : 0U, 1}};
    if (with_helper) {
      HelperJoint helper;
      helper.name = "helper";
      helper.parent = 1;
      helper.joint_from_model = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -2, 0}};
      helper.rest = {{1, 0, 0, 0}, {0, 2, 0}};
      changes.helpers.push_back(helper);
      ClipKeys keys;
      keys.clip = &asset.clips[0];
      keys.frames = {1, 0, 1, 2};
      keys.helper_rotations = {{0, 0, 0, 1, 0, 0, 1, 0}};
      keys.helper_translations = {{0, 2, 0, 8, 2, 0}};
      changes.clips.push_back(keys);
    }
    OutputFile out(folder / "out.glb");
    const WrittenChanges written = write_changed_rigs(asset, {&changes, 1}, {}, out);
    AddedBytes sizes(asset, {});
    CHECK(written.added_bytes == sizes.of(changes));
    CHECK(written.added_bytes == sizes.of(changes));  // the first one left nothing behind
    out.commit();
    std::ifstream stream(folder / "out.glb", std::ios::binary);
    document = Glb({std::istreambuf_iterator<char>(stream), {}}).parsed;
    result = load_asset(folder / "out.glb");
  }
};

}  // namespace

TEST_CASE("changed joints: influences replace all sets of one node, in a copy of the mesh") {
  const WrittenJoints written(false);
  const json& attributes = written.document["meshes"][1]["primitives"][0]["attributes"];
  CHECK(attributes.contains("JOINTS_0"));
  CHECK_FALSE(attributes.contains("JOINTS_1"));
  CHECK_FALSE(attributes.contains("WEIGHTS_1"));
  CHECK(written.document["skins"] == json{{{"joints", {0, 1}}}});
  const Rig &a = written.result.rigs[0], &b = written.result.rigs[1];
  CHECK(a.influences_of(0).size() == 1);
  CHECK(a.influences_of(0)[0].joint == 1);
  CHECK(a.influences_of(1)[0].joint == 0);
  CHECK(b.influences_of(0).size() == 2);
  CHECK(b.influences_of(1)[0].joint == 1);
}

TEST_CASE(
    "changed joints: a primitive keeps what Draco compresses, and gets plain triangles without "
    "it") {
  GltfFile file;
  const int positions = file.add<float>("VEC3", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
  file.json["accessors"][positions]["min"] = {0, 0, 0};
  file.json["accessors"][positions]["max"] = {1, 1, 0};
  const int joints = file.add<std::uint8_t>("VEC4", std::vector<std::uint8_t>(16));
  const int weights = file.add<float>("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  const json attributes{{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}};
  file.json["meshes"] = {{{"primitives", {{{"attributes", attributes}}}}}};
  file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, json::object()};
  file.json["skins"] = {{{"joints", {1}}}};
  pack_primitive(file, 0, {0, 1, 2, 0, 2, 3}, true);
  TemporaryFolder folder;
  std::ofstream(folder / "in.gltf") << file.text();
  LoadOptions options;
  options.source = true;
  const Asset asset = load_asset(folder / "in.gltf", options);
  const Mesh& mesh = *asset.rigs[0].mesh;
  RigChanges changes;
  changes.rig = &asset.rigs[0];
  const auto written = [&]() {
    OutputFile out(folder / "out.glb");
    const WrittenChanges changed = write_changed_rigs(asset, {&changes, 1}, {}, out);
    AddedBytes sizes(asset, {});
    CHECK(changed.added_bytes == sizes.of(changes));
    CHECK(changed.added_bytes == sizes.of(changes));  // the first one left nothing behind
    out.commit();
    std::ifstream stream(folder / "out.glb", std::ios::binary);
    return Glb({std::istreambuf_iterator<char>(stream), {}}).parsed;
  };
  // The decoded attributes are not written beside the compressed ones.
  const json source = json::parse(file.text());
  const auto bytes_of = [](const json& document) {
    return document["buffers"][0]["byteLength"].get<std::size_t>();
  };
  constexpr std::size_t kPadding = 7;
  CHECK(bytes_of(written()) <= bytes_of(source) + kPadding);

  changes.first_influence = {0, 1, 2, 3, 4};
  changes.influences = {{0, 1}, {0, 1}, {0, 1}, {0, 1}};
  const json packed = written();
  const json& partly = packed["meshes"][0]["primitives"][0]["extensions"];
  CHECK(partly["KHR_draco_mesh_compression"]["attributes"].size() == 1);

  changes.morphs.base_positions = mesh.positions;
  changes.morphs.targets = {{mesh.positions, {}, {}}};
  changes.morphs.names = {"added"};
  changes.morphs.rest_weights = {0};
  const json plain = written();
  CHECK_FALSE(plain["meshes"][0]["primitives"][0].contains("extensions"));
  CHECK_FALSE(plain.contains("extensionsUsed"));
  CHECK_FALSE(plain.contains("extensionsRequired"));
  const Asset read = load_asset(folder / "out.glb");
  CHECK(read.rigs[0].mesh->positions == mesh.positions);
  CHECK(read.rigs[0].mesh->triangles == mesh.triangles);
}

TEST_CASE("changed joints: primitives with equal influences share them, among many too") {
  constexpr int kPrimitives = 6;
  GltfFile file = two_skinned_nodes();
  json& primitives = file.json["meshes"][0]["primitives"];
  for (int p = 1; p < kPrimitives; ++p) primitives.push_back(json(primitives[0]));
  TemporaryFolder folder;
  std::ofstream(folder / "in.gltf") << file.text();
  LoadOptions options;
  options.source = true;
  const Asset asset = load_asset(folder / "in.gltf", options);
  RigChanges changes;
  changes.rig = &asset.rigs[0];
  for (std::uint32_t v = 0; v <= 2 * kPrimitives; ++v) changes.first_influence.push_back(v);
  for (std::uint32_t v = 0; v < 2 * kPrimitives; ++v) {
    changes.influences.push_back({v / 2 % 3 == 0 ? 1U : 0U, 1});
  }
  OutputFile out(folder / "out.glb");
  write_changed_rigs(asset, {&changes, 1}, {}, out);
  out.commit();
  std::ifstream stream(folder / "out.glb", std::ios::binary);
  const json document = Glb({std::istreambuf_iterator<char>(stream), {}}).parsed;
  std::vector<int> sets;
  for (const json& primitive : document["meshes"][1]["primitives"]) {
    sets.push_back(primitive["attributes"]["JOINTS_0"].get<int>());
  }
  REQUIRE(sets.size() == kPrimitives);
  CHECK(sets[0] != sets[1]);
  CHECK(sets[1] == sets[2]);
  CHECK(sets[0] == sets[3]);
  CHECK(sets[1] == sets[5]);
}

TEST_CASE("changed joints: a helper is a node, a joint of the node's own skin and two channels") {
  const WrittenJoints written(true);
  const json& document = written.document;
  CHECK(document["nodes"][4]["name"] == "helper");
  CHECK(document["nodes"][1]["children"] == json{4});
  CHECK(document["nodes"][2]["skin"] == 1);
  CHECK(document["nodes"][3]["skin"] == 0);
  CHECK(document["skins"][0]["joints"] == json{0, 1});
  CHECK(document["skins"][1]["joints"] == json{0, 1, 4});
  CHECK(document["animations"][0]["channels"].size() == 3);
  const Rig& a = written.result.rigs[0];
  REQUIRE(a.joints.size() == 3);
  CHECK(a.influences_of(1)[0].joint == 2);
}

TEST_CASE(
    "changed joints: a helper moves its vertices in its clip, and with its parent elsewhere") {
  const WrittenJoints written(true);
  const Rig& a = written.result.rigs[0];
  const Clip& clip = written.result.clips[0];
  const auto at = [&](const Clip* of, double time_s) {
    const std::vector<double> p = pose_positions(a, {of, time_s}, parse_method("lbs"));
    return Vec3<double>{p[3], p[4], p[5]};
  };
  CHECK(distance(at(nullptr, 0), {0, 2, 0}) < 1e-12);
  CHECK(distance(at(&clip, 0), {0, 2, 0}) < 1e-12);
  CHECK(distance(at(&clip, 1), {8, 2, 4}) < 1e-6);
}
