// Expressions and look-at of VRM models, and the nodes of VRM animations that drive them.

#include <doctest/doctest.h>

#include <set>

#include "gltf/clip_file/face_match.h"
#include "skinbake/gltf.h"
#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

// Two nodes with one mesh of three morph targets, and a node without a mesh.
GltfFile two_faces() {
  GltfFile file = skinned_triangle();
  const int moved = file.add<float>("VEC3", {0, 0, 1, 0, 0, 0, 0, 0, 0});
  auto& primitive = file.json["meshes"][0]["primitives"][0];
  for (int t = 0; t < 3; ++t) primitive["targets"].push_back({{"POSITION", moved}});
  file.json["nodes"].push_back({{"mesh", 0}});
  file.json["scenes"][0]["nodes"] = {0, 1, 3};
  return file;
}

Face face_of(GltfFile& file, const char* extension, const char* content) {
  file.json["extensionsUsed"] = {extension};
  file.json["extensions"] = {{extension, nlohmann::json::parse(content)}};
  return load(file).face;
}

FaceNodes nodes_of(const char* content) {
  GltfFile file;
  file.json["nodes"] = {{{"name", "a"}}, {{"name", "b"}}};
  file.json["extensions"] = {{"VRMC_vrm_animation", nlohmann::json::parse(content)}};
  const TemporaryFile saved("face.gltf", file.text());
  return load_clip_file(saved.path()).face;
}

}  // namespace

TEST_CASE("face: expressions and look-at of VRM 1.0") {
  GltfFile file = two_faces();
  const Face face = face_of(file, "VRMC_vrm", R"({
    "expressions": {
      "preset": {"happy": {"isBinary": true, "overrideBlink": "block", "overrideMouth": "blend",
                           "morphTargetBinds": [{"node": 3, "index": 2, "weight": 0.5}]},
                 "aa": {"overrideMouth": "block", "overrideLookAt": "none"}},
      "custom": {"grin": {"morphTargetBinds": [{"node": 0, "index": 0}]}}},
    "lookAt": {"type": "expression", "rangeMapHorizontalOuter": {"inputMaxValue": 45},
               "rangeMapVerticalUp": {"inputMaxValue": 0, "outputScale": 0.5}}})");
  REQUIRE(face.expressions.size() == 3);
  CHECK(face.expressions[0].name == "aa");
  CHECK(face.expressions[0].of_mouth == ExpressionOverride::kNone);  // its own kind
  const Expression& happy = face.expressions[1];
  CHECK(happy.name == "happy");
  CHECK(happy.is_binary);
  CHECK(happy.of_blink == ExpressionOverride::kBlock);
  CHECK(happy.of_look == ExpressionOverride::kNone);
  CHECK(happy.of_mouth == ExpressionOverride::kBlend);
  REQUIRE(happy.binds.size() == 1);
  CHECK(happy.binds[0].node == 3);
  CHECK(happy.binds[0].target == 2);
  CHECK(happy.binds[0].weight == 0.5);
  CHECK(face.expressions[2].binds.at(0).weight == 1);
  REQUIRE(face.look_at);
  CHECK(face.look_at->type == LookType::kExpressions);
  CHECK(face.look_at->outer.most_deg == 45);
  CHECK(face.look_at->outer.scale == 1);
  CHECK(face.look_at->up.most_deg == 0.01);
  CHECK(face.look_at->up.scale == 0.5);
  CHECK(face.look_at->inner.most_deg == 90);
  CHECK(issue_count(load(file), "EXPRESSION_INVALID") == 0);
}

TEST_CASE("face: beside a VRM 1.0 map without bones, the map and the face are those of VRM 0.x") {
  GltfFile file = two_faces();
  file.json["extensionsUsed"] = {"VRMC_vrm", "VRM"};
  file.json["extensions"] = nlohmann::json::parse(R"({
    "VRMC_vrm": {"humanoid": {"humanBones": {}}, "lookAt": {"type": "expression"},
                 "expressions": {"preset": {"sad": {"morphTargetBinds": [{"node": 3, "index": 2}]}}}},
    "VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 1}]},
            "blendShapeMaster": {"blendShapeGroups": [
              {"presetName": "joy", "binds": [{"mesh": 0, "index": 1, "weight": 25}]}]}}})");
  Asset asset = load(file);
  CHECK(asset.humanoid.source == "vrm0");
  REQUIRE(asset.humanoid.bones.size() == 1);
  CHECK(asset.humanoid.bones[0].node == 1);
  REQUIRE(asset.face.expressions.size() == 1);
  CHECK(asset.face.expressions[0].name == "happy");
  CHECK_FALSE(asset.face.look_at);  // the map of VRM 1.0 has one

  file.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"] = {{"hips", {{"node", 2}}}};
  asset = load(file);
  CHECK(asset.humanoid.source == "vrm1");
  REQUIRE(asset.face.expressions.size() == 1);
  CHECK(asset.face.expressions[0].name == "sad");
}

TEST_CASE(
    "face: groups of VRM 0.x move all nodes of a mesh, by percent and under the names of 1.0") {
  GltfFile file = two_faces();
  const Face face = face_of(file, "VRM", R"({
    "blendShapeMaster": {"blendShapeGroups": [
      {"name": "J", "presetName": "joy", "binds": [{"mesh": 0, "index": 1, "weight": 25}]},
      {"name": "Wink", "presetName": "unknown", "isBinary": true, "binds": []}]},
    "firstPerson": {"lookAtTypeName": "Bone",
                    "lookAtVerticalDown": {"xRange": 30, "yRange": 5, "curve": [0,0,0,1,1,1,1,0]},
                    "lookAtHorizontalInner": {"curve": [0.0,0.0,0.0,1.0,1.0,1.0,1.0,0.0]},
                    "lookAtVerticalUp": {"curve": [0,0,0,0,1,1,1,0]}}})");
  REQUIRE(face.expressions.size() == 2);
  CHECK(face.expressions[0].name == "happy");
  REQUIRE(face.expressions[0].binds.size() == 2);
  CHECK(face.expressions[0].binds[0].node == 0);
  CHECK(face.expressions[0].binds[1].node == 3);
  CHECK(face.expressions[0].binds[1].target == 1);
  CHECK(face.expressions[0].binds[1].weight == 0.25);
  CHECK(face.expressions[1].name == "Wink");
  CHECK(face.expressions[1].is_binary);
  REQUIRE(face.look_at);
  CHECK(face.look_at->type == LookType::kBones);
  CHECK(face.look_at->down.most_deg == 30);
  CHECK(face.look_at->down.scale == 5);
  CHECK_FALSE(face.look_at->down.is_curved);
  CHECK_FALSE(face.look_at->inner.is_curved);
  CHECK(face.look_at->up.is_curved);
  CHECK(face.look_at->up.scale == 10);
}

TEST_CASE("face: parts that violate the specification are left out and reported") {
  const auto issues_of = [](const char* extension, const char* content) {
    GltfFile file = two_faces();
    face_of(file, extension, content);
    return issue_count(load(file), "EXPRESSION_INVALID");
  };
  for (const char* wrong :
       {R"({"expressions": 1})", R"({"expressions": {"preset": []}})",
        R"({"expressions": {"preset": {"grin": {}}}})",
        R"({"expressions": {"custom": {"aa": {}}}})", R"({"expressions": {"custom": {"a": 1}}})",
        R"({"expressions": {"custom": {"a": {"isBinary": 1}}}})",
        R"({"expressions": {"custom": {"a": {"overrideBlink": "no"}}}})",
        R"({"expressions": {"custom": {"a": {"morphTargetBinds": {}}}}})",
        R"({"expressions": {"custom": {"a": {"morphTargetBinds": [1]}}}})",
        R"({"expressions": {"custom": {"a": {"morphTargetBinds": [{"node": 4, "index": 0}]}}}})",
        R"({"expressions": {"custom": {"a": {"morphTargetBinds": [{"node": -1, "index": 0}]}}}})",
        R"({"expressions": {"custom": {"a": {"morphTargetBinds": [{"node": 1, "index": 0}]}}}})",
        R"({"expressions": {"custom": {"a": {"morphTargetBinds": [{"node": 0, "index": 3}]}}}})",
        R"({"expressions": {"custom": {"a": {"morphTargetBinds": [{"node": 0, "index": 0.5}]}}}})",
        R"({"expressions": {"custom": {"a": {"morphTargetBinds":
              [{"node": 0, "index": 0, "weight": "1"}]}}}})",
        R"({"lookAt": []})", R"({"lookAt": {"type": "eyes"}})",
        R"({"lookAt": {"rangeMapVerticalUp": 1}})",
        R"({"lookAt": {"rangeMapVerticalUp": {"outputScale": null, "inputMaxValue": []}}})"}) {
    CAPTURE(wrong);
    CHECK(issues_of("VRMC_vrm", wrong) == 1);
  }
  for (const char* wrong :
       {R"({"blendShapeMaster": {"blendShapeGroups": {}}})",
        R"({"blendShapeMaster": {"blendShapeGroups": [1]}})",
        R"({"blendShapeMaster": {"blendShapeGroups": [{"name": "a"}, {"name": "a"}]}})",
        R"({"blendShapeMaster": {"blendShapeGroups": [{"name": "a", "binds": 1}]}})",
        R"({"blendShapeMaster": {"blendShapeGroups": [{"name": "a", "binds": [{"mesh": 1}]}]}})",
        R"({"blendShapeMaster": {"blendShapeGroups":
              [{"name": "a", "binds": [{"mesh": 0, "index": 3}]}]}})",
        R"({"firstPerson": 1})"}) {
    CAPTURE(wrong);
    CHECK(issues_of("VRM", wrong) == 1);
  }
  CHECK(issues_of("VRM", R"({"blendShapeMaster": [], "firstPerson": {}})") == 0);
}

TEST_CASE("face: a bind of VRM 0.x moves all nodes of its mesh") {
  GltfFile file = two_faces();
  for (int n = 0; n < 300; ++n) file.json["nodes"].push_back({{"mesh", 0}});
  auto& group = file.json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"][0];
  group["name"] = "a";
  for (int b = 0; b < 2000; ++b) group["binds"].push_back({{"mesh", 0}, {"index", 0}});
  const Asset asset = load(file);
  REQUIRE(asset.face.expressions.size() == 1);
  CHECK(asset.face.expressions[0].binds.size() == 2000 * 302);
}

TEST_CASE("face: the nodes of a VRM animation that drive a face") {
  const FaceNodes nodes =
      nodes_of(R"({"expressions": {"preset": {"happy": {"node": 1}, "sad": {"node": 2},
      "grin": {"node": 0}}, "custom": {"grin": {"node": 0}}}, "lookAt": {"node": 1}})");
  REQUIRE(nodes.expressions.size() == 2);
  CHECK(nodes.expressions[0].expression == "happy");
  CHECK(nodes.expressions[0].node == 1);
  CHECK(nodes.expressions[1].expression == "grin");
  CHECK(nodes.look_at == 1);
  CHECK(nodes_of(R"({"expressions": 1, "lookAt": {"node": -1}})").look_at == -1);
}

TEST_CASE("face: a clip drives the expressions and the look-at that the rig has") {
  const auto drives = [](NodeIndex node, ChannelPath path, int width) {
    Channel channel;
    channel.node = node;
    channel.path = path;
    channel.width = width;
    channel.times = std::make_shared<const std::vector<double>>(1, 0.0);
    channel.values = std::make_shared<const std::vector<double>>(4, 0.5);
    return channel;
  };
  ClipFile file;
  file.face.expressions = {{"blinkLeft", 0}, {"sad", 1}, {"grin", 2}};
  file.face.look_at = 3;
  Clip clip;
  clip.channels = {drives(0, ChannelPath::kTranslation, 3), drives(1, ChannelPath::kTranslation, 3),
                   drives(2, ChannelPath::kRotation, 4), drives(3, ChannelPath::kRotation, 4)};
  Asset rig;
  rig.face.expressions.resize(2);
  rig.face.expressions[0].name = "blinkRight";
  rig.face.expressions[1].name = "grin";
  rig.face.look_at.emplace().up.is_curved = true;
  const HumanoidMap blind;
  const HumanoidMap seeing{"vrm0", {{"leftEye", 0}}};
  using Drivers = std::set<NodeIndex>;
  std::shared_ptr<const PlayableFace> shared;
  CHECK(gltf::match_face(file, clip, rig, blind, false, shared).player == nullptr);
  CHECK(gltf::match_face(file, clip, rig, blind, true, shared).drivers == Drivers{0});
  const gltf::MatchedFace looking = gltf::match_face(file, clip, rig, seeing, false, shared);
  CHECK(looking.drivers == Drivers{3});
  CHECK(looking.player->turns_eyes());
  REQUIRE(looking.issues.size() == 1);
  CHECK(looking.issues[0].code == "EXTENSION_IGNORED");
  rig.face.look_at->type = LookType::kExpressions;
  shared = nullptr;
  CHECK(gltf::match_face(file, clip, rig, seeing, false, shared).player == nullptr);
  rig.face.expressions[1].name = "lookUp";
  shared = nullptr;
  CHECK(gltf::match_face(file, clip, rig, blind, false, shared).player->drives_expressions());
}

TEST_CASE("face: the clips of a file share the rig's face") {
  ClipFile file;
  file.face.expressions = {{"happy", 0}};
  Clip clip;
  clip.channels.emplace_back();
  clip.channels[0].node = 0;
  clip.channels[0].times = std::make_shared<const std::vector<double>>(1, 0.0);
  clip.channels[0].values = std::make_shared<const std::vector<double>>(3, 0.5);
  Asset rig;
  rig.face.expressions.resize(1);
  rig.face.expressions[0].name = "happy";
  rig.face.expressions[0].binds.resize(1000, {1, 0, 1});
  std::shared_ptr<const PlayableFace> shared;
  const gltf::MatchedFace first = gltf::match_face(file, clip, rig, {}, false, shared);
  CHECK(first.player != nullptr);
  const gltf::MatchedFace second = gltf::match_face(file, clip, rig, {}, false, shared);
  std::vector<double> weights{0};
  second.player->sample_morphs(1, 0, weights);
  CHECK(weights[0] == 500);
}
