// Rest poses of a clip's file: whether the rig has the same, so that local rotations mean the same
// in both, and whether channels keep them.

#pragma once

#include <span>
#include <string>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::gltf {

// A node of a clip's file, and the node of the rig that it moves.
struct NodePair {
  NodeIndex from = -1, to = -1;
};

// Describes the pairs whose local rest rotations differ by more than 0.1 degrees, ten at most, the
// largest difference first: "'arm' by 45.0 degrees and 0.02 m". Empty: there are none.
std::string rest_differences(const Skeleton& from, const Skeleton& to,
                             std::span<const NodePair> pairs);

// Whether a channel for translations or scales has no key but the rest pose of its node: exporters
// write these also where they do not change.
bool keeps_rest(const Channel& channel, const Skeleton& skeleton);

}  // namespace skinbake::gltf
