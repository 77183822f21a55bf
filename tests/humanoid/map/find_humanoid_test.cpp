// Humanoid maps by names and by structure: the names are written here as the tools write them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <tuple>

#include "humanoid/bodies.h"
#include "humanoid/map/human_map.h"
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
    {"names:biped", "L", "R",  // Valve
     "hips ValveBiped.Bip01_Pelvis\nspine ValveBiped.Bip01_Spine\nchest ValveBiped.Bip01_Spine1\n"
     "upperChest ValveBiped.Bip01_Spine4\nneck ValveBiped.Bip01_Neck1\nhead "
     "ValveBiped.Bip01_Head1\nShoulder ValveBiped.Bip01_{S}_Clavicle\n"
     "UpperArm ValveBiped.Bip01_{S}_UpperArm\nLowerArm ValveBiped.Bip01_{S}_Forearm\n"
     "Hand ValveBiped.Bip01_{S}_Hand\nUpperLeg ValveBiped.Bip01_{S}_Thigh\n"
     "LowerLeg ValveBiped.Bip01_{S}_Calf\nFoot ValveBiped.Bip01_{S}_Foot\n"
     "Toes ValveBiped.Bip01_{S}_Toe0\nThumbMetacarpal ValveBiped.Bip01_{S}_Finger0\n"
     "ThumbProximal ValveBiped.Bip01_{S}_Finger01\nThumbDistal ValveBiped.Bip01_{S}_Finger02\n"
     "IndexProximal ValveBiped.Bip01_{S}_Finger1\nIndexIntermediate "
     "ValveBiped.Bip01_{S}_Finger11\nIndexDistal ValveBiped.Bip01_{S}_Finger12",
     ""},
    {"names:mixamo", "Left", "Right",  // Maya HumanIK
     "hips Character1_Hips\nspine Character1_Spine\nchest Character1_Spine1\n"
     "upperChest Character1_Spine2\nneck Character1_Neck\nhead Character1_Head\n"
     "Shoulder Character1_{S}Shoulder\nUpperArm Character1_{S}Arm\nLowerArm "
     "Character1_{S}ForeArm\nHand Character1_{S}Hand\nUpperLeg Character1_{S}UpLeg\n"
     "LowerLeg Character1_{S}Leg\nFoot Character1_{S}Foot\nToes Character1_{S}ToeBase",
     "Character1_{S}HandThumb{N}\nCharacter1_{S}HandIndex{N}\nCharacter1_{S}HandMiddle{N}\n"
     "Character1_{S}HandRing{N}\nCharacter1_{S}HandPinky{N}"},
    {"names:rokoko", "Left", "Right",
     "hips Hips\nspine Spine\nchest Spine2\nupperChest Spine4\nneck Neck\nhead Head\n"
     "Shoulder {S}Shoulder\nUpperArm {S}Arm\nLowerArm {S}ForeArm\nHand {S}Hand\n"
     "UpperLeg {S}Thigh\nLowerLeg {S}Shin\nFoot {S}Foot\nToes {S}Toe\n"
     "ThumbMetacarpal {S}Finger1Metacarpal\nThumbProximal {S}Finger1Proximal\n"
     "ThumbDistal {S}Finger1Distal\nIndexProximal {S}Finger2Proximal\n"
     "IndexIntermediate {S}Finger2Medial\nIndexDistal {S}Finger2Distal\n"
     "LittleProximal {S}Finger5Proximal\nLittleIntermediate {S}Finger5Medial\n"
     "LittleDistal {S}Finger5Distal",
     ""},
    {"names:autorigpro", "l", "r",
     "hips root.x\nspine spine_01.x\nchest spine_02.x\nupperChest spine_03.x\nneck neck.x\n"
     "head head.x\njaw jawbone.x\nShoulder shoulder.{S}\nUpperArm arm_stretch.{S}\n"
     "LowerArm forearm_stretch.{S}\nHand hand.{S}\nUpperLeg thigh_stretch.{S}\n"
     "LowerLeg leg_stretch.{S}\nFoot foot.{S}\nToes toes_01.{S}",
     "thumb{N}.{S}\nindex{N}.{S}\nmiddle{N}.{S}\nring{N}.{S}\npinky{N}.{S}"},
    {"names:autorigpro", "l", "r",  // its controls
     "hips c_root_master.x\nspine c_spine_01.x\nchest c_spine_02.x\nneck c_neck.x\n"
     "head c_head.x\nShoulder c_shoulder.{S}\nUpperArm c_arm_fk.{S}\nLowerArm "
     "c_forearm_fk.{S}\nHand c_hand_fk.{S}\nUpperLeg c_thigh_fk.{S}\nLowerLeg c_leg_fk.{S}\n"
     "Foot c_foot_fk.{S}\nToes c_toes_fk.{S}",
     "c_thumb{N}.{S}\nc_index{N}.{S}\nc_middle{N}.{S}\nc_ring{N}.{S}\nc_pinky{N}.{S}"},
    {"names:smpl", "L", "R",
     "hips m_avg_Pelvis\nspine m_avg_Spine1\nchest m_avg_Spine2\nupperChest m_avg_Spine3\n"
     "neck m_avg_Neck\nhead m_avg_Head\nShoulder m_avg_{S}_Collar\nUpperArm "
     "m_avg_{S}_Shoulder\nLowerArm m_avg_{S}_Elbow\nHand m_avg_{S}_Wrist\nUpperLeg "
     "m_avg_{S}_Hip\nLowerLeg m_avg_{S}_Knee\nFoot m_avg_{S}_Ankle\nToes m_avg_{S}_Foot",
     ""},
    {"names:smpl", "left", "right",  // SMPL-X
     "hips pelvis\nspine spine1\nchest spine2\nupperChest spine3\nneck neck\nhead head\njaw jaw\n"
     "Eye {S}_eye_smplhf\nShoulder {S}_collar\nUpperArm {S}_shoulder\nLowerArm {S}_elbow\n"
     "Hand {S}_wrist\nUpperLeg {S}_hip\nLowerLeg {S}_knee\nFoot {S}_ankle\nToes {S}_foot",
     "{S}_thumb{N}\n{S}_index{N}\n{S}_middle{N}\n{S}_ring{N}\n{S}_pinky{N}"},
    {"names:daz", "l", "r",  // Genesis 8
     "hips hip\nspine abdomenLower\nchest abdomenUpper\nupperChest chestUpper\n"
     "neck neckLower\nhead head\njaw lowerJaw\nEye {S}Eye\nShoulder {S}Collar\nUpperArm "
     "{S}ShldrBend\nLowerArm {S}ForearmBend\nHand {S}Hand\nUpperLeg {S}ThighBend\n"
     "LowerLeg {S}Shin\nFoot {S}Foot\nToes {S}Toe",
     "{S}Thumb{N}\n{S}Index{N}\n{S}Mid{N}\n{S}Ring{N}\n{S}Pinky{N}"},
    {"names:daz", "l", "r",  // Genesis 9
     "hips hip\nspine spine1\nchest spine2\nupperChest spine4\nneck neck1\nhead head\n"
     "jaw lowerjaw\nEye {S}_eye\nShoulder {S}_shoulder\nUpperArm {S}_upperarm\nLowerArm "
     "{S}_forearm\nHand {S}_hand\nUpperLeg {S}_thigh\nLowerLeg {S}_shin\nFoot {S}_foot\n"
     "Toes {S}_toes",
     "{S}_thumb{N}\n{S}_index{N}\n{S}_mid{N}\n{S}_ring{N}\n{S}_pinky{N}"},
    {"names:advancedskeleton", "L", "R",
     "hips Root_M\nspine Spine1_M\nchest Spine2_M\nupperChest Chest_M\nneck Neck_M\n"
     "head Head_M\njaw Jaw_M\nEye Eye_{S}\nShoulder Scapula_{S}\nUpperArm Shoulder_{S}\n"
     "LowerArm Elbow_{S}\nHand Wrist_{S}\nUpperLeg Hip_{S}\nLowerLeg Knee_{S}\nFoot "
     "Ankle_{S}\nToes Toes_{S}",
     "ThumbFinger{N}_{S}\nIndexFinger{N}_{S}\nMiddleFinger{N}_{S}\nRingFinger{N}_{S}\n"
     "PinkyFinger{N}_{S}"},
    {"names:meta", "Left", "Right",
     "hips Hips\nspine SpineLower\nchest SpineMiddle\nupperChest Chest\nneck Neck\nhead Head\n"
     "Shoulder {S}Shoulder\nUpperArm {S}ArmUpper\nLowerArm {S}ArmLower\nHand {S}HandWrist\n"
     "UpperLeg {S}UpperLeg\nLowerLeg {S}LowerLeg\nFoot {S}FootAnkle\nToes {S}FootBall\n"
     "ThumbMetacarpal {S}HandThumbMetacarpal\nThumbProximal {S}HandThumbProximal\n"
     "ThumbDistal {S}HandThumbDistal\nLittleProximal {S}HandLittleProximal\n"
     "LittleIntermediate {S}HandLittleIntermediate\nLittleDistal {S}HandLittleDistal",
     ""},
    {"names:quaternius", "L", "R",
     "hips Body\nspine Hips\nchest Abdomen\nupperChest Torso\nneck Neck\nhead Head\n"
     "Shoulder Shoulder.{S}\nUpperArm UpperArm.{S}\nLowerArm LowerArm.{S}\nHand Palm.{S}\n"
     "UpperLeg UpperLeg.{S}\nLowerLeg LowerLeg.{S}\nFoot Foot.{S}\nToes PT.{S}",
     "Thumb{N}.{S}\nIndex{N}.{S}\nMiddle{N}.{S}\nRing{N}.{S}\nPinky{N}.{S}"},
    {"names:english", "Left", "Right",  // Godot
     "hips Hips\nspine Spine\nchest Chest\nupperChest UpperChest\nneck Neck\nhead Head\njaw Jaw\n"
     "Eye {S}Eye\nShoulder {S}Shoulder\nUpperArm {S}UpperArm\nLowerArm {S}LowerArm\nHand "
     "{S}Hand\nUpperLeg {S}UpperLeg\nLowerLeg {S}LowerLeg\nFoot {S}Foot\nToes {S}Toes\n"
     "ThumbMetacarpal {S}ThumbMetacarpal\nThumbProximal {S}ThumbProximal\nThumbDistal "
     "{S}ThumbDistal\nIndexProximal {S}IndexProximal\nIndexIntermediate {S}IndexIntermediate\n"
     "IndexDistal {S}IndexDistal",
     ""},
    {"names:english", "left", "right",
     "hips hips\nspine abdomen\nchest torso\nneck neck\nhead head\nShoulder {S} collar\nUpperArm "
     "{S} upper arm\n"
     "LowerArm {S} elbow\nHand {S} wrist\nUpperLeg {S} thigh\nLowerLeg {S} knee\nFoot {S} "
     "ankle\nToes {S} toes",
     ""}};

// The convention whose names contain a text.
const Convention& convention(const std::string& text) {
  return *std::find_if(std::begin(kConventions), std::end(kConventions), [&](const Convention& c) {
    return std::string(c.body).find(text) != std::string::npos;
  });
}

template <class Renamed>
void rename(BodyBuilder& body, const Renamed& renamed) {
  for (Node& node : body.skeleton.nodes) node.name = renamed(node.name);
}

// Makes the body one that the structure does not find.
void lengthen_left_hand(BodyBuilder& body) {
  body.skeleton.nodes[static_cast<std::size_t>(body.nodes["leftHand"])].translation.x += 0.3;
}

// The message of HUMANOID_UNKNOWN; empty: no issue.
std::string why_unknown(const BodyBuilder& body, std::size_t joints = 15) {
  Issues issues;
  const HumanoidMap found = find_humanoid(body.skeleton, joints, "rig.glb", issues);
  CHECK(issues.size() <= 1);
  if (issues.empty()) return "";
  CHECK(found.bones.empty());
  CHECK(issues[0].code == "HUMANOID_UNKNOWN");
  CHECK(issues[0].severity == Severity::kInfo);
  CHECK(issues[0].file == "rig.glb");
  return issues[0].message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

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

TEST_CASE("humanoid map: names in capitals and in lower case are the same names") {
  for (const Convention& c : kConventions) {
    for (const char to : {'A', 'a'}) {
      const char first = to == 'A' ? 'a' : 'A';
      BodyBuilder body = body_of(c);
      lengthen_left_hand(body);
      rename(body, [&](std::string name) {
        for (char& letter : name) {
          const int place = letter - first;
          if (place >= 0 && place < 26) letter = static_cast<char>(to + place);
        }
        return name;
      });
      CAPTURE(c.body);
      CAPTURE(to);
      CHECK(bones_by_name(find_humanoid(body.skeleton)) == body.nodes);
    }
  }
}

TEST_CASE("humanoid map: numbers that exporters append to every name are not a part of it") {
  for (const char* tool : {"mixamorig:Hips", "spine_01\n", "DEF-spine.001", "Bip01 Pelvis",
                           "J_Bip_C_Hips", "CC_Base_Hip", "ValveBiped", "spine_01.x",
                           "m_avg_Pelvis", "chestUpper", "Root_M", "chest chest\nneck"}) {
    for (const char* separator : {"_", "_0", "_01", ".00", " ", "-"}) {
      BodyBuilder body = body_of(convention(tool));
      lengthen_left_hand(body);
      const auto names = bones_by_name(find_humanoid(body.skeleton));
      int number = 0;
      rename(body,
             [&](const std::string& name) { return name + separator + std::to_string(++number); });
      CAPTURE(tool);
      CAPTURE(separator);
      CHECK(find_humanoid(body.skeleton).source == convention(tool).table);
      CHECK(bones_by_name(find_humanoid(body.skeleton)) == names);
      CHECK(names == body.nodes);
    }
  }
}

TEST_CASE("humanoid map: one number appended to every name is not a part of it") {
  for (const char* suffix : {".001", " 1", "_2"}) {
    BodyBuilder body = body_of(convention("DEF-spine.001"));
    lengthen_left_hand(body);
    rename(body, [&](const std::string& name) { return name + suffix; });
    CHECK(bones_by_name(find_humanoid(body.skeleton)) == body.nodes);
  }
}

TEST_CASE("humanoid map: a number that tells bones of a chain apart stays") {
  BodyBuilder body = body_of(convention("mixamorig:Hips"));
  lengthen_left_hand(body);
  rename(body, [](const std::string& name) {
    const bool is_numbered = name.back() >= '1' && name.back() <= '3';
    return is_numbered ? name.substr(0, name.size() - 1) + "_" + name.back() : name + "_7";
  });
  CHECK(bones_by_name(find_humanoid(body.skeleton)) == body.nodes);
}

TEST_CASE("humanoid map: numbers of less than half of the names are a part of them") {
  for (const int numbered : {30, 24}) {  // of 54 nodes from the hips down
    BodyBuilder body = body_of(convention("mixamorig:Hips"));
    lengthen_left_hand(body);
    int left = numbered;
    rename(body, [&](const std::string& name) {
      const bool is_below_hips = name != "Armature";
      return is_below_hips && left-- > 0 ? name + "_9" : name;
    });
    CAPTURE(numbered);
    CHECK(find_humanoid(body.skeleton).bones.empty() == (numbered == 24));
  }
}

TEST_CASE("humanoid map: two numbered bodies of one file do not disturb each other") {
  BodyBuilder body = body_of(convention("mixamorig:Hips"));
  lengthen_left_hand(body);
  const std::vector<Node> nodes = body.skeleton.nodes;
  for (Node node : nodes) {
    const auto count = static_cast<NodeIndex>(nodes.size());
    if (node.parent >= 0) node.parent += count;
    body.skeleton.order.push_back(static_cast<NodeIndex>(body.skeleton.nodes.size()));
    body.skeleton.nodes.push_back(node);
  }
  int number = 0;
  rename(body, [&](const std::string& name) { return name + "_" + std::to_string(++number); });
  CHECK(bones_by_name(find_humanoid(body.skeleton)) == body.nodes);
}

TEST_CASE("humanoid map: namespaces and a prefix of all names are not a part of them") {
  struct Named {
    const char *tool, *prefix;
  };
  for (const Named& named : std::vector<Named>{{"chestUpper", "Genesis8Female:"},
                                               {"mixamorig:Hips", "MyChar:Rig:"},
                                               {"mixamorig:Hips", "Armature|MyChar:"},
                                               {"Finger1Metacarpal", "QuickRigCharacter1_"},
                                               {"upper_arm", "hero:left:"},
                                               {"SpineLower", "My Own Hero "},
                                               {"Root_M", "Crowd:Man7:"}}) {
    BodyBuilder body = body_of(convention(named.tool));
    lengthen_left_hand(body);
    rename(body, [&](const std::string& name) { return named.prefix + name; });
    CAPTURE(named.prefix);
    CHECK(find_humanoid(body.skeleton).source == convention(named.tool).table);
    CHECK(bones_by_name(find_humanoid(body.skeleton)) == body.nodes);
  }
}

TEST_CASE("humanoid map: Biped's thighs can hang from the spine, its clavicles from the neck") {
  for (const char* root : {"Bip01", "Bip002", "Hero", "Hero Bip01", "Biped"}) {
    BodyBuilder body = body_of(convention("Bip01 Pelvis"));
    lengthen_left_hand(body);
    for (const std::string side : {"left", "right"}) {
      const auto hang = [&](const std::string& bone, const std::string& from) {
        body.skeleton.nodes[static_cast<std::size_t>(body.nodes[side + bone])].parent =
            body.nodes[from];
      };
      hang("UpperLeg", "spine");
      hang("Shoulder", "neck");
    }
    rename(body, [&](const std::string& name) {
      return name.starts_with("Bip01") ? root + name.substr(5) : name;
    });
    CAPTURE(root);
    CHECK(find_humanoid(body.skeleton).source == "names:biped");
    CHECK(bones_by_name(find_humanoid(body.skeleton)) == body.nodes);
  }
}

TEST_CASE("humanoid map: Biped's layout does not count for the names of other tools") {
  BodyBuilder body = body_of(convention("mixamorig:Hips"));
  lengthen_left_hand(body);
  body.skeleton.nodes[static_cast<std::size_t>(body.nodes["leftUpperLeg"])].parent =
      body.nodes["spine"];
  CHECK(contains(why_unknown(body),
                 "'mixamo', but the nodes named as 'leftUpperLeg', "
                 "'leftLowerLeg', 'leftFoot' are not below their parent bones"));
}

TEST_CASE("humanoid map: a skeleton that is not mapped is an issue, which names what it lacks") {
  BodyBuilder body = body_of(convention("Finger1Metacarpal"));
  lengthen_left_hand(body);
  const auto lose = [&](const char* bone) {
    body.skeleton.nodes[static_cast<std::size_t>(body.nodes[bone])].name = "x";
  };
  SUBCASE("a bone without a name that the table has") {
    lose("rightHand");
    CHECK(contains(why_unknown(body), "the skeleton is not mapped as a human body"));
    CHECK(contains(why_unknown(body),
                   "'rokoko', but no node is named as the required bones 'rightHand'; the"));
  }
  SUBCASE("hips without a name") {
    lose("hips");
    CHECK(contains(why_unknown(body), "named as the required bones 'hips'; the"));
  }
  SUBCASE("a head without a name") {
    lose("head");
    CHECK(contains(why_unknown(body), "named as the required bones 'head'; the"));
  }
  SUBCASE("a spine without a name, and a foot below the other one") {
    for (const char* bone : {"spine", "chest", "upperChest"}) lose(bone);
    body.skeleton.nodes[static_cast<std::size_t>(body.nodes["leftFoot"])].parent =
        body.nodes["rightFoot"];
    CHECK(contains(why_unknown(body),
                   "the required bones 'spine', and the nodes named as 'leftFoot' are not below"));
  }
  SUBCASE("names that no tool gives") {
    rename(body, [](const std::string&) { return "node"; });
    CHECK(contains(why_unknown(body), "no table of names has the names of the nodes; the"));
  }
  SUBCASE("fewer joints than a human body needs") {
    lose("rightHand");
    CHECK(why_unknown(body, 14).empty());
  }
  SUBCASE("a body that is mapped") {
    CHECK(why_unknown(body).empty());
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
  CHECK(found.source == "none");
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
