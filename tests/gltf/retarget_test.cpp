// VRM animations: humanoid bones are matched instead of names, and keys are converted to the rig's
// frames.

#include <doctest/doctest.h>

#include "math/scalar.h"
#include "skinbake/clip_file.h"
#include "support/gltf_file.h"

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

MatchedClip retargeted(const GltfFile& clip, const GltfFile& rig,
                       std::uint64_t max_memory = 1 << 20, const NameMap& names = {}) {
  const TemporaryFile text("clip.vrma", clip.glb());
  const ClipFile file = load_clip_file(text.path(), {.max_memory = max_memory});
  return match_clip(file, file.clips.at(0), load(rig), names);
}

Numbers values(const MatchedClip& matched, NodeIndex node) {
  for (const Channel& channel : matched.clip.channels) {
    if (channel.node == node) return *channel.values;
  }
  return {};
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
  const MatchedClip matched = retargeted(animation(), humanoid());
  CHECK(matched.issues.empty());
  const Numbers q = values(matched, 2);
  REQUIRE(q.size() == 8);
  check_near({q.begin(), q.begin() + 4}, kRigArm);  // at rest where the clip is
  const Quat<double> found = turn_in_scene(kRigHips, kRigArm, {q[7], q[4], q[5], q[6]});
  const Quat<double> expected = turn_in_scene(kClipHips, kClipArm, quat(kKey));
  check_near({found.w, found.x, found.y, found.z},
             {expected.w, expected.x, expected.y, expected.z});
  check_near(values(matched, 1), {0, 1, 0, 0.5, 1, 1.5});  // half as high, half as far
}

TEST_CASE("retarget: a rig that faces the opposite direction, as in VRM 0.x, gets a half turn") {
  const MatchedClip matched = retargeted(animation(), humanoid(-1));
  const Numbers q = values(matched, 2);
  REQUIRE(q.size() == 8);
  check_near({q.begin(), q.begin() + 4}, kRigArm);
  const Quat<double> found = turn_in_scene(kRigHips, kRigArm, {q[7], q[4], q[5], q[6]});
  const Quat<double> expected = turn_in_scene(kClipHips, kClipArm, quat(kKey));
  check_near({found.w, found.x, found.y, found.z},
             {expected.w, -expected.x, expected.y, -expected.z});
  check_near(values(matched, 1), {0, 1, 0, -0.5, 1, -1.5});
}

TEST_CASE("retarget: tangents of splines are rotated with their keys, but not translated") {
  GltfFile rig = humanoid();
  rig.json["nodes"].push_back({{"translation", {0, 0.5, 0}}, {"children", {1}}});
  rig.json["nodes"][1]["translation"] = {0, 0.5, 0};  // the hips do not move
  const Numbers moves = values(retargeted(animation("CUBICSPLINE"), rig), 1);
  check_near(moves, {0.5, 0.5, 0.5, 0, 0.5, 0, 0.5, 0.5, 0.5,  //
                     0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 0.5});
}

TEST_CASE("retarget: without humanoid maps on both sides names match, and keys are not changed") {
  GltfFile rig = humanoid();
  rig.json.erase("extensions");
  rig.json.erase("extensionsUsed");
  const MatchedClip matched = retargeted(animation(), rig);
  REQUIRE(matched.clip.channels.size() == 1);  // "Root"
  CHECK(matched.clip.channels[0].values->at(4) == doctest::Approx(0.48));
}

TEST_CASE("retarget: between humanoids a node that is not a bone is not matched by its name") {
  for (const char* name : {"Tail", "tail"}) {  // a matching name, and one that differs in case
    GltfFile clip = animation(), rig = humanoid();
    clip.json["nodes"].push_back({{"name", name}});
    clip.json["animations"][0]["channels"].push_back(
        {{"sampler", 1}, {"target", {{"node", 4}, {"path", "translation"}}}});
    rig.json["nodes"].push_back({{"name", "Tail"}});
    MatchedClip matched = retargeted(clip, rig);
    CHECK(matched.clip.channels.size() == 2);  // those of the bones
    REQUIRE(matched.issues.size() == 1);
    CHECK(matched.issues[0].code == "CLIP_NODE_UNMATCHED");
    CHECK(matched.issues[0].severity == Severity::kWarning);
    CHECK(matched.issues[0].pointer == "/nodes/4");
    CHECK(matched.issues[0].message.find("which is not a humanoid bone") != std::string::npos);
    NameMap names;
    names.path = names.shown_as = "map.json";
    names.clip_name_of = {{"Tail", name}};  // the map pairs it on purpose
    matched = retargeted(clip, rig, 1 << 20, names);
    CHECK(matched.issues.empty());
    CHECK(values(matched, 5).size() == 6);
    rig.json.erase("extensions");
    rig.json.erase("extensionsUsed");
    CHECK(values(retargeted(clip, rig), 5).size() == 6);  // the rig is not a humanoid
  }
}

TEST_CASE("retarget: missing bones and unsupported properties are reported") {
  GltfFile clip = animation();
  clip.json["animations"][0]["channels"].push_back(
      {{"sampler", 1}, {"target", {{"node", 1}, {"path", "scale"}}}});
  MatchedClip matched = retargeted(clip, humanoid());
  REQUIRE(matched.issues.size() == 1);
  CHECK(matched.issues[0].code == "CHANNEL_IGNORED");
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
  CHECK(values(retargeted(clip, rig), 2).size() == 8);
}

TEST_CASE("retarget: hips that are not above the ground are not scaled, and an issue reports it") {
  const Numbers moved{0, 2, 0, 1, 2, 3};
  for (const double height : {0.0, -1.0, 1e-6, 0.009}) {
    CAPTURE(height);
    GltfFile clip = animation(), rig = humanoid();
    clip.json["nodes"][0]["translation"][1] = height;
    MatchedClip matched = retargeted(clip, rig);
    REQUIRE(matched.issues.size() == 1);
    CHECK(matched.issues[0].code == "HUMANOID_UNSCALED");
    CHECK(matched.issues[0].severity == Severity::kWarning);
    CHECK(matched.issues[0].pointer == "/nodes/0");
    check_near(values(matched, 1), moved);
    rig.json["nodes"][1]["translation"][1] = height;
    matched = retargeted(animation(), rig);
    REQUIRE(matched.issues.size() == 1);
    CHECK(matched.issues[0].code == "HUMANOID_UNSCALED");
    check_near(values(matched, 1), moved);
  }
  GltfFile low = humanoid();
  low.json["nodes"][1]["translation"][1] = 0.02;
  const MatchedClip matched = retargeted(animation(), low);
  CHECK(matched.issues.empty());
  check_near(values(matched, 1), {0, 0.02, 0, 0.01, 0.02, 0.03});
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

TEST_CASE("retarget: converted keys stay within the memory limit") {
  GltfFile clip;  // 40 bones that share their keys
  const int times = clip.add<float>("SCALAR", std::vector<float>(1000, 0));
  const int turns = clip.add<float>("VEC4", std::vector<float>(4000, 1));
  json channels = json::array(), bones;
  GltfFile rig = skinned_triangle();
  for (int n = 0; n < 40; ++n) {
    clip.json["nodes"].push_back(json::object());
    rig.json["nodes"].push_back(json::object());
    bones["bone" + std::to_string(n)] = {{"node", n}};
    channels.push_back({{"sampler", 0}, {"target", {{"node", n}, {"path", "rotation"}}}});
  }
  clip.json["animations"] = {
      {{"samplers", {{{"input", times}, {"output", turns}}}}, {"channels", channels}}};
  set_bones(clip, "VRMC_vrm_animation", bones);
  set_bones(rig, "VRMC_vrm", bones);
  CHECK(retargeted(clip, rig, 4 << 20).clip.channels.size() == 40);
  try {
    retargeted(clip, rig, 1 << 20);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == "MEMORY_LIMIT");
    CHECK(std::string(error.what()).find("cut the clip") != std::string::npos);
  }
}
