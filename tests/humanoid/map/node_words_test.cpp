// The words of names are the same in all spellings.

#include "humanoid/map/name_tables.h"

#include <doctest/doctest.h>

using namespace skinbake;

namespace {

std::string joined(const char* name) {
  std::string text;
  for (const std::string& word : words_of(name)) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

TEST_CASE("node words: names are split at separators, capitals and numbers") {
  CHECK(joined("mixamorig:LeftHandThumb1") == "mixamorig left hand thumb 1");
  CHECK(joined("upper_arm.L.001") == "upper arm l 001");
  CHECK(joined("Bip01 L Finger02") == "bip 01 l finger 02");
  CHECK(joined("J_Bip_C_UpperChest") == "j bip c upper chest");
  CHECK(joined("IKFoot-L(x)[y]{z}<a>|b") == "ik foot l x y z a b");
  CHECK(joined("左人指１") == "left 人指 1");
  CHECK(joined("__") == "");
  CHECK(joined("") == "");
}

TEST_CASE("node words: the side is the same whatever its place and its spelling") {
  for (const char* name :
       {"UpperArm_L", "LeftUpperArm", "upper_arm.l", "l_upperarm", "leftUpperArm", "upperarmLeft",
        "L UpperArm", "左upper arm", "lUpperArm"}) {
    const BoneWords words = bone_words(words_of(name), LeadingZeros::kDropped);
    CAPTURE(name);
    CHECK(words.side == BodySide::kLeft);
    CHECK(words.words == "upperarm");
  }
  CHECK(bone_words(words_of("rightHand"), LeadingZeros::kKept).side == BodySide::kRight);
  CHECK(bone_words(words_of("Leg"), LeadingZeros::kKept).side == BodySide::kMiddle);
}

TEST_CASE("node words: leading zeros are dropped only on demand, and never the last digit") {
  CHECK(bone_words(words_of("spine_03"), LeadingZeros::kDropped).words == "spine3");
  CHECK(bone_words(words_of("Finger01"), LeadingZeros::kKept).words == "finger01");
  CHECK(bone_words(words_of("Finger00"), LeadingZeros::kDropped).words == "finger0");
}
