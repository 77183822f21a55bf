// Vertices of a block or of one pose, in double.

#if defined(SKINBAKE_FRAMES_POINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_FRAMES_POINTS_INL_H_
#undef SKINBAKE_FRAMES_POINTS_INL_H_
#else
#define SKINBAKE_FRAMES_POINTS_INL_H_
#endif

#include <cstddef>

#include "math/vec3-inl.h"
#include "skinbake/frames.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// The registers of a block of doubles, and where they start.
inline constexpr int kRegisters = kFramesPerBlock / kLanes<DoubleLanes>;
inline constexpr int kRegisterLanes = kLanes<DoubleLanes>;

// Where vertices are: kLanes<Real> frames of a block from `lane` on …
template <class Real>
struct BlockPoints {
  const float* positions;  // [vertex][axis][frame], from the first lane

  HWY_INLINE Vec3<Real> operator[](VertexIndex v) const {
    const float* p = positions + std::size_t{v} * 3 * kFramesPerBlock;
    return {load_promoted<Real>(p), load_promoted<Real>(p + kFramesPerBlock),
            load_promoted<Real>(p + 2 * kFramesPerBlock)};
  }
};

// … or one pose.
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
