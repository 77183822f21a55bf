// Pose<Joint>: the joints of a few frames, read from a block as a method reads an array.

#if defined(SKINBAKE_METHODS_POSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_POSE_INL_H_
#undef SKINBAKE_METHODS_POSE_INL_H_
#else
#define SKINBAKE_METHODS_POSE_INL_H_
#endif

#include <cstddef>

#include "math/dual_quat-inl.h"
#include "skinbake/frames.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// How an aggregate of Reals is laid out: its numbers one after another, [element][frame].
template <class Joint>
struct Elements;

template <class R>
struct Elements<Affine<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 12;
  static HWY_INLINE Affine<R> load_from(const Scalar<R>* p) {
    constexpr std::size_t n = kFramesPerBlock;
    return {{load<R>(p), load<R>(p + n), load<R>(p + 2 * n)},
            {load<R>(p + 3 * n), load<R>(p + 4 * n), load<R>(p + 5 * n)},
            {load<R>(p + 6 * n), load<R>(p + 7 * n), load<R>(p + 8 * n)},
            {load<R>(p + 9 * n), load<R>(p + 10 * n), load<R>(p + 11 * n)}};
  }
  static HWY_INLINE void store_to(const Affine<R>& m, Scalar<R>* p) {
    const R* element = &m.x.x;
    for (std::size_t e = 0; e < kCount; ++e) store(element[e], p + e * kFramesPerBlock);
  }
};

template <class R>
struct Elements<Rigid<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 7;
  static HWY_INLINE Rigid<R> load_from(const Scalar<R>* p) {
    constexpr std::size_t n = kFramesPerBlock;
    return {{load<R>(p), load<R>(p + n), load<R>(p + 2 * n), load<R>(p + 3 * n)},
            {load<R>(p + 4 * n), load<R>(p + 5 * n), load<R>(p + 6 * n)}};
  }
};

template <class R>
struct Elements<DualQuat<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 8;
  static HWY_INLINE DualQuat<R> load_from(const Scalar<R>* p) {
    constexpr std::size_t n = kFramesPerBlock;
    return {{load<R>(p), load<R>(p + n), load<R>(p + 2 * n), load<R>(p + 3 * n)},
            {load<R>(p + 4 * n), load<R>(p + 5 * n), load<R>(p + 6 * n), load<R>(p + 7 * n)}};
  }
  static HWY_INLINE void store_to(const DualQuat<R>& q, Scalar<R>* p) {
    const R* element = &q.real.w;
    for (std::size_t e = 0; e < kCount; ++e) store(element[e], p + e * kFramesPerBlock);
  }
};

template <class Joint>
class Pose {
 public:
  using Real = typename Elements<Joint>::Real;

  // `joints` has the shape [joint][element][frame] and starts at the frame wanted.
  HWY_INLINE explicit Pose(const Scalar<Real>* joints) : joints_(joints) {}

  HWY_INLINE Joint operator[](std::size_t joint) const {
    return Elements<Joint>::load_from(joints_ + joint * Elements<Joint>::kCount * kFramesPerBlock);
  }

 private:
  const Scalar<Real>* joints_;
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
