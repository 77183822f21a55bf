// Humanoid maps by names and by structure: the names are written here as the tools write them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "humanoid/bodies.h"
#include "skinbake/clip.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

constexpr const char* kFingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};

// A convention: the name of each bone, with {S} for the side in the tool's spelling.
struct Convention {
  const char* table;
  const char* left;
  const char* right;
  const char* body;     // "bone name" for each line; the side's bones once
  const char* fingers;  // names of the five fingers, with {N} for 1 to 3
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what)) {
    text.replace(at, what.size(), by);
  }
  return text;
}

const char* segment(const std::string& finger, int number) {
  if (finger == "Thumb") return number == 1 ? "Metacarpal" : number == 2 ? "Proximal" : "Distal";
  return number == 1 ? "Proximal" : number == 2 ? "Intermediate" : "Distal";
}

// All bones of a convention, with a node of twist above each hand and a prop in each hand.
BodyBuilder body_of(const Convention& c) {
  std::map<std::string, std::string> names;
  std::istringstream lines(c.body);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    const std::string bone = line.substr(0, space), name = line.substr(space + 1);
    if (name.find("{S}") == std::string::npos) {
      names[bone] = name;
    } else {
      names["left" + bone] = replaced(name, "{S}", c.left);
      names["right" + bone] = replaced(name, "{S}", c.right);
    }
  }
  std::istringstream fingers(c.fingers);
  for (std::size_t f = 0; f < 5; ++f) {
    std::string name;
    if (!std::getline(fingers, name)) break;
    for (int n = 1; n <= 3; ++n) {
      const std::string bone = std::string(kFingers[f]) + segment(kFingers[f], n);
      const std::string numbered = replaced(name, "{N}", std::to_string(n));
      names["left" + bone] = replaced(numbered, "{S}", c.left);
      names["right" + bone] = replaced(numbered, "{S}", c.right);
    }
  }
  BodyBuilder body;
  const NodeIndex root = body.add("Armature", -1, {0, 0, 0});
  for (const HumanBone& bone : kHumanBones) {
    const auto name = names.find(std::string(bone.name));
    if (name == names.end()) continue;
    if (without_side(bone.name).bone == "Hand") {
      const std::string side = bone.name.starts_with("left") ? "left" : "right";
      NodeIndex& arm = body.nodes.at(side + "LowerArm");
      arm =
          body.add("ForeTwist_" + side, arm, {bone.name.starts_with("left") ? 0.6 : -0.6, 1.42, 0});
    }
    const NodeIndex node = body.add_bone(std::string(bone.name), name->second, root);
    if (without_side(bone.name).bone == "Hand") body.add("Sword", node, {0.8, 1.4, 0.2});
  }
  for (const char* side : {"left", "right"}) {
    NodeIndex& arm = body.nodes.at(std::string(side) + "LowerArm");
    arm = body.skeleton.nodes[static_cast<std::size_t>(arm)].parent;
  }
  return body;
}

std::map<std::string, NodeIndex> bones_by_name(const HumanoidMap& humanoid) {
  std::map<std::string, NodeIndex> bones;
  for (const HumanoidBone& bone : humanoid.bones) bones[bone.bone] = bone.node;
  return bones;
}

const Convention kConventions[] = {
    {"names:mixamo", "Left", "Right",
     "hips mixamorig:Hips\nspine mixamorig:Spine\nchest mixamorig:Spine1\nupperChest "
     "mixamorig:Spine2\n"
     "neck mixamorig:Neck\nhead mixamorig:Head\nShoulder mixamorig:{S}Shoulder\nUpperArm "
     "mixamorig:{S}Arm\n"
     "LowerArm mixamorig:{S}ForeArm\nHand mixamorig:{S}Hand\nUpperLeg mixamorig:{S}UpLeg\n"
     "LowerLeg mixamorig:{S}Leg\nFoot mixamorig:{S}Foot\nToes mixamorig:{S}ToeBase",
     "mixamorig:{S}HandThumb{N}\nmixamorig:{S}HandIndex{N}\nmixamorig:{S}HandMiddle{N}\n"
     "mixamorig:{S}HandRing{N}\nmixamorig:{S}HandPinky{N}"},
    {"names:mixamo", "Left", "Right",  // Ready Player Me
     "hips Hips\nspine Spine\nchest Spine1\nupperChest Spine2\nneck Neck\nhead Head\nEye {S}Eye\n"
     "Shoulder {S}Shoulder\nUpperArm {S}Arm\nLowerArm {S}ForeArm\nHand {S}Hand\nUpperLeg {S}UpLeg\n"
     "LowerLeg {S}Leg\nFoot {S}Foot\nToes {S}ToeBase",
     "{S}HandThumb{N}\n{S}HandIndex{N}\n{S}HandMiddle{N}\n{S}HandRing{N}\n{S}HandPinky{N}"},
    {"names:unreal", "l", "r",
     "hips pelvis\nspine spine_01\nchest spine_02\nupperChest spine_03\nneck neck_01\nhead head\n"
     "Shoulder clavicle_{S}\nUpperArm upperarm_{S}\nLowerArm lowerarm_{S}\nHand hand_{S}\n"
     "UpperLeg thigh_{S}\nLowerLeg calf_{S}\nFoot foot_{S}\nToes ball_{S}",
     "thumb_0{N}_{S}\nindex_0{N}_{S}\nmiddle_0{N}_{S}\nring_0{N}_{S}\npinky_0{N}_{S}"},
    {"names:rigify", "L", "R",
     "hips spine\nspine spine.001\nchest spine.002\nupperChest spine.003\nneck spine.004\nhead "
     "spine.006\n"
     "Shoulder shoulder.{S}\nUpperArm upper_arm.{S}\nLowerArm forearm.{S}\nHand hand.{S}\n"
     "UpperLeg thigh.{S}\nLowerLeg shin.{S}\nFoot foot.{S}\nToes toe.{S}",
     "thumb.0{N}.{S}\nf_index.0{N}.{S}\nf_middle.0{N}.{S}\nf_ring.0{N}.{S}\nf_pinky.0{N}.{S}"},
    {"names:rigify", "L", "R",
     "hips DEF-spine\nspine DEF-spine.001\nchest DEF-spine.002\nupperChest DEF-spine.003\n"
     "neck DEF-spine.004\nhead DEF-spine.006\nShoulder DEF-shoulder.{S}\nUpperArm "
     "DEF-upper_arm.{S}\n"
     "LowerArm DEF-forearm.{S}\nHand DEF-hand.{S}\nUpperLeg DEF-thigh.{S}\nLowerLeg DEF-shin.{S}\n"
     "Foot DEF-foot.{S}\nToes DEF-toe.{S}",
     "DEF-thumb.0{N}.{S}\nDEF-f_index.0{N}.{S}\nDEF-f_middle.0{N}.{S}\nDEF-f_ring.0{N}.{S}\nDEF-f_"
     "pinky.0{N}.{S}"},
    {"names:vroid", "L", "R",
     "hips J_Bip_C_Hips\nspine J_Bip_C_Spine\nchest J_Bip_C_Chest\nupperChest J_Bip_C_UpperChest\n"
     "neck J_Bip_C_Neck\nhead J_Bip_C_Head\nEye J_Adj_{S}_FaceEye\nShoulder J_Bip_{S}_Shoulder\n"
     "UpperArm J_Bip_{S}_UpperArm\nLowerArm J_Bip_{S}_LowerArm\nHand J_Bip_{S}_Hand\n"
     "UpperLeg J_Bip_{S}_UpperLeg\nLowerLeg J_Bip_{S}_LowerLeg\nFoot J_Bip_{S}_Foot\nToes "
     "J_Bip_{S}_ToeBase",
     "J_Bip_{S}_Thumb{N}\nJ_Bip_{S}_Index{N}\nJ_Bip_{S}_Middle{N}\nJ_Bip_{S}_Ring{N}\nJ_Bip_{S}_"
     "Little{N}"},
    {"names:biped", "L", "R",
     "hips Bip01 Pelvis\nspine Bip01 Spine\nchest Bip01 Spine1\nupperChest Bip01 Spine2\nneck "
     "Bip01 Neck\n"
     "head Bip01 Head\nShoulder Bip01 {S} Clavicle\nUpperArm Bip01 {S} UpperArm\n"
     "LowerArm Bip01 {S} Forearm\nHand Bip01 {S} Hand\nUpperLeg Bip01 {S} Thigh\nLowerLeg Bip01 "
     "{S} Calf\n"
     "Foot Bip01 {S} Foot\nToes Bip01 {S} Toe0\nThumbMetacarpal Bip01 {S} Finger0\n"
     "ThumbProximal Bip01 {S} Finger01\nThumbDistal Bip01 {S} Finger02\nIndexProximal Bip01 {S} "
     "Finger1\n"
     "IndexIntermediate Bip01 {S} Finger11\nIndexDistal Bip01 {S} Finger12",
     ""},
    {"names:mmd", "左", "右",
     "hips センター\nspine 上半身\nchest 上半身2\nneck 首\nhead 頭\nEye {S}目\nShoulder "
     "{S}肩\nUpperArm {S}腕\n"
     "LowerArm {S}ひじ\nHand {S}手首\nUpperLeg {S}足\nLowerLeg {S}ひざ\nFoot {S}足首\nToes "
     "{S}つま先\n"
     "ThumbMetacarpal {S}親指０\nThumbProximal {S}親指１\nThumbDistal {S}親指２\nIndexProximal "
     "{S}人指１\n"
     "IndexIntermediate {S}人指２\nIndexDistal {S}人指３",
     ""},
    {"names:reallusion", "L", "R",
     "hips CC_Base_Hip\nspine CC_Base_Waist\nchest CC_Base_Spine01\nupperChest CC_Base_Spine02\n"
     "neck CC_Base_NeckTwist01\nhead CC_Base_Head\njaw CC_Base_JawRoot\nEye CC_Base_{S}_Eye\n"
     "Shoulder CC_Base_{S}_Clavicle\nUpperArm CC_Base_{S}_Upperarm\nLowerArm CC_Base_{S}_Forearm\n"
     "Hand CC_Base_{S}_Hand\nUpperLeg CC_Base_{S}_Thigh\nLowerLeg CC_Base_{S}_Calf\nFoot "
     "CC_Base_{S}_Foot\n"
     "Toes CC_Base_{S}_ToeBase",
     "CC_Base_{S}_Thumb{N}\nCC_Base_{S}_Index{N}\nCC_Base_{S}_Mid{N}\nCC_Base_{S}_Ring{N}\nCC_Base_"
     "{S}_Pinky{N}"},
    {"names:kaykit", "l", "r",
     "hips hips\nspine spine\nchest chest\nhead head\nUpperArm upperarm.{S}\nLowerArm "
     "lowerarm.{S}\n"
     "Hand wrist.{S}\nUpperLeg upperleg.{S}\nLowerLeg lowerleg.{S}\nFoot foot.{S}\nToes toes.{S}",
     ""},
    {"names:blender", "L", "R",
     "hips hips\nspine spine\nchest chest\nneck neck\nhead head\nShoulder shoulder.{S}\n"
     "UpperArm upper_arm.{S}\nLowerArm forearm.{S}\nHand hand.{S}\nUpperLeg thigh.{S}\nLowerLeg "
     "shin.{S}\n"
     "Foot foot.{S}\nToes toe.{S}",
     "thumb.0{N}.{S}\nfinger_index.0{N}.{S}\nfinger_middle.0{N}.{S}\nfinger_ring.0{N}.{S}\nfinger_"
     "pinky.0{N}.{S}"},
    {"names:english", "left", "right",
     "hips hips\nspine abdomen\nchest torso\nneck neck\nhead head\nShoulder {S} collar\nUpperArm "
     "{S} upper arm\n"
     "LowerArm {S} elbow\nHand {S} wrist\nUpperLeg {S} thigh\nLowerLeg {S} knee\nFoot {S} "
     "ankle\nToes {S} toes",
     ""}};

}  // namespace

TEST_CASE("humanoid map: every table finds each bone, between twist bones and props") {
  for (const Convention& convention : kConventions) {
    const BodyBuilder body = body_of(convention);
    const HumanoidMap found = find_humanoid(body.skeleton);
    CAPTURE(convention.table);
    CAPTURE(convention.body);
    CHECK(found.source == convention.table);
    CHECK(bones_by_name(found) == body.nodes);
  }
}

TEST_CASE("humanoid map: a spine of five nodes gives the first, the second and the last") {
  BodyBuilder body;
  NodeIndex last = body.add_bone("hips", "pelvis");
  std::vector<NodeIndex> spine;
  for (int i = 1; i <= 5; ++i) {
    last = body.add("spine_0" + std::to_string(i), last, {0, 0.98 + 0.07 * i, 0});
    spine.push_back(last);
  }
  body.nodes["spine"] = spine[0], body.nodes["chest"] = spine[1], body.nodes["upperChest"] = last;
  for (const auto& [bone, name] :
       std::vector<std::pair<std::string, std::string>>{{"neck", "neck_01"}, {"head", "head"}}) {
    body.add_bone(bone, name);
  }
  for (const std::string side : {"left", "right"}) {
    for (const auto& [bone, name] :
         std::vector<std::pair<std::string, std::string>>{{"UpperLeg", "thigh_"},
                                                          {"LowerLeg", "calf_"},
                                                          {"Foot", "foot_"},
                                                          {"Shoulder", "clavicle_"},
                                                          {"UpperArm", "upperarm_"},
                                                          {"LowerArm", "lowerarm_"},
                                                          {"Hand", "hand_"}}) {
      body.add_bone(side + bone, name + side.substr(0, 1));
    }
  }
  const HumanoidMap found = find_humanoid(body.skeleton);
  CHECK(found.source == "names:unreal");
  CHECK(bones_by_name(found) == body.nodes);
}

TEST_CASE("humanoid map: without names the structure decides, whichever way the body faces") {
  for (const double facing : {1.0, -1.0}) {
    BodyBuilder body;
    for (const HumanBone& bone : kHumanBones) {
      const std::string_view part = without_side(bone.name).bone;
      const bool is_finger =
          std::any_of(std::begin(kFingers), std::end(kFingers),
                      [&](const char* finger) { return part.starts_with(finger); });
      const bool is_left_out = is_finger || part == "Eye" || part == "jaw";
      if (!is_left_out) body.add_bone(std::string(bone.name), "");
    }
    for (Node& node : body.skeleton.nodes) {
      node.translation = {facing * node.translation.x, node.translation.y,
                          facing * node.translation.z};
    }
    const HumanoidMap found = find_humanoid(body.skeleton);
    CHECK(found.source == "structure");
    CHECK(bones_by_name(found) == body.nodes);
  }
}

TEST_CASE("humanoid map: a skeleton that is not a human body is not mapped") {
  BodyBuilder body;
  for (const HumanBone& bone : kHumanBones) {
    if (without_side(bone.name).bone != "Eye") body.add_bone(std::string(bone.name), "");
  }
  SUBCASE("on four legs: the body lies along z") {
    Node& hips = body.skeleton.nodes[0];
    hips.rotation = {std::sqrt(0.5), std::sqrt(0.5), 0, 0};
  }
  SUBCASE("one arm is longer than the other") {
    body.skeleton.nodes[static_cast<std::size_t>(body.nodes["leftHand"])].translation.x += 0.3;
  }
  SUBCASE("names of all required bones but one") {
    for (const auto& [bone, node] : body.nodes) {
      body.skeleton.nodes[static_cast<std::size_t>(node)].name = bone == "leftFoot" ? "x" : bone;
    }
    body.skeleton.nodes[static_cast<std::size_t>(body.nodes["leftHand"])].translation.x += 0.3;
  }
  SUBCASE("positions that are not numbers") {
    body.skeleton.nodes[0].translation.y = std::numeric_limits<double>::infinity();
  }
  const HumanoidMap found = find_humanoid(body.skeleton);
  CHECK(found.source == "");
  CHECK(found.bones.empty());
}

TEST_CASE("humanoid map: a bone whose nearest mapped ancestor is another limb is left out") {
  BodyBuilder body = body_of(kConventions[1]);
  const auto toes = static_cast<std::size_t>(body.nodes["leftToes"]);
  body.skeleton.nodes[toes].parent = body.nodes["rightFoot"];
  const auto found = bones_by_name(find_humanoid(body.skeleton));
  CHECK_FALSE(found.contains("leftToes"));
  CHECK(found.contains("leftFoot"));
}

TEST_CASE("humanoid map: a file that gives one name to all nodes is searched in linear time") {
  BodyBuilder body;
  NodeIndex last = -1;
  for (int i = 0; i < 30000; ++i)
    last = body.add(i % 2 == 0 ? "hips" : "head", last, {0, double(i), 0});
  CHECK(find_humanoid(body.skeleton).bones.empty());
}
