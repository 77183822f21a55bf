// Which joints of two files are the same.

#pragma once

#include "skinbake/tool/surfaces.h"

namespace skinbake {

// Sets BindSurface::joint_ids of both surfaces. A joint whose name no other joint of its side has
// pairs with the joint of this name. Of the other joints, those at one place at rest pair in the
// order of the files: tools that drop names keep the order of joints. A joint without a partner has
// an id of its own.
void pair_joints(BindSurface& a, BindSurface& b);

}  // namespace skinbake
