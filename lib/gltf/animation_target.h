// What an animation channel moves: a property of a node, by glTF's own paths or by
// KHR_animation_pointer.

#pragma once

#include <optional>

#include "gltf/accessor.h"
#include "gltf/document.h"
#include "skinbake/clip.h"

namespace skinbake::gltf {

struct AnimationTarget {
  NodeIndex node = -1;
  ChannelPath path = ChannelPath::kTranslation;
  int width = 3;         // numbers per value
  int first_weight = 0;  // of `width` morph weights
  Integers integers = Integers::kFractions;
};

// Nothing if the channel cannot move anything; then an issue says why.
std::optional<AnimationTarget> resolve_target(Document& document, const Skeleton& skeleton,
                                              std::size_t animation, std::size_t channel,
                                              const Element& where);

}  // namespace skinbake::gltf
