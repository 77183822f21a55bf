// The frame of a character: which way is left, up and forward for it at rest.

#pragma once

#include "humanoid/map/human_map.h"
#include "math/scalar.h"

namespace skinbake {

// Orthogonal unit vectors in the scene. The left is +X of a character that faces +Z.
struct CharacterFrame {
  Vec3<double> left{1, 0, 0}, up{0, 1, 0}, forward{0, 0, 1};

  // A direction whose components are along left, up and forward, in the scene.
  Vec3<double> in_scene(const Vec3<double>& d) const {
    return d.x * left + d.y * up + d.z * forward;
  }
};

// The frame from the rest positions of upper arms and upper legs: across is the mean of their
// directions from left to right, up is the direction from the legs to the arms, or the axis of the
// scene that is within 30 degrees of it. Precondition: the map is complete. The result is not
// finite if these positions coincide or are not finite.
CharacterFrame character_frame(const NodeTree& tree, const HumanMap& map);

// The frame turned by the smallest rotation that makes +Y its up.
CharacterFrame upright(const CharacterFrame& frame);

}  // namespace skinbake
