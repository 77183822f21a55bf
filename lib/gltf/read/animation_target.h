// The target of an animation channel: a property of a node, named by a path of glTF or by
// KHR_animation_pointer.

#pragma once

#include <optional>

#include "gltf/document/document.h"
#include "gltf/read/accessor.h"
#include "skinbake/clip.h"

namespace skinbake::gltf {

struct AnimationTarget {
  NodeIndex node = -1;
  ChannelPath path = ChannelPath::kTranslation;
  int width = 3;               // numbers per value
  int first_weight = 0;        // first of `width` morph weights
  bool is_one_weight = false;  // KHR_animation_pointer names one of the weights
  Integers integers = Integers::kFractions;
};

// Returns the target of a channel, or nothing if the channel does not move a node; an issue names
// the reason.
std::optional<AnimationTarget> resolve_target(Document& document, const Skeleton& skeleton,
                                              std::size_t animation, std::size_t channel,
                                              const Element& where);

// Returns the node that a channel hides and shows, if KHR_animation_pointer names the visibility of
// KHR_node_visibility: "/nodes/3/extensions/KHR_node_visibility/visible".
std::optional<NodeIndex> visibility_of(const Document& document, std::size_t animation,
                                       std::size_t channel);

// Returns the element that a channel changes, as a JSON pointer: "/nodes/3", or with
// KHR_animation_pointer also "/materials/1". Empty: it names none.
std::string target_element(const Document& document, std::size_t animation, std::size_t channel);

// Weights of a mesh. They move each node that has the mesh and does not have weights.
struct MeshWeights {
  int mesh = -1;
  AnimationTarget target;  // without a node
};

// Returns the target of a channel if KHR_animation_pointer names weights that a mesh has:
// "/meshes/3/weights" or "/meshes/3/weights/1".
std::optional<MeshWeights> mesh_weights_of(const Document& document, std::size_t animation,
                                           std::size_t channel);

}  // namespace skinbake::gltf
