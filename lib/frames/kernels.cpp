#include "frames/corner_normals.h"

// Highway compiles this file once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "frames/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "frames/corner_normals-inl.h"

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(corner_normals_here);

}  // namespace

void corner_normals(const CornerNormalTask& task) {
  HWY_DYNAMIC_DISPATCH(corner_normals_here)(task);
}

}  // namespace skinbake

#endif  // HWY_ONCE
