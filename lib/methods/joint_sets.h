// The sets of joints that vertices have.

#pragma once

#include "methods/method.h"

namespace skinbake {

// Every distinct set of two joints or more as a part, its joints ascending; each vertex with such a
// set has one entry, the part. In the order of the vertices.
Bound joint_sets(const Rig& rig);

}  // namespace skinbake
