// Mathematics on plain doubles, for code that is not compiled once per instruction set.
//
// The `-inl.h` files put their functions into one namespace per target. This header imports the
// baseline target's namespace into skinbake; files that are compiled per target must not include
// it.

#pragma once

#include "math/affine-inl.h"
#include "math/dual_quat-inl.h"
#include "math/elementary-inl.h"

namespace skinbake {
using namespace HWY_NAMESPACE;  // NOLINT(google-build-using-namespace): see above
}  // namespace skinbake
