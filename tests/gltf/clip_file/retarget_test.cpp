// Humanoids: bones are matched instead of names, and turn from T-pose to T-pose.

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "clip/sampling/node_sampler.h"
#include "math/scalar.h"
#include "skinbake/gltf.h"
#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;
using nlohmann::json;

namespace {

using Numbers = std::vector<double>;

// x y z w, as in files.
const Numbers kClipHips{0.5, 0.5, -0.5, 0.5}, kClipArm{0, 0, 0.6, 0.8}, kKey{0.48, 0.6, 0, 0.64};
const Numbers kRigHips{0.6, 0, 0, 0.8}, kRigArm{0, 0.6, 0, 0.8};

Quat<double> quat(const Numbers& q) {
  return {q[3], q[0], q[1], q[2]};
}
Quat<double> inverse_of(const Quat<double>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

void set_bones(GltfFile& file, const char* extension, const json& bones) {
  file.json["extensionsUsed"] = {extension};
  file.json["extensions"] = {{extension, {{"humanoid", {{"humanBones", bones}}}}}};
}

// A humanoid whose hips are two metres above the ground. The arm turns from rest to kKey; the hips
// move to (1, 2, 3).
GltfFile animation(const char* interpolation = "LINEAR") {
  GltfFile file;
  file.json["nodes"] = {
      {{"name", "h"}, {"translation", {0, 2, 0}}, {"rotation", kClipHips}, {"children", {1, 2, 3}}},
      {{"name", "Root"}, {"rotation", kClipArm}},
      {{"translation", {0, 1, 0}}},  // along x of the scene, as the hips' frame lies
      {{"translation", {0, -1, 0}}}};
  const bool cubic = std::string_view(interpolation) == "CUBICSPLINE";
  const auto k = [&](std::vector<float> first, std::vector<float> second) {
    std::vector<float> keys;
    const std::vector<float> tangent(first.size(), 1);
    for (const std::vector<float>& key : {first, second}) {
      if (cubic) keys.insert(keys.end(), tangent.begin(), tangent.end());
      keys.insert(keys.end(), key.begin(), key.end());
      if (cubic) keys.insert(keys.end(), tangent.begin(), tangent.end());
    }
    return keys;
  };
  const int times = file.add<float>("SCALAR", {0, 1});
  const int turns = file.add<float>("VEC4", k({0, 0, 0.6f, 0.8f}, {0.48f, 0.6f, 0, 0.64f}));
  const int moves = file.add<float>("VEC3", k({0, 2, 0}, {1, 2, 3}));
  file.json["animations"] = {
      {{"samplers",
        {{{"input", times}, {"output", turns}, {"interpolation", interpolation}},
         {{"input", times}, {"output", moves}, {"interpolation", interpolation}}}},
       {"channels",
        {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}},
         {{"sampler", 1}, {"target", {{"node", 0}, {"path", "translation"}}}}}}}};
  set_bones(file, "VRMC_vrm_animation",
            {{"hips", {{"node", 0}}},
             {"leftUpperArm", {{"node", 1}}},
             {"leftUpperLeg", {{"node", 2}}},
             {"rightUpperLeg", {{"node", 3}}}});
  return file;
}

// A humanoid whose hips are one metre above the ground, and whose nodes have other rest rotations.
// Its left side is at `left` along x. The hips and the arm are nodes 1 and 2.
GltfFile humanoid(double left = 1) {
  GltfFile file = skinned_triangle();
  file.json["nodes"][1] = {{"name", "Root"},
                           {"translation", {0, 1, 0}},
                           {"rotation", kRigHips},
                           {"children", {2, 3, 4}}};
  file.json["nodes"][2]["rotation"] = kRigArm;
  file.json["nodes"].push_back({{"translation", {left, 0, 0}}});
  file.json["nodes"].push_back({{"translation", {-left, 0, 0}}});
  set_bones(file, "VRMC_vrm",
            {{"hips", {{"node", 1}}},
             {"leftUpperArm", {{"node", 2}}},
             {"leftUpperLeg", {{"node", 3}}},
             {"rightUpperLeg", {{"node", 4}}}});
  return file;
}

struct Retargeted : MatchedClip {
  std::shared_ptr<const Skeleton> rig;
};

Retargeted retargeted(const GltfFile& clip, const GltfFile& rig, const NameMap& names = {},
                      RetargetOptions options = {}) {
  options.names = names;
  const TemporaryFile text("clip.vrma", clip.glb());
  const ClipFile file = load_clip_file(text.path());
  const Asset asset = load(rig);
  return {match_clip(file, file.clips.at(0), asset, options), asset.skeleton};
}

// The keys of the first channel of a node; empty: it has none.
Numbers values(const MatchedClip& matched, NodeIndex node) {
  for (const Channel& channel : matched.clip.channels) {
    if (channel.node == node) return *channel.values;
  }
  return {};
}

ClipMotion::NodePose pose_at(const Retargeted& matched, NodeIndex node, double time_s) {
  REQUIRE(matched.clip.motion);
  const std::vector<NodeIndex>& nodes = matched.clip.motion->nodes();
  const auto found = std::find(nodes.begin(), nodes.end(), node);
  REQUIRE(found != nodes.end());
  std::vector<ClipMotion::NodePose> poses(nodes.size());
  matched.clip.motion->sample(time_s, poses);
  return poses[static_cast<std::size_t>(found - nodes.begin())];
}

// x y z w, with w >= 0
Numbers rotation_at(const Retargeted& matched, NodeIndex node, double time_s) {
  const Quat<double> q = pose_at(matched, node, time_s).rotation;
  const double sign = q.w < 0 ? -1 : 1;
  return {sign * q.x, sign * q.y, sign * q.z, sign * q.w};
}

Numbers place_at(const Retargeted& matched, NodeIndex node, double time_s) {
  const Vec3<double> t = pose_at(matched, node, time_s).translation;
  return {t.x, t.y, t.z};
}

void check_near(const Numbers& found, const Numbers& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-6));
  }
}

// The turn of the arm in the scene, against its rest.
Quat<double> turn_in_scene(const Numbers& hips, const Numbers& rest, const Quat<double>& now) {
  return quat(hips) * now * inverse_of(quat(hips) * quat(rest));
}

}  // namespace

TEST_CASE("retarget: a bone turns about the scene's axes, whatever frames the two files have") {
  const Retargeted matched = retargeted(animation(), humanoid());
  CHECK(matched.issues.empty());
  check_near(rotation_at(matched, 2, 0), kRigArm);  // at rest where the clip is
  const Quat<double> found = turn_in_scene(kRigHips, kRigArm, quat(rotation_at(matched, 2, 1)));
  const Quat<double> expected = turn_in_scene(kClipHips, kClipArm, quat(kKey));
  check_near({found.w, found.x, found.y, found.z},
             {expected.w, expected.x, expected.y, expected.z});
  check_near(place_at(matched, 1, 0), {0, 1, 0});
  check_near(place_at(matched, 1, 1), {0.5, 1, 1.5});  // half as high, half as far
}

TEST_CASE("retarget: a rig that faces the opposite direction, as in VRM 0.x, gets a half turn") {
  const Retargeted matched = retargeted(animation(), humanoid(-1));
  check_near(rotation_at(matched, 2, 0), kRigArm);
  const Quat<double> found = turn_in_scene(kRigHips, kRigArm, quat(rotation_at(matched, 2, 1)));
  const Quat<double> expected = turn_in_scene(kClipHips, kClipArm, quat(kKey));
  check_near({found.w, found.x, found.y, found.z},
             {expected.w, -expected.x, expected.y, -expected.z});
  check_near(place_at(matched, 1, 1), {-0.5, 1, -1.5});
}

TEST_CASE(
    "retarget: the hips are in the scene where the clip's are, whatever nodes are above them") {
  GltfFile rig = humanoid();
  rig.json["nodes"].push_back(
      {{"translation", {0, 0.5, 0}}, {"rotation", {0, 1, 0, 0}}, {"children", {1}}});
  rig.json["nodes"][1]["translation"] = {0, 0.5, 0};
  const Retargeted matched = retargeted(animation("CUBICSPLINE"), rig);
  check_near(place_at(matched, 1, 0), {0, 0.5, 0});
  check_near(place_at(matched, 1, 1), {0.5, 0.5, 1.5});  // in the frame of the turned root
  GltfFile clip = animation();  // a root that turns and moves all, also the way that it faces
  clip.json["nodes"].push_back(
      {{"translation", {0, 0, 3}}, {"rotation", {0, 1, 0, 0}}, {"children", {0}}});
  const Retargeted turned = retargeted(clip, humanoid());
  check_near(place_at(turned, 1, 1), {0.5, 1, 0});
}

TEST_CASE("retarget: animated nodes between two bones turn the lower one") {
  GltfFile clip = animation();
  clip.json["nodes"].push_back({{"children", {1}}});  // between hips and arm
  clip.json["nodes"][0]["children"] = {4, 2, 3};
  clip.json["animations"][0]["channels"][0]["target"]["node"] = 4;
  const Retargeted matched = retargeted(clip, humanoid());
  CHECK(matched.issues.empty());
  const Quat<double> found = turn_in_scene(kRigHips, kRigArm, quat(rotation_at(matched, 2, 1)));
  const Quat<double> expected = turn_in_scene(kClipHips, kClipArm, quat(kKey) * quat(kClipArm));
  check_near({found.w, found.x, found.y, found.z},
             {expected.w, expected.x, expected.y, expected.z});
}

TEST_CASE("retarget: the way of the hips is kept, without its horizontal part, or none") {
  RetargetOptions options;
  options.root_motion = RootMotion::kInPlace;
  GltfFile clip = animation();
  clip.json["nodes"].push_back({{"translation", {0, 1, 0}}, {"children", {0}}});
  clip.json["nodes"][0]["translation"] = {0, 1, 0};
  // The hips of the clip rest at 2 m and rise to 3 m.
  check_near(place_at(retargeted(clip, humanoid(), {}, options), 1, 1), {0, 1.5, 0});
  options.root_motion = RootMotion::kNone;
  check_near(place_at(retargeted(clip, humanoid(), {}, options), 1, 1), {0, 1, 0});
}

TEST_CASE("retarget: a mirrored clip turns the other side, and mirrored twice it is the clip") {
  GltfFile rig = humanoid(), clip = animation();
  rig.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["rightUpperArm"] = {{"node", 2}};
  rig.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"].erase("leftUpperArm");
  RetargetOptions options;
  options.mirror = true;
  const Retargeted matched = retargeted(clip, rig, {}, options);
  CHECK(matched.issues.empty());
  const Quat<double> found = turn_in_scene(kRigHips, kRigArm, quat(rotation_at(matched, 2, 1)));
  const Quat<double> expected = turn_in_scene(kClipHips, kClipArm, quat(kKey));
  check_near({found.w, found.x, found.y, found.z},
             {expected.w, expected.x, -expected.y, -expected.z});
  check_near(place_at(matched, 1, 1), {-0.5, 1, 1.5});
}

TEST_CASE("retarget: a mode of names matches names also between humanoids") {
  RetargetOptions options;
  options.mode = RetargetMode::kNames;
  const Retargeted matched = retargeted(animation(), humanoid(), {}, options);
  CHECK_FALSE(matched.clip.motion);
  CHECK(values(matched, 1).size() == 8);  // "Root"
  const auto is_warning = [](const Issue& issue) { return issue.code == "REST_POSES_DIFFER"; };
  CHECK(std::any_of(matched.issues.begin(), matched.issues.end(), is_warning));
  options.mode = RetargetMode::kOff;
  const Issues off = retargeted(animation(), humanoid(), {}, options).issues;
  CHECK(std::none_of(off.begin(), off.end(), is_warning));
}

TEST_CASE("retarget: an option for humanoids refuses a file without one") {
  RetargetOptions options;
  options.mode = RetargetMode::kHumanoid;
  GltfFile rig = humanoid();
  rig.json.erase("extensions");
  rig.json.erase("extensionsUsed");
  try {
    retargeted(animation(), rig, {}, options);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == "HUMANOID_REQUIRED");
  }
}

TEST_CASE(
    "retarget: without humanoid maps on both sides names match, and the mode off copies keys") {
  GltfFile rig = humanoid();
  rig.json.erase("extensions");
  rig.json.erase("extensionsUsed");
  const Retargeted matched = retargeted(animation(), rig);
  const auto first_key = [](const Retargeted& m) {
    const Numbers keys = values(m, 1);  // "Root"
    return Numbers(keys.begin(), keys.begin() + 4);
  };
  check_near(first_key(matched), kRigHips);  // at rest where the clip is
  check_near(first_key(retargeted(animation(), rig, {}, {.mode = RetargetMode::kOff})), kClipArm);
}

TEST_CASE("retarget: between humanoids a node that is not a bone is not matched by its name") {
  for (const char* name : {"Tail", "tail"}) {  // a matching name, and one that differs in case
    GltfFile clip = animation(), rig = humanoid();
    clip.json["nodes"].push_back({{"name", name}});
    clip.json["animations"][0]["channels"].push_back(
        {{"sampler", 1}, {"target", {{"node", 4}, {"path", "translation"}}}});
    rig.json["nodes"].push_back({{"name", "Tail"}});
    Retargeted matched = retargeted(clip, rig);
    CHECK(matched.clip.channels.empty());
    CHECK(matched.clip.motion);
    REQUIRE(matched.issues.size() == 1);
    CHECK(matched.issues[0].code == "CLIP_NODE_UNMATCHED");
    CHECK(matched.issues[0].severity == Severity::kWarning);
    CHECK(matched.issues[0].pointer == "/nodes/4");
    CHECK(matched.issues[0].message.find("which is not one of the human bones") !=
          std::string::npos);
    NameMap names;
    names.path = names.shown_as = "map.json";
    names.clip_name_of = {{"Tail", name}};  // the map pairs it on purpose
    matched = retargeted(clip, rig, names);
    CHECK(matched.issues.empty());
    CHECK(values(matched, 5).size() == 6);
    rig.json.erase("extensions");
    rig.json.erase("extensionsUsed");
    CHECK(values(retargeted(clip, rig), 5).size() == 6);  // the rig is not a humanoid
  }
}

TEST_CASE("retarget: the map does not pair nodes of the rig that bones are below") {
  GltfFile clip = animation(), rig = humanoid();
  clip.json["nodes"].push_back({{"name", "armature"}, {"children", {0}}});
  clip.json["animations"][0]["channels"].push_back(
      {{"sampler", 1}, {"target", {{"node", 4}, {"path", "translation"}}}});
  rig.json["nodes"].push_back({{"name", "armature"}, {"children", {1}}});
  rig.json["scenes"][0]["nodes"] = {0, 5};
  const Retargeted expected = retargeted(clip, rig);
  CHECK(expected.issues.empty());
  for (const auto& pair :
       {std::pair("armature", "armature"), std::pair("Root", "h"), std::pair("Root", "Root")}) {
    const std::string rig_name = pair.first, clip_name = pair.second;
    CAPTURE(rig_name);
    CAPTURE(clip_name);
    NameMap names;
    names.path = names.shown_as = "map.json";
    names.clip_name_of = {{rig_name, clip_name}};
    const Retargeted matched = retargeted(clip, rig, names);
    REQUIRE(matched.issues.size() == 1);
    CHECK(matched.issues[0].code == "MAP_NODE_OF_BODY");
    CHECK(matched.issues[0].file == "map.json");
    CHECK(matched.issues[0].pointer == "/" + std::string(rig_name));
    CHECK(matched.clip.channels.empty());
    for (const double time_s : {0.0, 0.5, 1.0}) {
      check_near(place_at(matched, 1, time_s), place_at(expected, 1, time_s));
      check_near(rotation_at(matched, 1, time_s), rotation_at(expected, 1, time_s));
      check_near(rotation_at(matched, 2, time_s), rotation_at(expected, 2, time_s));
    }
  }
}

TEST_CASE("retarget: the map pairs a bone at the end of a limb, which no bone is below") {
  NameMap names;
  names.path = names.shown_as = "map.json";
  names.clip_name_of = {{"Tip", "Root"}};
  const Retargeted matched = retargeted(animation(), humanoid(), names);
  CHECK(matched.issues.empty());
  CHECK(values(matched, 2).size() == 8);
}

TEST_CASE("retarget: a negative scale above bones of the rig or of the clip is reported") {
  for (const bool is_of_rig : {true, false}) {
    CAPTURE(is_of_rig);
    GltfFile clip = animation(), rig = humanoid();
    GltfFile& file = is_of_rig ? rig : clip;
    const std::size_t armature = file.json["nodes"].size();
    file.json["nodes"].push_back({{"children", {is_of_rig ? 1 : 0}}, {"scale", {2, 2, 2}}});
    if (is_of_rig) file.json["scenes"][0]["nodes"] = {0, armature};
    CHECK(retargeted(clip, rig).issues.empty());
    file.json["nodes"][armature]["scale"] = {-1, 1, 1};
    const Retargeted matched = retargeted(clip, rig);
    REQUIRE(matched.issues.size() == 1);
    CHECK(matched.issues[0].code == "HUMANOID_SCALE");
    CHECK(matched.issues[0].pointer == "/nodes/" + std::to_string(armature));
    CHECK(matched.issues[0].file.find(is_of_rig ? "test.gltf" : "clip.vrma") != std::string::npos);
  }
}

TEST_CASE("retarget: missing bones and unsupported properties are reported") {
  GltfFile clip = animation();
  clip.json["animations"][0]["channels"].push_back(
      {{"sampler", 1}, {"target", {{"node", 1}, {"path", "scale"}}}});
  Retargeted matched = retargeted(clip, humanoid());
  REQUIRE(matched.issues.size() == 1);
  CHECK(matched.issues[0].code == "CHANNEL_IGNORED");
  CHECK(matched.issues[0].message.find("scale of the human bone '" +
                                       clip.json["nodes"][1]["name"].get<std::string>() + "'") !=
        std::string::npos);
  GltfFile rig = humanoid();
  rig.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"].erase("leftUpperArm");
  matched = retargeted(animation(), rig);
  REQUIRE(matched.issues.size() == 1);
  CHECK(matched.issues[0].code == "CLIP_NODE_UNMATCHED");
}

TEST_CASE("retarget: the thumb bones of VRM 0.x are renamed") {
  GltfFile clip = animation(), rig = humanoid();
  clip.json["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"] = {
      {"leftThumbMetacarpal", {{"node", 1}}}};
  set_bones(rig, "VRM",
            {{{"bone", "leftThumbProximal"}, {"node", 2}},
             {{"bone", "leftThumbIntermediate"}, {"node", 3}}});
  const Retargeted matched = retargeted(clip, rig);
  const Quat<double> found = turn_in_scene(kRigHips, kRigArm, quat(rotation_at(matched, 2, 1)));
  const Quat<double> expected = turn_in_scene(kClipHips, kClipArm, quat(kKey));
  check_near({found.w, found.x, found.y, found.z},
             {expected.w, expected.x, expected.y, expected.z});
}

TEST_CASE("retarget: the thumb bones of VRM 0.x are renamed also without the middle one") {
  GltfFile rig = humanoid();
  set_bones(
      rig, "VRM",
      {{{"bone", "leftThumbProximal"}, {"node", 2}}, {{"bone", "leftThumbDistal"}, {"node", 3}}});
  const Asset asset = load(rig);
  REQUIRE(asset.humanoid.bones.size() == 2);
  CHECK(asset.humanoid.bones[0].bone == "leftThumbDistal");
  CHECK(asset.humanoid.bones[1].bone == "leftThumbMetacarpal");
  CHECK(asset.humanoid.bones[1].node == 2);
}

TEST_CASE("retarget: hips that are not above the ground are not scaled, and an issue reports it") {
  const Numbers moved{1, 2, 3};
  for (const double height : {0.0, -1.0, 1e-6, 0.009}) {
    CAPTURE(height);
    GltfFile clip = animation(), rig = humanoid();
    clip.json["nodes"][0]["translation"][1] = height;
    Retargeted matched = retargeted(clip, rig);
    REQUIRE(matched.issues.size() == 1);
    CHECK(matched.issues[0].code == "HUMANOID_UNSCALED");
    CHECK(matched.issues[0].severity == Severity::kWarning);
    CHECK(matched.issues[0].pointer == "/nodes/0");
    check_near(place_at(matched, 1, 1), moved);
    rig.json["nodes"][1]["translation"][1] = height;
    matched = retargeted(animation(), rig);
    REQUIRE(matched.issues.size() == 1);
    CHECK(matched.issues[0].code == "HUMANOID_UNSCALED");
    check_near(place_at(matched, 1, 1), moved);
  }
  GltfFile low = humanoid();
  low.json["nodes"][1]["translation"][1] = 0.02;
  const Retargeted matched = retargeted(animation(), low);
  CHECK(matched.issues.empty());
  check_near(place_at(matched, 1, 1), {0.01, 0.02, 0.03});
  GltfFile still = animation();  // without a translation there is no issue
  still.json["nodes"][0]["translation"][1] = 0;
  still.json["animations"][0]["channels"].erase(1);
  CHECK(retargeted(still, humanoid()).issues.empty());
}

TEST_CASE("retarget: errors of a humanoid map name their position") {
  const std::string where = "/humanoid/humanBones";
  const auto pointer = [](const char* extension, const json& bones) {
    GltfFile file = skinned_triangle();
    set_bones(file, extension, bones);
    const Asset asset = load(file);
    std::string pointers;
    for (const Issue& issue : asset.issues) {
      if (issue.code == "HUMANOID_MAP_INVALID") pointers += issue.pointer;
    }
    return pointers;
  };
  const json good = {{"node", 1}};
  for (const std::string extension : {"VRMC_vrm", "VRMC_vrm_animation"}) {
    const std::string map = "/extensions/" + extension + where;
    const char* name = extension.c_str();
    CHECK(pointer(name, {{"hips", good}}).empty());
    CHECK(pointer(name, json::array({1})) == map);
    CHECK(pointer(name, nullptr) == map);
    CHECK(pointer(name, {{"hips", {{"node", 3}}}}) == map + "/hips/node");
    CHECK(pointer(name, {{"a/b", {{"node", -1}}}}) == map + "/a~1b");
    CHECK(pointer(name, {{"hips", json::object()}}) == map + "/hips");
    CHECK(pointer(name, {{"hips", 1}}) == map + "/hips");
    CHECK(pointer(name, {{"hips", good}, {"spine", good}}) == map + "/spine/node");
  }
  const json old = {{"bone", "hips"}, {"node", 1}}, none = {{"bone", "jaw"}, {"node", -1}};
  const std::string map = "/extensions/VRM" + where;
  CHECK(pointer("VRM", json::array({old, none})).empty());
  CHECK(pointer("VRM", json::array({old, {{"node", 2}}})) == map + "/1");
  CHECK(pointer("VRM", json::array({{{"bone", "hips"}, {"node", 99}}})) == map + "/0/node");
  CHECK(pointer("VRM", 7) == map);
}

TEST_CASE("retarget: of several entries of a bone in VRM 0.x the first one counts") {
  GltfFile file = skinned_triangle();
  set_bones(file, "VRM",
            json::array({{{"bone", "hips"}, {"node", 1}}, {{"bone", "hips"}, {"node", 2}}}));
  const Asset asset = load(file);
  REQUIRE(asset.humanoid.bones.size() == 1);
  CHECK(asset.humanoid.bones[0].node == 1);
  const auto issue = std::find_if(asset.issues.begin(), asset.issues.end(), [](const Issue& found) {
    return found.code == "HUMANOID_MAP_INVALID";
  });
  REQUIRE(issue != asset.issues.end());
  CHECK(issue->pointer == "/extensions/VRM/humanoid/humanBones/1");
  CHECK(issue->message == "bone 'hips' is listed before; left out");
}
