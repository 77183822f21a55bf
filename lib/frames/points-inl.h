// Access to the vertices of a block or of a pose, in double.

#if defined(SKINBAKE_FRAMES_POINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_FRAMES_POINTS_INL_H_
#undef SKINBAKE_FRAMES_POINTS_INL_H_
#else
#define SKINBAKE_FRAMES_POINTS_INL_H_
#endif

#include <cstddef>

#include "math/affine-inl.h"
#include "skinbake/frames.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Number of registers of doubles in a block, and number of frames in a register.
inline constexpr int kRegisters = kFramesPerBlock / kLanes<DoubleLanes>;
inline constexpr int kRegisterLanes = kLanes<DoubleLanes>;

// Vertex positions in one register of frames of a block.
template <class Real>
struct BlockPoints {
  const float* positions;  // [vertex][axis][frame], from the first frame of the register

  HWY_INLINE Vec3<Real> operator[](VertexIndex v) const {
    const float* p = positions + std::size_t{v} * 3 * kFramesPerBlock;
    return {load_promoted<Real>(p), load_promoted<Real>(p + kFramesPerBlock),
            load_promoted<Real>(p + 2 * kFramesPerBlock)};
  }
};

// Vertex positions in one pose.
struct PosePoints {
  const double* positions;  // [vertex][axis]

  HWY_INLINE Vec3<double> operator[](VertexIndex v) const {
    const double* p = positions + std::size_t{v} * 3;
    return {p[0], p[1], p[2]};
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
