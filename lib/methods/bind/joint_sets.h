// The distinct sets of joints that move vertices together: the parts of method `sbs`.

#pragma once

#include "methods/method.h"

namespace skinbake {

// One part for every distinct set of two joints or more, in the order of the vertices. Its joints
// ascend; its three numbers are the head of its deepest joint, the lowest of equally deep ones. A
// vertex that several joints move has one entry, whose index is its part.
BindData bind_joint_sets(const BindInput& input);

}  // namespace skinbake
