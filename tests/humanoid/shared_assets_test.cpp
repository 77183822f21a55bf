// The humanoid maps of real characters.

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "skinbake/clip.h"
#include "skinbake/gltf.h"
#include "support/gltf/gltf_shared_assets.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

std::map<std::string, NodeIndex> as_map(const HumanoidMap& humanoid) {
  std::map<std::string, NodeIndex> bones;
  for (const HumanoidBone& bone : humanoid.bones) bones[bone.bone] = bone.node;
  return bones;
}

HumanoidMap found_in(const std::string& path) {
  return find_humanoid(*load_clip_file(path).skeleton);
}

// The bones of two sides, given as the left nodes and the right nodes.
std::map<std::string, NodeIndex> both_sides(std::map<std::string, NodeIndex> middle,
                                            const std::map<std::string, NodeIndex>& left,
                                            const std::map<std::string, NodeIndex>& right) {
  for (const auto& [bone, node] : left) middle["left" + bone] = node;
  for (const auto& [bone, node] : right) middle["right" + bone] = node;
  return middle;
}

}  // namespace

TEST_CASE("shared assets: characters are mapped by their names or by their structure") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  const HumanoidMap knight = found_in(folder + "KayKit_Knight.glb");
  CHECK(knight.source == "names:kaykit");
  CHECK(as_map(knight) == both_sides({{"hips", 30}, {"spine", 21}, {"chest", 20}, {"head", 18}},
                                     {{"UpperArm", 9},
                                      {"LowerArm", 8},
                                      {"Hand", 7},
                                      {"UpperLeg", 25},
                                      {"LowerLeg", 24},
                                      {"Foot", 23},
                                      {"Toes", 22}},
                                     {{"UpperArm", 16},
                                      {"LowerArm", 15},
                                      {"Hand", 14},
                                      {"UpperLeg", 29},
                                      {"LowerLeg", 28},
                                      {"Foot", 27},
                                      {"Toes", 26}}));
  CHECK(found_in(folder + "manny/manny_med_mod.gltf").bones.size() == 18);
  CHECK(found_in(folder + "manny/Med_MovementBasic.glb").bones.size() == 18);
  const HumanoidMap man = found_in(folder + "CesiumMan.glb");
  CHECK(man.source == "structure");
  CHECK(as_map(man) ==
        both_sides({{"hips", 2}, {"spine", 11}, {"chest", 12}, {"neck", 19}, {"head", 20}},
                   {{"UpperArm", 16},
                    {"LowerArm", 17},
                    {"Hand", 18},
                    {"UpperLeg", 7},
                    {"LowerLeg", 8},
                    {"Foot", 9},
                    {"Toes", 10}},
                   {{"UpperArm", 13},
                    {"LowerArm", 14},
                    {"Hand", 15},
                    {"UpperLeg", 3},
                    {"LowerLeg", 4},
                    {"Foot", 5},
                    {"Toes", 6}}));
}

TEST_CASE("shared assets: the names of a VRM animation give the map that its extension has") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  const ClipFile file = load_clip_file(folder + "test.vrma");
  CHECK(file.humanoid.source == "vrma");
  CHECK(as_map(find_humanoid(*file.skeleton)) == as_map(file.humanoid));
}

TEST_CASE("shared assets: the structure or the names of VRM files agree with their maps") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  for (const char* name : {"Godette_vrm0.vrm", "debug_robot_vrm1.vrm"}) {
    CAPTURE(name);
    const Asset asset = load_asset(folder + name);
    const auto own = as_map(asset.humanoid);
    const HumanoidMap found = find_humanoid(*asset.skeleton);
    CHECK(found.bones.size() >= 15);
    for (const HumanoidBone& bone : found.bones) {
      CAPTURE(bone.bone);
      CHECK(own.contains(bone.bone));
      if (own.contains(bone.bone)) CHECK(own.at(bone.bone) == bone.node);
    }
  }
}

TEST_CASE("shared assets: animals, and a body whose feet hang from the root, are not mapped") {
  const std::string folder = shared_assets();
  if (folder.empty()) return;
  for (const char* name : {"Fox.glb", "Bunny.gltf", "robot.glb", "InfiniteSkinnedTentacle.glb",
                           "LittlestTokyo.glb", "RiggedSimple.glb"}) {
    CAPTURE(name);
    CHECK(found_in(folder + name).bones.empty());
  }
}
