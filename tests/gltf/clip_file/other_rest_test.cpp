// Clips of files with another unit, other proportions or other joint axes than the rig.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "clip/sampling/node_sampler.h"
#include "math/scalar.h"
#include "skinbake/gltf.h"
#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::test;
using nlohmann::json;

namespace {

// A tail of three bones below an armature. Sampled exports have such keys: a translation, a
// rotation and a scale of every bone, of which most do not leave the rest pose.
struct Tail {
  double armature = 1;                       // scale
  double unit = 1;                           // bones are multiplied by it
  std::vector<double> lengths{1, 0.7, 0.5};  // of the hips above the ground, and of two bones
  double axes_deg = 0;                       // every bone rests turned about its length by this
  bool is_cubic = false;
  std::vector<int> translated{1, 2, 3};  // nodes with keys of a translation
  bool turns = true;
};

std::vector<double> about_y(double degrees) {
  const double half = degrees * 3.141592653589793 / 360;
  return {0, std::sin(half), 0, std::cos(half)};
}

// Adds a channel of two keys to the file's animation.
void animate(GltfFile& file, int node, const char* path, bool is_cubic,
             const std::vector<std::vector<double>>& keys) {
  std::vector<float> numbers;
  for (const std::vector<double>& key : keys) {
    // The tangents point from the first key to the second, and are not 0.
    std::vector<double> tangent;
    for (std::size_t i = 0; i < key.size(); ++i) tangent.push_back(2 * (keys[1][i] - keys[0][i]));
    if (is_cubic) numbers.insert(numbers.end(), tangent.begin(), tangent.end());
    numbers.insert(numbers.end(), key.begin(), key.end());
    if (is_cubic) numbers.insert(numbers.end(), tangent.begin(), tangent.end());
  }
  json& animation = file.json["animations"][0];
  const int times = file.add<float>("SCALAR", {0, 1});
  const int values = file.add<float>(keys[0].size() == 4 ? "VEC4" : "VEC3", numbers);
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
  animation["samplers"].push_back({{"input", times},
                                   {"output", values},
                                   {"interpolation", is_cubic ? "CUBICSPLINE" : "LINEAR"}});
}

GltfFile file_of(const Tail& tail) {
  GltfFile file;
  file.json["animations"] = {
      {{"name", "Wag"}, {"channels", json::array()}, {"samplers", json::array()}}};
  file.json["nodes"] = {
      {{"name", "Armature"}, {"children", {1}}, {"scale", std::vector(3, tail.armature)}}};
  for (int bone = 1; bone <= 3; ++bone) {
    const double length = tail.unit * tail.lengths[static_cast<std::size_t>(bone - 1)];
    json node{{"name", "Bone" + std::to_string(bone)},
              {"translation", {0, length, 0}},
              {"rotation", about_y(tail.axes_deg)}};
    if (bone < 3) node["children"] = {bone + 1};
    file.json["nodes"].push_back(node);
    if (std::find(tail.translated.begin(), tail.translated.end(), bone) != tail.translated.end()) {
      animate(file, bone, "translation", tail.is_cubic,
              {{0, length, 0}, {bone == 1 ? 0.5 * tail.unit : 0, length, 0}});
    }
    animate(file, bone, "scale", false, {{1, 1, 1}, {1, 1, 1}});
    if (!tail.turns) continue;
    // A turn of 60 degrees about x of the scene, after the turns of the bones above.
    const double half = 3.141592653589793 / 6, angle = tail.axes_deg * 3.141592653589793 / 180;
    const double above = (bone - 1) * angle;
    const Quat<double> turn{std::cos(half), std::sin(half) * std::cos(above), 0,
                            std::sin(half) * std::sin(above)};
    const std::vector<double> r = about_y(tail.axes_deg);
    const Quat<double> q = turn * Quat<double>{r[3], r[0], r[1], r[2]};
    animate(file, bone, "rotation", false, {r, {q.x, q.y, q.z, q.w}});
  }
  file.json["scenes"] = {{{"nodes", {0}}}};
  return file;
}

struct Played {
  std::vector<Vec3<double>> places;  // [bone] in the scene
  MatchedClip matched;

  std::string codes() const {
    std::string text;
    for (const Issue& issue : matched.issues) text += (text.empty() ? "" : " ") + issue.code;
    return text;
  }
};

std::vector<Vec3<double>> places_of(const Skeleton& skeleton, const Clip& clip, double time_s) {
  NodeSampler sampler(skeleton, &clip, {1, 2, 3});
  sampler.sample(time_s);
  std::vector<Vec3<double>> places;
  for (const NodeIndex bone : {1, 2, 3})
    places.push_back(sampler.scene_from_node(bone).translation);
  return places;
}

Played played(const GltfFile& clip, const GltfFile& rig, double time_s,
              RetargetMode mode = RetargetMode::kAuto) {
  const ClipFile file = load_clip_file(TemporaryFile("clip.glb", clip.glb()).path());
  const Asset asset = load_asset(TemporaryFile("rig.glb", rig.glb()).path());
  Played result{{}, match_clip(file, file.clips.at(0), asset, {.mode = mode})};
  result.places = places_of(*asset.skeleton, result.matched.clip, time_s);
  return result;
}

std::vector<Vec3<double>> own_places(const GltfFile& file, double time_s) {
  const Asset asset = load_asset(TemporaryFile("own.glb", file.glb()).path());
  return places_of(*asset.skeleton, asset.clips.at(0), time_s);
}

double farthest(const std::vector<Vec3<double>>& a, const std::vector<Vec3<double>>& b) {
  double far = 0;
  for (std::size_t i = 0; i < a.size(); ++i) far = std::max(far, norm(a[i] - b[i]));
  return far;
}

constexpr double kTimes[] = {0, 0.3, 1};

// The clip of one file moves the rig of the other as the rig's own clip.
void check_unit(const Tail& clip, const Tail& rig, const std::string& factor) {
  for (const double time_s : kTimes) {
    CAPTURE(time_s);
    const GltfFile of_rig = file_of(rig);
    const Played moved = played(file_of(clip), of_rig, time_s);
    const std::vector<Vec3<double>> own = own_places(of_rig, time_s);
    CHECK(farthest(moved.places, own) <= 1e-6 * norm(own.back()));
    REQUIRE(moved.codes() == "CLIP_UNIT");
    CHECK(moved.matched.issues[0].severity == Severity::kInfo);
    CHECK(moved.matched.issues[0].message ==
          "clip 'Wag' is in another unit than the rig: its translations are multiplied by " +
              factor);
  }
}

}  // namespace

TEST_CASE("other rest: a unit that a scale above the bones holds multiplies translations") {
  check_unit({.armature = 0.01, .unit = 100}, {}, "0.01");
  check_unit({}, {.armature = 0.01, .unit = 100}, "100");
  check_unit({.armature = 0.0254, .unit = 1 / 0.0254}, {}, "0.0254");
  check_unit({.armature = 0.01, .unit = 100}, {.armature = 0.0254, .unit = 1 / 0.0254}, "0.3937");
}

TEST_CASE("other rest: a unit that no node holds multiplies translations") {
  check_unit({.unit = 100}, {}, "0.01");
  check_unit({.unit = 0.001}, {}, "1000");
}

TEST_CASE("other rest: a scale above bones that all lie at their parents holds the unit") {
  const Tail rig{.lengths = {0, 0, 0}};
  const Tail centimetres{.armature = 0.01, .unit = 100, .lengths = {0, 0, 0}};
  check_unit(centimetres, rig, "0.01");
  check_unit(rig, centimetres, "100");
  check_unit({.armature = 0.0254, .unit = 1 / 0.0254, .lengths = {0, 0, 0}, .is_cubic = true},
             {.lengths = {0, 0, 0}, .is_cubic = true}, "0.0254");
  CHECK(played(file_of(centimetres), file_of(centimetres), 1).codes() == "");
  Tail rotations = centimetres;
  rotations.translated = {};
  CHECK(played(file_of(rotations), file_of(rig), 1).codes() == "");
  // Also of a file without a rest pose, and between bones that are turned otherwise.
  GltfFile clip = file_of({.armature = 0.01, .unit = 100});
  for (json& node : clip.json["nodes"]) node.erase("translation");
  Played moved = played(clip, file_of({}), 1);
  CHECK(moved.codes() == "CLIP_UNIT");
  CHECK(farthest(moved.places, own_places(file_of({}), 1)) < 1e-6);
  Tail turned = centimetres;
  turned.axes_deg = 40;
  moved = played(file_of(turned), file_of(rig), 1);
  CHECK(moved.codes() == "REST_POSES_DIFFER");
  CHECK(farthest(moved.places, own_places(file_of(rig), 1)) < 1e-6);
}

TEST_CASE("other rest: the bones below a root at the origin, which do not move, tell its unit") {
  const auto root_of = [](double armature, double unit) {
    return file_of({armature, unit, {0, 0.7, 0.5}, 0, false, {1}, false});
  };
  const auto only_root = [](GltfFile clip) {
    clip.json["animations"][0]["channels"] =
        json::array({clip.json["animations"][0]["channels"][0]});
    return clip;
  };
  const GltfFile rig = root_of(1, 1), scaled = root_of(0.01, 100);
  const auto plays = [&](const GltfFile& clip, const GltfFile& of_rig, const char* codes) {
    const Played moved = played(only_root(clip), of_rig, 1);
    CHECK(moved.codes() == codes);
    CHECK(farthest(moved.places, own_places(of_rig, 1)) < 1e-6);
  };
  plays(root_of(1, 100), rig, "CLIP_UNIT");
  plays(scaled, rig, "CLIP_UNIT");
  plays(rig, scaled, "CLIP_UNIT");
  plays(root_of(1, 100), scaled, "");  // the file lacks the armature's scale
}

TEST_CASE("other rest: the differences of rest poses in two units are in the unit of the rig") {
  const auto message = [](const Tail& clip) {
    return played(file_of(clip), file_of({}), 1).matched.issues.at(0).message;
  };
  for (const double unit : {100.0, 1000.0, 1 / 0.0254}) {
    const std::string text = message({.unit = unit, .lengths = {1, 1.4, 0.5}});
    CHECK(text.find("and its translations are multiplied by ") != std::string::npos);
    CHECK(text.ends_with(": 'Bone2' by 0.0 degrees and 0.7 m"));
  }
  CHECK(message({.lengths = {1, 1.4, 0.5}}).find("multiplied") == std::string::npos);
}

TEST_CASE("other rest: tangents of cubic splines have the unit of their keys") {
  check_unit({.armature = 0.01, .unit = 100, .is_cubic = true}, {.is_cubic = true}, "0.01");
}

TEST_CASE("other rest: the bones below tell the unit of a root that alone has translations") {
  check_unit({.unit = 100, .translated = {1}}, {.translated = {1}}, "0.01");
  check_unit({.unit = 100, .lengths = {0, 0.7, 0.5}, .translated = {1}},
             {.lengths = {0, 0.7, 0.5}, .translated = {1}}, "0.01");
}

TEST_CASE("other rest: a unit is not an issue for a clip of rotations, nor for equal bones") {
  CHECK(played(file_of({.unit = 100, .translated = {}}), file_of({}), 1).codes() == "");
  CHECK(played(file_of({.armature = 0.01, .unit = 100}), file_of({.unit = 100}), 1).codes() == "");
}

TEST_CASE("other rest: keys are copied if the rest poses agree up to a hundredth of the bones") {
  GltfFile clip = file_of({.lengths = {1.004, 0.7, 0.5}});
  const Played moved = played(clip, file_of({}), 1);
  CHECK(moved.codes() == "");
  const std::vector<double> keys = *moved.matched.clip.channels.at(0).values;
  CHECK(keys == std::vector<double>{0, 1.004f, 0, 0.5, 1.004f, 0});
  // Another short bone, whose difference is below or above 1e-3 of the diagonal of 0.75.
  CHECK(played(file_of({.lengths = {1, 0.7, 0.0507}}), file_of({.lengths = {1, 0.7, 0.05}}), 1)
            .codes() == "");
  CHECK(played(file_of({.lengths = {1, 0.7, 0.0516}}), file_of({.lengths = {1, 0.7, 0.05}}), 1)
            .codes() == "REST_POSES_DIFFER");
}

TEST_CASE("other rest: bones keep the lengths of the rig, and the way of the hips its size") {
  const Tail rig{.lengths = {2, 0.3, 1.1}};
  for (const double unit : {1.0, 100.0}) {
    const Played moved = played(file_of({.armature = 1 / unit, .unit = unit}), file_of(rig), 1);
    REQUIRE(moved.codes() == "REST_POSES_DIFFER");
    CHECK(moved.matched.issues[0].message.find("'Bone1' by 0.0 degrees and 1 m, 'Bone3' by 0.0 "
                                               "degrees and 0.6 m, 'Bone2' by 0.0 degrees and 0.4 "
                                               "m") != std::string::npos);
    const std::vector<Vec3<double>>& p = moved.places;
    CHECK(norm(p[0] - Vec3<double>{1, 2, 0}) < 1e-6);  // twice as high, twice as far
    CHECK(norm(p[1] - p[0]) == doctest::Approx(0.3));
    CHECK(norm(p[2] - p[1]) == doctest::Approx(1.1));
    const std::vector<Vec3<double>> own = own_places(file_of(rig), 1);
    CHECK(farthest({p[1] - p[0], p[2] - p[1]}, {own[1] - own[0], own[2] - own[1]}) < 1e-6);
  }
}

TEST_CASE("other rest: bones turn about the same axes of the scene, whatever their own axes") {
  const GltfFile rig = file_of({.axes_deg = 25}), clip = file_of({.axes_deg = -70});
  for (const double time_s : kTimes) {
    CAPTURE(time_s);
    const Played moved = played(clip, rig, time_s);
    CHECK(moved.codes() == "REST_POSES_DIFFER");
    CHECK(farthest(moved.places, own_places(rig, time_s)) < 1e-6);
    CHECK(farthest(moved.places, own_places(clip, time_s)) < 1e-6);
  }
}

TEST_CASE("other rest: a turned armature that the rig lacks does not turn the bones' axes") {
  GltfFile clip = file_of({.lengths = {1, 0.9, 0.5}});
  const std::vector<Vec3<double>> expected = played(clip, file_of({}), 1).places;
  clip.json["nodes"][0]["rotation"] = {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  const Played moved = played(clip, file_of({}), 1);
  CHECK(moved.codes() == "REST_POSES_DIFFER");
  CHECK(farthest(moved.places, expected) < 1e-6);
}

TEST_CASE("other rest: a mirrored armature is not a unit") {
  GltfFile clip = file_of({.unit = 100});
  clip.json["nodes"][0]["scale"] = {-1, 1, 1};
  const Played moved = played(clip, file_of({}), 1);
  CHECK(moved.codes() == "REST_POSES_DIFFER");
  CHECK(norm(moved.places[2] - moved.places[1]) == doctest::Approx(0.5));
}

TEST_CASE("other rest: scales are relative to the rest pose") {
  GltfFile clip = file_of({});
  animate(clip, 0, "scale", false, {{0.01, 0.01, 0.01}, {0.02, 0.02, 0.02}});
  clip.json["nodes"][0]["scale"] = {0.01, 0.01, 0.01};
  const Played moved = played(clip, file_of({.unit = 0.01}), 1);
  CHECK(moved.codes() == "CLIP_UNIT");
  CHECK(moved.matched.issues[0].message.ends_with(
      "its translations are multiplied by 0.01, and its scales are relative to the rest pose"));
  const std::vector<double>& scales = *moved.matched.clip.channels.front().values;
  CHECK(scales.at(0) == doctest::Approx(1));
  CHECK(scales.at(3) == doctest::Approx(2));
}

TEST_CASE("other rest: the keys of a file without a rest pose are those of the rig") {
  GltfFile clip = file_of({});
  for (json& node : clip.json["nodes"]) node.erase("translation");
  const Played moved = played(clip, file_of({.lengths = {1, 0.7, 0.5}}), 1);
  CHECK(moved.codes() == "");
  CHECK(farthest(moved.places, own_places(file_of({}), 1)) < 1e-9);
}

TEST_CASE("other rest: the mode off copies keys in silence, and names never looks for a body") {
  const GltfFile clip = file_of({.unit = 100}), rig = file_of({});
  const Played off = played(clip, rig, 1, RetargetMode::kOff);
  CHECK(off.codes() == "");
  CHECK(farthest(off.places, own_places(clip, 1)) < 1e-4);
  const Played names = played(clip, rig, 1, RetargetMode::kNames);
  CHECK(names.codes() == "CLIP_UNIT");
  CHECK(farthest(names.places, own_places(rig, 1)) < 1e-6);
}

TEST_CASE("other rest: a rig of scale zero rests as itself") {
  const GltfFile hidden = file_of({.armature = 0});
  CHECK(played(hidden, hidden, 1).codes() == "");
}

TEST_CASE("other rest: a scale of zero and huge bones are moved without a crash") {
  for (const double armature : {0.0, 1e30}) {
    for (const double unit : {1.0, 3e38, 1e-38}) {
      CAPTURE(armature);
      CAPTURE(unit);
      played(file_of({.armature = armature, .unit = unit}), file_of({}), 1);
      played(file_of({}), file_of({.armature = armature, .unit = unit}), 1);
    }
  }
}

// ---- Nodes whose names do not tell them apart.

namespace {

GltfFile renamed(const Tail& tail, const std::vector<const char*>& names) {
  GltfFile file = file_of(tail);
  for (std::size_t n = 0; n < names.size(); ++n) {
    file.json["nodes"][n].erase("name");
    if (names[n] != nullptr) file.json["nodes"][n]["name"] = names[n];
  }
  return file;
}

}  // namespace

TEST_CASE("place: nodes of equal names pair by their place in the hierarchy") {
  using Names = std::vector<const char*>;
  for (const Names& names : {Names{"a", "a", "a", "a"}, Names{"root", "a", "a", "a"},
                             Names{"a", "b", "a", "b"}, Names{nullptr, nullptr, nullptr, nullptr},
                             Names{"", "", "", ""}, Names{"root", nullptr, "a", nullptr}}) {
    const GltfFile rig = renamed({}, names);
    const Played moved = played(renamed({}, names), rig, 1);
    CHECK(moved.codes() == "");
    CHECK(farthest(moved.places, own_places(rig, 1)) == 0);
  }
}

TEST_CASE("place: siblings of one name pair in their order, wherever their indices are") {
  GltfFile clip = renamed({}, {"root", "hips", "a", "a"});
  clip.json["nodes"][1]["children"] = {2, 3};
  clip.json["nodes"][2].erase("children");
  GltfFile rig = clip;
  rig.json["nodes"].push_back({{"name", "prop"}});
  const Played moved = played(clip, rig, 1);
  CHECK(moved.codes() == "");
  CHECK(farthest(moved.places, own_places(clip, 1)) == 0);
}

TEST_CASE("place: a skinned mesh without a name is not a node of the skeleton") {
  const std::vector<const char*> names(4, nullptr);
  GltfFile rig = renamed({}, names);
  const GltfFile clip = rig;
  const int position = rig.add<float>("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const int joints = rig.add<std::uint8_t>("VEC4", std::vector<std::uint8_t>(12, 0));
  const int weights = rig.add<float>("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  const json attributes{{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}};
  rig.json["meshes"] = {{{"primitives", {{{"attributes", attributes}}}}}};
  rig.json["skins"] = {{{"joints", {1, 2, 3}}}};
  rig.json["nodes"].push_back({{"mesh", 0}, {"skin", 0}});
  rig.json["scenes"][0]["nodes"] = {0, 4};
  const Played moved = played(clip, rig, 1);
  CHECK(moved.codes() == "");
  CHECK(moved.matched.moves_meshes);
  CHECK(farthest(moved.places, own_places(clip, 1)) == 0);
}

TEST_CASE("place: hierarchies that do not agree do not pair") {
  const std::vector<const char*> unnamed(4, nullptr), alike(4, "a");
  GltfFile rig = renamed({}, unnamed);
  rig.json["nodes"].push_back(json::object());  // a fifth node
  CHECK(played(renamed({}, unnamed), rig, 1).matched.clip.channels.empty());
  rig = renamed({}, unnamed);
  rig.json["nodes"][2].erase("children");  // the third bone is below the first
  rig.json["nodes"][1]["children"] = {2, 3};
  CHECK(played(renamed({}, unnamed), rig, 1).matched.clip.channels.empty());
  rig = renamed({}, alike);
  rig.json["nodes"].push_back({{"name", "a"}});
  CHECK(played(renamed({}, alike), rig, 1).codes().find("CLIP_NODE_AMBIGUOUS") !=
        std::string::npos);
}
