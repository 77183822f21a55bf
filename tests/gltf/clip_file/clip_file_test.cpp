// Clips from another file, by node name.

#include "skinbake/gltf.h"

#include <doctest/doctest.h>

#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;
using nlohmann::json;

namespace {

// A file of nodes and one clip "Move" that moves each of them along x by its number, in one second.
GltfFile animation_of(const std::vector<std::string>& names) {
  GltfFile file;
  const int times = file.add<float>("SCALAR", {0, 1});
  json channels = json::array(), samplers = json::array();
  for (std::size_t n = 0; n < names.size(); ++n) {
    file.json["nodes"].push_back(names[n].empty() ? json::object() : json{{"name", names[n]}});
    const auto far = static_cast<float>(n + 1);
    samplers.push_back(
        {{"input", times}, {"output", file.add<float>("VEC3", {0, 0, 0, far, 0, 0})}});
    channels.push_back({{"sampler", n}, {"target", {{"node", n}, {"path", "translation"}}}});
  }
  file.json["animations"] = {{{"name", "Move"}, {"channels", channels}, {"samplers", samplers}}};
  return file;
}

ClipFile load_clips_of(const GltfFile& file) {
  return load_clip_file(TemporaryFile("clip.glb", file.glb()).path());
}

MatchedClip match(const GltfFile& clip, const GltfFile& rig, const NameMap& names = {}) {
  const ClipFile file = load_clips_of(clip);
  return match_clip(file, file.clips.at(0), load(rig), {.names = names});
}

std::int64_t count_of(const Issues& issues, const std::string& code) {
  std::int64_t count = 0;
  for (const Issue& issue : issues) count += issue.code == code ? issue.count : 0;
  return count;
}

// The last key of the channel that moves a node; 0 if no channel does.
double goal(const MatchedClip& matched, NodeIndex node) {
  for (const Channel& channel : matched.clip.channels) {
    if (channel.node == node) return channel.values->at(3);
  }
  return 0;
}

}  // namespace

TEST_CASE("clip file: nodes are matched by name, whatever their order") {
  const MatchedClip matched = match(animation_of({"Tip", "Root"}), skinned_triangle());
  CHECK(matched.issues.empty());
  CHECK(matched.clip.name == "Move");
  REQUIRE(matched.clip.channels.size() == 2);
  CHECK(goal(matched, 2) == 1);  // Tip
  CHECK(goal(matched, 1) == 2);  // Root
}

TEST_CASE("clip file: a name that differs in case matches, and is reported") {
  const MatchedClip matched = match(animation_of({"ROOT", "tip"}), skinned_triangle());
  CHECK(count_of(matched.issues, "CLIP_NODE_CASE") == 2);
  CHECK(matched.clip.channels.size() == 2);
  CHECK(matched.issues[0].pointer == "/nodes/0");
}

TEST_CASE("clip file: an exact name wins over one that differs in case") {
  GltfFile rig = skinned_triangle();
  rig.json["nodes"].push_back({{"name", "tip"}});
  const MatchedClip matched = match(animation_of({"tip"}), rig);
  CHECK(matched.issues.empty());
  CHECK(goal(matched, 3) == 1);
}

TEST_CASE("clip file: an exact name wins wherever its node stands, over one that differs in case") {
  for (const bool exact_first : {true, false}) {
    CAPTURE(exact_first);
    GltfFile clip = animation_of({exact_first ? "Tip" : "TIP", exact_first ? "TIP" : "Tip"});
    for (const bool reversed : {false, true}) {
      auto& channels = clip.json["animations"][0]["channels"];
      if (reversed) std::reverse(channels.begin(), channels.end());
      const MatchedClip matched = match(clip, skinned_triangle());
      CHECK(goal(matched, 2) == (exact_first ? 1 : 2));
      REQUIRE(matched.issues.size() == 1);
      CHECK(matched.issues[0].code == "CLIP_NODE_UNMATCHED");
      CHECK(matched.issues[0].message.find("but the rig's 'Tip' is paired with another") !=
            std::string::npos);
    }
  }
}

TEST_CASE("clip file: a resting node of the clip keeps its exact match") {
  GltfFile clip = animation_of({"TIP", "Tip"});
  clip.json["animations"][0]["channels"].erase(1);
  const MatchedClip matched = match(clip, skinned_triangle());
  CHECK(matched.clip.channels.empty());
  CHECK(count_of(matched.issues, "CLIP_NODE_UNMATCHED") == 1);
}

TEST_CASE("clip file: of names that differ only in case, the first in the file moves the node") {
  const MatchedClip matched = match(animation_of({"TIP", "tip"}), skinned_triangle());
  CHECK(goal(matched, 2) == 1);
  CHECK(count_of(matched.issues, "CLIP_NODE_CASE") == 1);
  CHECK(count_of(matched.issues, "CLIP_NODE_UNMATCHED") == 1);
}

TEST_CASE("clip file: channels without a node are left out and reported, and the duration stays") {
  GltfFile clip = animation_of({"Tip", "Tail", ""});
  clip.json["animations"][0]["samplers"][1]["input"] = clip.add<float>("SCALAR", {0, 9});
  const MatchedClip matched = match(clip, skinned_triangle());
  CHECK(matched.clip.channels.size() == 1);
  CHECK(matched.clip.duration_s == 9);
  REQUIRE(matched.issues.size() == 2);
  CHECK(matched.issues[0].code == "CLIP_NODE_UNMATCHED");
  CHECK(matched.issues[0].pointer == "/nodes/1");
  CHECK(matched.issues[0].message.find("'Tail' (translation)") != std::string::npos);
  CHECK(matched.issues[1].message.find("node 2 (translation), which does not have a name") !=
        std::string::npos);
}

TEST_CASE("clip file: a clip without a match becomes the rest pose, and an issue reports it") {
  const MatchedClip matched = match(animation_of({"a", "b"}), skinned_triangle());
  CHECK(matched.clip.channels.empty());
  CHECK(count_of(matched.issues, "CLIP_EMPTY") == 1);
}

TEST_CASE("clip file: of several nodes with one name the first is moved, and an issue reports it") {
  GltfFile rig = skinned_triangle();
  rig.json["nodes"].push_back({{"name", "Tip"}});
  const MatchedClip matched = match(animation_of({"Tip"}), rig);
  CHECK(count_of(matched.issues, "CLIP_NODE_AMBIGUOUS") == 1);
  CHECK(goal(matched, 2) == 1);
  CHECK(goal(matched, 3) == 0);
}

namespace {

// Two triangles with joints "Root" and "Tip": 1 and 2 below "ArmA", 4 and 5 below "ArmB".
GltfFile two_people() {
  GltfFile rig = skinned_triangle();
  rig.json["nodes"].push_back({{"name", "Woman"}, {"mesh", 0}, {"skin", 1}});
  rig.json["nodes"].push_back({{"name", "Root"}, {"children", {5}}});
  rig.json["nodes"].push_back({{"name", "Tip"}, {"translation", {0, 1, 0}}});
  rig.json["nodes"].push_back({{"name", "ArmA"}, {"children", {1}}});
  rig.json["nodes"].push_back({{"name", "ArmB"}, {"children", {4}}});
  rig.json["skins"].push_back({{"joints", {4, 5}}});
  rig.json["scenes"][0]["nodes"] = {0, 3, 6, 7};
  return rig;
}

// A clip of "Root" and "Tip" below an armature that does not move.
GltfFile clip_below(const std::string& armature) {
  GltfFile clip = animation_of({armature, "Root", "Tip"});
  clip.json["nodes"][0]["children"] = {1};
  clip.json["nodes"][1]["children"] = {2};
  clip.json["animations"][0]["channels"].erase(0);
  return clip;
}

}  // namespace

TEST_CASE("clip file: of two characters the clip moves the one below its armature") {
  for (const char* armature : {"ArmA", "ArmB"}) {
    const bool is_first = armature == std::string("ArmA");
    const MatchedClip matched = match(clip_below(armature), two_people());
    CHECK(goal(matched, is_first ? 1 : 4) == 2);
    CHECK(goal(matched, is_first ? 2 : 5) == 3);
    CHECK(matched.clip.channels.size() == 2);
    REQUIRE(matched.issues.size() == 1);  // the other character stays at rest
    CHECK(matched.issues[0].code == "CLIP_LEAVES_MESH");
    CHECK(matched.issues[0].severity == Severity::kInfo);
    CHECK(matched.issues[0].pointer == (is_first ? "/nodes/3" : "/nodes/0"));
    CHECK(matched.issues[0].message.find(is_first ? "'Woman'" : "'Man'") != std::string::npos);
  }
  const MatchedClip unknown = match(clip_below("Arm"), two_people());
  CHECK(count_of(unknown.issues, "CLIP_NODE_AMBIGUOUS") == 2);
  CHECK(goal(unknown, 1) == 2);
}

TEST_CASE("clip file: of two characters of the clip the one below the rig's armature moves it") {
  GltfFile clip = animation_of({"ArmA", "Root", "ArmB", "Root"});
  clip.json["nodes"][0]["children"] = {1};
  clip.json["nodes"][2]["children"] = {3};
  GltfFile rig = skinned_triangle();
  rig.json["nodes"].push_back({{"name", "ArmB"}, {"children", {1}}});
  rig.json["scenes"][0]["nodes"] = {0, 3};
  const MatchedClip matched = match(clip, rig);
  CHECK(goal(matched, 1) == 4);
  CHECK(count_of(matched.issues, "CHANNEL_IGNORED") == 1);
  CHECK(count_of(matched.issues, "CLIP_LEAVES_MESH") == 0);
}

TEST_CASE("clip file: a joint takes precedence over the node of a skinned mesh of its name") {
  GltfFile rig = skinned_triangle();
  rig.json["nodes"][0]["name"] = "Tip";
  for (const char* name : {"Tip", "tip"}) {
    const MatchedClip matched = match(animation_of({name}), rig);
    CHECK(goal(matched, 2) == 1);
    CHECK(matched.issues.size() == (name == std::string("Tip") ? 0 : 1));  // CLIP_NODE_CASE
  }
  NameMap names;
  names.clip_name_of = {{"Tip", "Tail"}};
  CHECK(goal(match(animation_of({"Tail"}), rig, names), 2) == 1);
  CHECK(goal(match(animation_of({"Root", "Tip"}), rig), 2) == 2);
}

TEST_CASE("clip file: a clip of nodes that do not move vertices does not move meshes") {
  GltfFile rig = skinned_triangle();
  rig.json["nodes"].push_back({{"name", "Weightless"}});
  rig.json["nodes"].push_back({{"name", "Above"}, {"children", {1}}});
  rig.json["nodes"].push_back({{"name", "Holder"}, {"children", {0}}});
  rig.json["scenes"][0]["nodes"] = {3, 4, 5};
  rig.json["skins"][0]["joints"] = {1, 2, 3};
  const auto moves = [&](const char* name) {
    const MatchedClip matched = match(animation_of({name}), rig);
    CHECK(matched.clip.channels.size() == 1);
    return matched.moves_meshes;
  };
  for (const char* still : {"Man", "Weightless", "Holder"}) CHECK_FALSE(moves(still));
  for (const char* moving : {"Root", "Tip", "Above"}) CHECK(moves(moving));
  rig.json["nodes"][0].erase("skin");
  CHECK(moves("Man"));
  CHECK(moves("Holder"));
  CHECK_FALSE(moves("Root"));
}

TEST_CASE("clip file: of two nodes of the clip with one name only one moves the rig's node") {
  const MatchedClip matched = match(animation_of({"Tip", "Tip"}), skinned_triangle());
  CHECK(matched.clip.channels.size() == 1);
  CHECK(count_of(matched.issues, "CHANNEL_IGNORED") == 1);
}

TEST_CASE("clip file: the map pairs names, and paired nodes no longer match by name") {
  NameMap names;
  names.path = "map.json";
  names.clip_name_of = {{"Tip", "mixamorig:Head"}};
  const MatchedClip matched =
      match(animation_of({"mixamorig:Head", "Tip", "Root"}), skinned_triangle(), names);
  CHECK(goal(matched, 2) == 1);
  CHECK(goal(matched, 1) == 3);
  CHECK(matched.clip.channels.size() == 2);
  REQUIRE(count_of(matched.issues, "CLIP_NODE_UNMATCHED") == 1);
  CHECK(matched.issues[0].message.find("does not have") == std::string::npos);  // it has a "Tip"
}

TEST_CASE("clip file: one node of the clip can move several nodes of the rig") {
  NameMap names;
  names.path = "map.json";
  names.clip_name_of = {{"Tip", "Hip"}, {"Root", "Hip"}};
  const MatchedClip matched = match(animation_of({"Hip"}), skinned_triangle(), names);
  CHECK(goal(matched, 1) == 1);
  CHECK(goal(matched, 2) == 1);
}

TEST_CASE("clip file: of several nodes with a name in the map, the first that moves is used") {
  GltfFile clip = animation_of({"a", "a", "a"});
  clip.json["animations"][0]["channels"].erase(0);  // node 0 rests
  const MatchedClip matched =
      match(clip, skinned_triangle(), {"map.json", "map.json", {{"Tip", "a"}, {"Root", "a"}}, {}});
  CHECK(matched.clip.channels.size() == 2);
  CHECK(goal(matched, 1) == 2);
  CHECK(goal(matched, 2) == 2);
  REQUIRE(matched.issues.size() == 1);
  CHECK(matched.issues[0].code == "CHANNEL_IGNORED");
  CHECK(matched.issues[0].pointer == "/nodes/2");
  CHECK(matched.issues[0].message ==
        "clip 'Move': translation of a further node 'a', a name in the map, is not used; ignored");
}

TEST_CASE("clip file: unknown names of the map are reported with their position in the map") {
  NameMap names;
  names.path = names.shown_as = "map.json";
  names.clip_name_of = {{"Nose/1", "Tip"}, {"Tip", "Ear"}};
  const MatchedClip matched = match(animation_of({"Tip"}), skinned_triangle(), names);
  REQUIRE(count_of(matched.issues, "MAP_NAME_UNKNOWN") == 2);
  const auto first = std::find_if(matched.issues.begin(), matched.issues.end(),
                                  [](const Issue& i) { return i.code == "MAP_NAME_UNKNOWN"; });
  CHECK(first->file == "map.json");
  CHECK(first->pointer == "/Nose~11");
}

TEST_CASE("clip file: the map names nodes by their index, if no node has the index as its name") {
  NameMap names;
  names.path = names.shown_as = "map.json";
  GltfFile rig = skinned_triangle();
  rig.json["nodes"][2].erase("name");
  names.clip_name_of = {{"#2", "#1"}, {"Root", "#3"}};
  GltfFile clip = animation_of({"Root", "", "x", "y"});
  MatchedClip matched = match(clip, rig, names);
  CHECK(goal(matched, 2) == 2);
  CHECK(goal(matched, 1) == 4);
  CHECK(count_of(matched.issues, "MAP_NAME_UNKNOWN") == 0);
  clip.json["nodes"][2]["name"] = "#3";  // a name takes precedence over an index
  CHECK(goal(match(clip, rig, names), 1) == 3);
  for (const char* wrong : {"#", "#03", "#-1", "#1x", "#4", "#99999999999", ""}) {
    CAPTURE(wrong);
    names.clip_name_of = {{wrong, wrong}};
    matched = match(clip, rig, names);
    CHECK(count_of(matched.issues, "MAP_NAME_UNKNOWN") == 2);
  }
}

TEST_CASE("clip file: a node with a matrix cannot be moved") {
  GltfFile rig = skinned_triangle();
  rig.json["nodes"][2].erase("translation");
  rig.json["nodes"][2]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const MatchedClip matched = match(animation_of({"Tip"}), rig);
  CHECK(matched.clip.channels.empty());
  CHECK(count_of(matched.issues, "CHANNEL_IGNORED") == 1);
}

TEST_CASE(
    "clip file: morph weights require the same number of targets, even if the clip's file does not "
    "have a mesh") {
  GltfFile clip;
  clip.json["nodes"] = {{{"name", "Man"}}};
  clip.json["animations"] = {
      {{"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}}},
       {"samplers",
        {{{"input", clip.add<float>("SCALAR", {0, 1})},
          {"output", clip.add<float>("SCALAR", {0, 0.5f, 1, 0.25f})}}}}}};
  GltfFile rig = skinned_triangle();
  auto& targets = rig.json["meshes"][0]["primitives"][0]["targets"];
  targets.push_back({{"POSITION", 0}});
  CHECK(count_of(match(clip, rig).issues, "CHANNEL_IGNORED") == 1);
  targets.push_back({{"POSITION", 0}});
  const MatchedClip matched = match(clip, rig);
  REQUIRE(matched.clip.channels.size() == 1);
  CHECK(matched.clip.channels[0].width == 2);
  CHECK(count_of(match(clip, skinned_triangle()).issues, "CHANNEL_IGNORED") == 1);
}

TEST_CASE("clip file: a channel of one weight moves a target that the rig has") {
  const auto with_targets = [](std::size_t count) {
    GltfFile file = skinned_triangle();
    file.json["nodes"][0]["name"] = "Man";
    json& targets = file.json["meshes"][0]["primitives"][0]["targets"];
    for (std::size_t t = 0; t < count; ++t) targets.push_back({{"POSITION", 0}});
    return file;
  };
  GltfFile clip = with_targets(3);
  const auto pointing_to = [&](const std::string& pointer) {
    clip.json["nodes"][0].erase("skin");
    clip.json["extensionsUsed"] = {"KHR_animation_pointer"};
    json target{{"path", "pointer"}};
    target["extensions"]["KHR_animation_pointer"]["pointer"] = pointer;
    clip.json["animations"] = {{{"channels", {{{"sampler", 0}, {"target", target}}}},
                                {"samplers",
                                 {{{"input", clip.add<float>("SCALAR", {0, 1})},
                                   {"output", clip.add<float>("SCALAR", {0, 1})}}}}}};
    return clip;
  };
  const auto accepts = [&](const std::string& pointer, std::size_t targets) {
    return match(pointing_to(pointer), with_targets(targets)).clip.channels.size() == 1;
  };
  CHECK(accepts("/nodes/0/weights/2", 3));
  CHECK(accepts("/nodes/0/weights/2", 4));
  CHECK_FALSE(accepts("/nodes/0/weights/2", 2));
  CHECK_FALSE(accepts("/nodes/0/weights/2", 1));
  CHECK(accepts("/nodes/0/weights/0", 3));
  clip = with_targets(1);
  clip.json["nodes"][0].erase("mesh");  // the rig alone has the mesh
  CHECK(accepts("/nodes/0/weights/1", 2));
  CHECK(accepts("/nodes/0/weights/2", 3));
  CHECK_FALSE(accepts("/nodes/0/weights/2", 2));
  CHECK_FALSE(accepts("/nodes/0/weights/4999", 1));
  CHECK_FALSE(accepts("/nodes/0/weights/2147483647", 1));
  CHECK_FALSE(accepts("/nodes/0/weights/2147483648", 1));
  const MatchedClip one = match(pointing_to("/nodes/0/weights/1"), with_targets(2));
  REQUIRE(one.clip.channels.size() == 1);
  CHECK(one.clip.channels[0].first_weight == 1);
  CHECK(one.clip.channels[0].width == 1);
  clip = with_targets(1);
  CHECK(accepts("/nodes/0/weights", 1));
  CHECK_FALSE(accepts("/nodes/0/weights", 3));
}

namespace {

// A mesh node "Man" with named morph targets, and a clip of all of its weights; [key][target].
GltfFile face_of(const std::vector<std::string>& names, const std::vector<float>& keys = {},
                 const char* interpolation = "LINEAR") {
  GltfFile file = skinned_triangle();
  for (std::size_t t = 0; t < names.size(); ++t) {
    file.json["meshes"][0]["primitives"][0]["targets"].push_back({{"POSITION", 0}});
  }
  file.json["meshes"][0]["extras"]["targetNames"] = names;
  file.json["meshes"][0]["weights"] = std::vector<double>(names.size(), 0.5);
  if (keys.empty()) return file;
  file.json["animations"] = {
      {{"name", "Face"},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}}},
       {"samplers",
        {{{"input", file.add<float>("SCALAR", {0, 1})},
          {"output", file.add<float>("SCALAR", keys)},
          {"interpolation", interpolation}}}}}};
  return file;
}

}  // namespace

TEST_CASE("clip file: morph weights move the targets of their names, whatever the order") {
  const GltfFile clip = face_of({"smile", "blink", "open"}, {1, 2, 3, 4, 5, 6});
  const MatchedClip matched = match(clip, face_of({"open", "smile", "blink"}));
  CHECK(matched.issues.empty());
  REQUIRE(matched.clip.channels.size() == 1);
  CHECK(*matched.clip.channels[0].values == std::vector<double>{3, 1, 2, 6, 4, 5});

  const std::vector<float> keys{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const MatchedClip cubic =
      match(face_of({"smile", "blink"}, keys, "CUBICSPLINE"), face_of({"blink", "other", "smile"}));
  REQUIRE(cubic.clip.channels.size() == 1);
  CHECK(cubic.clip.channels[0].width == 3);
  CHECK(*cubic.clip.channels[0].values ==
        std::vector<double>{2, 0, 1, 4, 0.5, 3, 6, 0, 5, 8, 0, 7, 10, 0.5, 9, 12, 0, 11});
}

TEST_CASE(
    "clip file: morph targets without a partner of their name rest, and an issue lists them") {
  const MatchedClip matched =
      match(face_of({"smile", "blink"}, {1, 2, 3, 4}), face_of({"frown", "smile", "open"}));
  REQUIRE(matched.clip.channels.size() == 1);
  CHECK(matched.clip.channels[0].width == 3);
  CHECK(*matched.clip.channels[0].values == std::vector<double>{0.5, 1, 0.5, 0.5, 3, 0.5});
  REQUIRE(matched.issues.size() == 1);
  CHECK(matched.issues[0].code == "MORPH_NAMES_DIFFER");
  CHECK(matched.issues[0].pointer == "/nodes/0");
  CHECK(matched.issues[0].message ==
        "clip 'Face' and the rig's node 'Man' do not name the same morph targets: morph targets "
        "that keep their rest weights: 2 ('frown', 'open'); weights without a morph target: 1 "
        "('blink')");

  const MatchedClip none = match(face_of({"a", "b"}, {1, 2, 3, 4}), face_of({"c", "d"}));
  CHECK(none.clip.channels.empty());
  CHECK(count_of(none.issues, "CHANNEL_IGNORED") == 1);
}

TEST_CASE("clip file: morph targets of one name pair in their order") {
  const GltfFile clip = face_of({"a", "b", "a"}, {1, 2, 3, 4, 5, 6});
  const MatchedClip matched = match(clip, face_of({"b", "a", "a"}));
  CHECK(matched.issues.empty());
  CHECK(*matched.clip.channels.at(0).values == std::vector<double>{2, 1, 3, 5, 4, 6});
  const MatchedClip same = match(clip, face_of({"a", "b", "a"}));
  CHECK(same.issues.empty());
  CHECK(*same.clip.channels.at(0).values == std::vector<double>{1, 2, 3, 4, 5, 6});

  const MatchedClip other = match(clip, face_of({"b", "a", "c"}));
  CHECK(*other.clip.channels.at(0).values == std::vector<double>{2, 1, 0.5, 5, 4, 0.5});
  REQUIRE(count_of(other.issues, "MORPH_NAMES_DIFFER") == 1);
  CHECK(
      other.issues[0].message.ends_with("morph targets that keep their rest weights: 1 ('c'); "
                                        "weights without a morph target: 1 ('a')"));
}

TEST_CASE("clip file: morph weights keep their order unless both files name every target") {
  GltfFile clip = face_of({"smile", "blink"}, {1, 2, 3, 4}), rig = face_of({"blink", "smile"});
  const auto keeps_order = [&] {
    const MatchedClip matched = match(clip, rig);
    CHECK(matched.issues.empty());
    return matched.clip.channels.size() == 1 &&
           *matched.clip.channels[0].values == std::vector<double>{1, 2, 3, 4};
  };
  for (const json& names : {json(nullptr), json{"smile"}, json{"", ""}, json{"smile", 1},
                            json{"smile", "blink", "open"}, json{{"smile", "blink"}}}) {
    CAPTURE(names.dump());
    clip.json["meshes"][0]["extras"]["targetNames"] = names;
    CHECK(keeps_order());
  }
  clip = face_of({"smile", "blink"}, {1, 2, 3, 4});
  clip.json["nodes"][0].erase("mesh");
  clip.json["nodes"][0].erase("skin");
  CHECK(keeps_order());
  clip = face_of({"smile", "blink"}, {1, 2, 3, 4});
  rig.json["meshes"][0].erase("extras");
  CHECK(keeps_order());
}

TEST_CASE("clip file: a channel of one weight moves the target of its name") {
  GltfFile clip = face_of({"smile", "blink"}, {1, 2, 3, 4});
  clip.json["extensionsUsed"] = {"KHR_animation_pointer"};
  json target{{"path", "pointer"}};
  target["extensions"]["KHR_animation_pointer"]["pointer"] = "/nodes/0/weights/1";
  clip.json["animations"][0]["channels"][0]["target"] = target;
  clip.json["animations"][0]["samplers"][0]["output"] = clip.add<float>("SCALAR", {0, 1});
  const MatchedClip matched = match(clip, face_of({"blink", "smile"}));
  REQUIRE(matched.clip.channels.size() == 1);
  CHECK(matched.clip.channels[0].first_weight == 0);
  const MatchedClip none = match(clip, face_of({"wink", "smile"}));
  CHECK(none.clip.channels.empty());
  CHECK(count_of(none.issues, "CHANNEL_IGNORED") == 1);
}

TEST_CASE("clip file: clips share keys of morph weights in another order") {
  const ClipFile file = load_clips_of(face_of({"smile", "blink"}, {1, 2, 3, 4}));
  const Asset rig = load(face_of({"blink", "smile"}));
  const RetargetOptions options;
  ClipMatcher matcher(file, rig, options);
  const MatchedClip first = matcher.match(file.clips[0]), again = matcher.match(file.clips[0]);
  CHECK(again.clip.channels.at(0).values == first.clip.channels.at(0).values);
  CHECK(*again.clip.channels.at(0).values == std::vector<double>{2, 1, 4, 3});
}

TEST_CASE("clip file: inputs have the role clip, and meshes are not read") {
  GltfFile clip = animation_of({"Tip"});
  clip.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", 0}}}}}}}};  // not a VEC3
  clip.json["nodes"][0]["mesh"] = 0;
  const ClipFile file = load_clips_of(clip);
  REQUIRE(file.inputs.size() == 1);
  CHECK(file.inputs[0].role == "clip");
  CHECK(file.clips.size() == 1);
}

TEST_CASE("name map: errors refer to positions in the map") {
  const auto problem = [](const std::string& text) {
    const TemporaryFile written("map.json", text);
    try {
      load_name_map(written.path());
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kInput);
      CHECK(std::string(error.what()).find("glTF") == std::string::npos);
      CHECK(std::string(error.what()).find("map of names") != std::string::npos);
      return error.code();
    }
    return std::string("loaded");
  };
  CHECK(problem(R"({"a": "b", "c": "d"})") == "loaded");
  CHECK(problem("{}") == "loaded");
  for (const std::string& text : {std::string(), std::string("["), std::string("[]"),
                                  std::string("null"), std::string(R"({"a": 1})"),
                                  std::string(R"({"a": {"b": "c"}})"), std::string(100'000, '[')}) {
    CAPTURE(text.substr(0, 20));
    CHECK(problem(text) == "MAP_INVALID");
  }
  CHECK_THROWS_WITH_AS(load_name_map("/nowhere/map.json"), doctest::Contains("does not exist"),
                       Error);
}
