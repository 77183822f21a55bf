// Splits the matrix of a node into the translation, rotation and scale that an animation can move.

#pragma once

#include "skinbake/rig.h"

namespace skinbake {

// Replaces the node's matrix by its parts. Returns false, and changes nothing, if the node does not
// have a matrix, or if the matrix has shear or a scale of zero, which no parts express.
bool split_matrix(Node& node);

}  // namespace skinbake
