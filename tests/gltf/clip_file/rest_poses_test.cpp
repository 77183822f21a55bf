// Clips of files whose rest pose is not that of the rig.

#include "gltf/clip_file/rest_poses.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "rig/rest_pose.h"
#include "skinbake/gltf.h"
#include "support/gltf/gltf_file.h"

using namespace skinbake;
using namespace skinbake::gltf;
using namespace skinbake::test;
using nlohmann::json;

namespace {

Skeleton turned(double degrees, int nodes = 1) {
  Skeleton skeleton;
  for (int n = 0; n < nodes; ++n) {
    Node node;
    const double half = (n + 1) * degrees * 3.141592653589793 / 360;
    node.rotation = {std::cos(half), 0, std::sin(half), 0};
    node.name = "bone " + std::to_string(n);
    skeleton.order.push_back(n);
    skeleton.nodes.push_back(node);
  }
  return skeleton;
}

// A clip that moves the property of "Tip", whose rest rotation in the clip's file is a half turn.
GltfFile rotating_clip(const std::string& path) {
  GltfFile file;
  file.json["nodes"] = {{{"name", "Tip"}, {"translation", {0, 1, 0}}, {"rotation", {0, 1, 0, 0}}}};
  const bool is_rotation = path == "rotation";
  const int values = is_rotation ? file.add<float>("VEC4", {0, 0, 0, 1, 0, 0, 1, 0})
                                 : file.add<float>("VEC3", {0, 0, 0, 1, 0, 0});
  const int times = file.add<float>("SCALAR", {0, 1});
  file.json["animations"] = {
      {{"name", "Move"},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", path}}}}}},
       {"samplers", {{{"input", times}, {"output", values}}}}}};
  return file;
}

std::string differences(const Skeleton& from, const Skeleton& to,
                        std::vector<NodePair> pairs = {{0, 0}}) {
  for (NodePair& pair : pairs) pair.turns = true;
  const RestFrames rest(from), rig_rest(to);
  return RestComparison(rest, rig_rest, pairs).differences();
}

Issues issues_of(const GltfFile& clip, const GltfFile& rig) {
  const ClipFile file = load_clip_file(TemporaryFile("clip.glb", clip.glb()).path());
  return match_clip(file, file.clips.at(0), load(rig)).issues;
}

}  // namespace

TEST_CASE("rest poses: rotations that differ by 0.1 degrees at the most are one pose") {
  CHECK(differences(turned(20), turned(20.09)) == "");
  CHECK(differences(turned(20), turned(20.2)) == "'bone 0' by 0.2 degrees and 0 m");
  Skeleton other = turned(20);
  const Quat<double> q = other.nodes[0].rotation;
  other.nodes[0].rotation = {-q.w, -q.x, -q.y, -q.z};  // the same rotation
  CHECK(differences(turned(20), other) == "");
}

TEST_CASE("rest poses: a scale that mirrors is no rotation") {
  Skeleton mirrored = turned(20);
  mirrored.nodes[0].scale = {-1, 1, 1};
  CHECK(differences(turned(20), mirrored) == "");
  CHECK(differences(mirrored, turned(20)) == "");
  CHECK(differences(mirrored, mirrored) == "");
  CHECK(differences(turned(65), mirrored) == "'bone 0' by 45.0 degrees and 0 m");
  Skeleton by_matrix = mirrored;
  by_matrix.nodes[0].matrix = local_at_rest(mirrored.nodes[0]);
  CHECK(differences(mirrored, by_matrix) == "");
}

TEST_CASE(
    "rest poses: ten nodes are listed, the largest difference first, and the others counted") {
  std::vector<NodePair> pairs;
  for (int n = 0; n < 12; ++n) pairs.push_back({n, n});
  const std::string text = differences(turned(0, 12), turned(10, 12), pairs);
  CHECK(text.starts_with("'bone 11' by 120.0 degrees and 0 m, 'bone 10' by 110.0 degrees"));
  CHECK(text.ends_with("'bone 2' by 30.0 degrees and 0 m and 2 more"));
}

TEST_CASE("rest poses: keys that differ by the rounding of floats keep the rest pose in any unit") {
  Skeleton skeleton = turned(0);
  Channel channel;
  channel.node = 0;
  const auto keeps = [&](const Vec3<double>& rest, double off) {
    skeleton.nodes[0].translation = rest;
    channel.values =
        std::make_shared<const std::vector<double>>(std::vector{rest.x, rest.y, rest.z + off});
    return keeps_rest(channel, skeleton);
  };
  CHECK(keeps({0, 0.35, 0.1}, 5e-7));
  CHECK_FALSE(keeps({0, 0.35, 0.1}, 1e-5));
  CHECK(keeps({0, 35.1, 10}, 3e-6));      // centimetres
  CHECK(keeps({351, -1400, 100}, 1e-4));  // millimetres
  CHECK_FALSE(keeps({351, -1400, 100}, 0.01));
}

TEST_CASE("rest poses: only a clip that rotates a node with another rest rotation is reported") {
  const Issues issues = issues_of(rotating_clip("rotation"), skinned_triangle());
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].code == "REST_POSES_DIFFER");
  CHECK(issues[0].pointer == "/animations/0");
  CHECK(issues[0].message.find("'Tip' by 180.0 degrees") != std::string::npos);
  CHECK(issues_of(rotating_clip("translation"), skinned_triangle()).empty());
  GltfFile rig = skinned_triangle();
  for (auto& node : rig.json["nodes"]) {
    if (node.value("name", "") == "Tip") node["rotation"] = {0, 1, 0, 0};
  }
  CHECK(issues_of(rotating_clip("rotation"), rig).empty());
}
