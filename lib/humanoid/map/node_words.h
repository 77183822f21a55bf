// The words of a node's name, in one spelling for all naming conventions.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "humanoid/human_bones.h"

namespace skinbake {

// The words and numbers of a name in lower case: "mixamorig:LeftHandThumb1" gives "mixamorig",
// "left", "hand", "thumb", "1". Words end at the characters -._:(){}[]<>| and at spaces, where
// lower case changes to upper case, and between letters and digits. Full-width digits become ASCII
// digits; 左 and 右 are the words "left" and "right". A name of more than 256 bytes is not that of
// a bone and does not have words.
std::vector<std::string> words_of(std::string_view name);

// What a name says of a bone. Two spellings of one name are equal in both members.
struct BoneWords {
  BodySide side = BodySide::kMiddle;
  std::string words;  // joined, without the side: "handthumb1"

  auto operator<=>(const BoneWords&) const = default;
};

enum class LeadingZeros { kKept, kDropped };  // of numbers

// Takes the first word that is a side, or that begins with "left" or "right", as the side.
BoneWords bone_words(std::vector<std::string> words, LeadingZeros zeros);

}  // namespace skinbake
