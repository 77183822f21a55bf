// The names that tools and engines give to the bones of a human skeleton.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "humanoid/map/node_words.h"

namespace skinbake {

// The names of some bones. In `names`, separated by spaces and best first, "#" stands for the
// number of the bone in `bones`, counted from 1, and "%" for the bone's own name in lower case.
struct BoneNames {
  std::string_view bones;  // without their side, separated by spaces
  std::string_view names;  // as BoneWords::words
};

// One naming convention.
struct NameTable {
  std::string_view name;  // "mixamo"
  LeadingZeros zeros = LeadingZeros::kDropped;
  std::string_view spine;  // names of the nodes between hips and neck; a number may follow each
  std::span<const BoneNames> rows;

  // The names of a bone, best first. `bone` is without its side. Precondition: the table is one of
  // name_tables().
  const std::vector<std::string>& names_of(std::string_view bone) const;
  // Whether a node of these words can be a part of the spine.
  bool is_spine(const std::string& words) const;
};

// Earlier tables take precedence over later ones that match as many bones.
std::span<const NameTable> name_tables();

}  // namespace skinbake
