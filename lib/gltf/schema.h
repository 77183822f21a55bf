// The members of glTF 2.0 that move vertices, and what each must be.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace skinbake::gltf {

enum class Kind {
  kText,
  kTexts,
  kFlag,
  kCount,       // integer >= 0
  kInt,         // integer 0 … 2^31 - 1
  kIndex,       // of an element of the root array `refers_to`, or of the sibling array
  kIndices,     // several of them
  kHint,        // as kIndex, but nothing needs it: a wrong one is named, none is kept
  kNumbers,     // `length` finite numbers; 0: any length
  kObject,      // of `shape`
  kObjects,     // array of them
  kAttributes,  // name to accessor
  kNumbered,    // name to a number of its own
  kTargets,     // array of them
};

struct Member {
  const char* name;
  Kind kind;
  bool required = false;
  const char* refers_to = nullptr;
  std::size_t length = 0;
  std::span<const Member> shape = {};
};

// Of the whole document, and of its "asset" alone.
std::span<const Member> root_shape();
std::span<const Member> asset_shape();

// "JOINTS_0", "WEIGHTS_12": digits without leading zeros after the prefix.
bool is_influence_set(std::string_view name);

}  // namespace skinbake::gltf
