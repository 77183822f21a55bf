// The words of a node's name, and the names that tools and engines give to the bones of a human
// skeleton.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "humanoid/human_bones.h"

namespace skinbake {

// ---- The words of a node's name, in one spelling for all naming conventions.

// The words and numbers of a name in lower case: "mixamorig:LeftHandThumb1" gives "mixamorig",
// "left", "hand", "thumb", "1". Words end at the characters -._:(){}[]<>| and at spaces, where
// lower case changes to upper case, and between letters and digits. Full-width digits become ASCII
// digits; 左 and 右 are the words "left" and "right". A name of more than 256 bytes does not name a
// bone and does not have words.
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

// ---- The names that tools and engines give to the bones of a human skeleton.

// The names of some bones. In `names`, separated by spaces and best first, "#" stands for the
// number of the bone in `bones`, counted from 1, and "%" for the bone's own name in lower case.
struct BoneNames {
  std::string_view bones;  // without their side, separated by spaces
  std::string_view names;  // as BoneWords::words
};

// A bone, without its side, that can hang from another bone than its parent in the human skeleton.
struct OtherParent {
  std::string_view bone, parent;
};

// One naming convention.
struct NameTable {
  std::string_view name;  // "mixamo"
  LeadingZeros zeros = LeadingZeros::kDropped;
  std::string_view spine;  // names of the nodes between hips and neck, without numbers
  std::span<const BoneNames> rows;
  std::span<const OtherParent> parents = {};  // of the tool's own layout

  // The names of a bone, best first. `bone` is without its side. Precondition: the table is one of
  // name_tables().
  const std::vector<std::string>& names_of(std::string_view bone) const;
  // Whether a node of these words can be a part of the spine.
  bool is_spine(const std::string& words) const;
  // Where a bone can hang besides its parent in the human skeleton; empty: nowhere.
  std::string_view other_parent_of(std::string_view bone) const;
};

// Earlier tables take precedence over later ones that match as many bones.
std::span<const NameTable> name_tables();

}  // namespace skinbake
