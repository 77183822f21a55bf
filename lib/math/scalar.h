// The mathematics on plain doubles, for code that is not compiled once per instruction set.
//
// The `-inl.h` files put their functions into a namespace per target; here the one of the baseline
// is opened to all of skinbake. Not for files that are compiled per target.

#pragma once

#include "math/affine-inl.h"
#include "math/dual_quat-inl.h"
#include "math/elementary-inl.h"
#include "math/motion_log-inl.h"
#include "math/quat-inl.h"
#include "math/vec3-inl.h"

namespace skinbake {
using namespace HWY_NAMESPACE;  // NOLINT(google-build-using-namespace): see above
}  // namespace skinbake
