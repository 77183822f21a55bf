// The members of glTF 2.0 that move vertices, and what each must be.

#pragma once

#include <cstddef>
#include <initializer_list>
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

// "JOINTS_0", "TEXCOORD_12": up to nine digits without leading zeros after one of the prefixes.
bool is_attribute_set(std::string_view name, std::initializer_list<std::string_view> prefixes);

}  // namespace skinbake::gltf
