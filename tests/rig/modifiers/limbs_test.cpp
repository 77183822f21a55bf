#include "rig/modifiers/twist.h"

#include <doctest/doctest.h>

#include <string>

#include "support/rigs.h"

namespace skinbake {
namespace {

// A chain of joints with these names, each the child of the previous one.
Rig chain(const std::vector<std::string>& names) {
  std::vector<Node> nodes;
  for (const std::string& name : names) {
    Node& node = nodes.emplace_back();
    node.name = name;
    node.parent = static_cast<NodeIndex>(nodes.size()) - 2;
    node.translation = {0, 1, 0};
  }
  return test::loose({{0, 0, 0}}, nodes, {{{0, 1}}});
}

// The joints found as upper arm, lower arm, upper leg and lower leg: "01--".
std::string found(const std::vector<std::string>& names,
                  const std::vector<HumanoidBone>& humanoid = {}) {
  std::string text = "----";
  for (const Limb& limb : find_limbs(chain(names), humanoid)) {
    text[static_cast<std::size_t>(limb.part)] = static_cast<char>('0' + limb.joint);
  }
  return text;
}

}  // namespace

TEST_CASE("limbs: the naming conventions of many programs are recognised") {
  CHECK(found({"mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand"}) == "01--");
  CHECK(found({"mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot"}) == "--01");
  CHECK(found({"clavicle_r", "upperarm_r", "lowerarm_r", "hand_r"}) == "12--");
  CHECK(found({"thigh_l", "calf_l", "foot_l"}) == "--01");
  CHECK(found({"DEF-upper_arm.L", "DEF-forearm.L", "DEF-hand.L"}) == "01--");
  CHECK(found({"thigh.R", "shin.R"}) == "--01");
  CHECK(found({"Bip01 L UpperArm", "Bip01 L Forearm"}) == "01--");
  CHECK(found({"J_Bip_R_UpperLeg", "J_Bip_R_LowerLeg"}) == "--01");
  CHECK(found({"CC_Base_L_Upperarm", "CC_Base_L_Forearm"}) == "01--");
  CHECK(found({"b_LeftUpperArm_09", "b_LeftForeArm_010"}) == "01--");
  CHECK(found({"upper_arm.l_Armature", "lowerarm.l_Armature"}) == "01--");
  CHECK(found({"左腕", "左ひじ", "左手首"}) == "01--");
  CHECK(found({"右足", "右ひざ", "右足首"}) == "--01");
}

TEST_CASE("limbs: other names are not limbs") {
  CHECK(found({"arm", "forearm", "leg"}) == "----");                        // without a side
  CHECK(found({"upperarm_twist_01_l", "elbowIK.l", "armor_l"}) == "----");  // other words
  CHECK(found({"LeftArm", "LeftHand"}) == "----");  // ambiguous without the other part
  CHECK(found({"LeftLeg01", "LeftLeg02"}) == "----");
  CHECK(found({"left", "right", "", "_", "l"}) == "----");
}

TEST_CASE("limbs: a name that two joints have is ignored") {
  CHECK(found({"upper_arm.L", "upper_arm.L.001", "forearm.L"}) == "-2--");
}

TEST_CASE("limbs: a lower part must be a descendant of its upper part") {
  CHECK(found({"forearm.L", "upper_arm.L"}) == "1---");
  CHECK(found({"upper_arm.L", "roll", "forearm.L"}) == "02--");
}

TEST_CASE("limbs: the humanoid map takes precedence over names") {
  const std::vector<HumanoidBone> map{{"leftLowerArm", 2}, {"leftUpperArm", 0}, {"rightFoot", 1}};
  CHECK(found({"a", "b", "c"}, map) == "02--");
  CHECK(found({"a", "upperarm_l", "c"}, map) == "02--");
  CHECK(found({"a", "b"}, {{"leftLowerArm", 77}}) == "----");
}

TEST_CASE("limbs: left limbs come before right ones, arms before legs") {
  const auto limbs = find_limbs(chain({"calf_r", "thigh_l", "upperarm_r", "lowerarm_l"}), {});
  REQUIRE(limbs.size() == 4);
  CHECK(limbs[0].joint == 3);
  CHECK(limbs[1].joint == 1);
  CHECK(limbs[2].joint == 2);
  CHECK(limbs[3].joint == 0);
}

}  // namespace skinbake
