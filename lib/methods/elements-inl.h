// The layout of a method's joints and parts in a block: the numbers of an aggregate one after
// another, [element][frame].

#if defined(SKINBAKE_METHODS_ELEMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_ELEMENTS_INL_H_
#undef SKINBAKE_METHODS_ELEMENTS_INL_H_
#else
#define SKINBAKE_METHODS_ELEMENTS_INL_H_
#endif

#include <cstddef>

#include "math/dual_quat-inl.h"
#include "skinbake/frames.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// The layout of an aggregate of kCount Reals.
template <class Aggregate>
struct Elements;

// Reads the numbers of an aggregate one after another; braces keep their order.
template <class R>
struct ElementReader {
  const Scalar<R>* at;

  HWY_INLINE R real() {
    const R number = load<R>(at);
    at += kFramesPerBlock;
    return number;
  }
  HWY_INLINE Vec3<R> vec3() { return {real(), real(), real()}; }
  HWY_INLINE Quat<R> quat() { return {real(), real(), real(), real()}; }
  HWY_INLINE Affine<R> affine() { return {vec3(), vec3(), vec3(), vec3()}; }
};

// Writes the numbers that start at `first`.
template <std::size_t kCount, class R>
HWY_INLINE void store_elements(const R* first, Scalar<R>* p) {
  for (std::size_t e = 0; e < kCount; ++e) store(first[e], p + e * kFramesPerBlock);
}

template <class R>
struct Elements<Affine<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 12;
  static HWY_INLINE Affine<R> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return in.affine();
  }
  static HWY_INLINE void store_to(const Affine<R>& m, Scalar<R>* p) {
    store_elements<kCount>(&m.x.x, p);
  }
};

template <class R>
struct Elements<Rigid<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 7;
  static HWY_INLINE Rigid<R> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return {in.quat(), in.vec3()};
  }
  static HWY_INLINE void store_to(const Rigid<R>& m, Scalar<R>* p) {
    store_elements<kCount>(&m.rotation.w, p);
  }
};

template <class R>
struct Elements<DualQuat<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 8;
  static HWY_INLINE DualQuat<R> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return {in.quat(), in.quat()};
  }
  static HWY_INLINE void store_to(const DualQuat<R>& q, Scalar<R>* p) {
    store_elements<kCount>(&q.real.w, p);
  }
};

// kSize Reals without names, for joints and parts that are plain numbers.
template <class R, std::size_t kSize>
struct Numbers {
  R e[kSize];
  HWY_INLINE const R& operator[](std::size_t i) const { return e[i]; }
};

template <class R, std::size_t kSize>
struct Elements<Numbers<R, kSize>> {
  using Real = R;
  static constexpr std::size_t kCount = kSize;
  static HWY_INLINE Numbers<R, kSize> load_from(const Scalar<R>* p) {
    Numbers<R, kSize> numbers;
    for (std::size_t i = 0; i < kSize; ++i) numbers.e[i] = load<R>(p + i * kFramesPerBlock);
    return numbers;
  }
  static HWY_INLINE void store_to(const Numbers<R, kSize>& numbers, Scalar<R>* p) {
    store_elements<kSize>(numbers.e, p);
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
