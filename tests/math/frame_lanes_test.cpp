// Compiled once per Highway target, as the kernels are.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/aligned_array.h"
#include "support/near.h"
#include "support/random.h"
#include "support/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/frame_lanes_test.cpp"
#include <hwy/foreach_target.h>

#include "math/elementary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Every operation on count numbers (a multiple of 16). out: [operation][number].
template <class T>
void apply_all(const T* a, const T* b, const T* c, std::size_t count, T* out) {
  using Real = Lanes<T>;
  for (std::size_t i = 0; i < count; i += kLanes<Real>) {
    const Real x = load<Real>(a + i), y = load<Real>(b + i), z = load<Real>(c + i);
    T* to = out + i;
    const auto put = [&](Real lanes) HWY_ATTR {
      store(lanes, to);
      to += count;
    };
    put(x + y);
    put(x - y);
    put(x * y);
    put(x / y);
    put(-x);
    put(fma(x, y, z));
    put(sqrt(abs(x)));
    put(abs(x));
    put(copysign(x, y));
    put(select(less(x, y), x, z));
    put(min(x, y));
    put(max(x, y));
    put(splat<Real>(0.1));
  }
}

void apply_floats(const float* a, const float* b, const float* c, std::size_t n, float* out) {
  apply_all(a, b, c, n, out);
}
void apply_doubles(const double* a, const double* b, const double* c, std::size_t n, double* out) {
  apply_all(a, b, c, n, out);
}

void promote(const float* from, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; i += kLanes<DoubleLanes>) {
    store(load_promoted<DoubleLanes>(from + i), to + i);
  }
}

// out: [sin, cos, atan2][number].
void apply_elementary(const double* a, const double* b, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; i += kLanes<DoubleLanes>) {
    const DoubleLanes x = load<DoubleLanes>(a + i), y = load<DoubleLanes>(b + i);
    const SinCos<DoubleLanes> both = sin_cos(x);
    store(both.sin, out + i);
    store(both.cos, out + count + i);
    store(skinbake::HWY_NAMESPACE::atan2(x, y), out + 2 * count + i);
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skinbake {
namespace {

HWY_EXPORT(apply_floats);
HWY_EXPORT(apply_doubles);
HWY_EXPORT(apply_elementary);
HWY_EXPORT(promote);

constexpr std::size_t kCount = 4096, kOperations = 13;

void apply(const float* a, const float* b, const float* c, float* out) {
  HWY_DYNAMIC_DISPATCH(apply_floats)(a, b, c, kCount, out);
}
void apply(const double* a, const double* b, const double* c, double* out) {
  HWY_DYNAMIC_DISPATCH(apply_doubles)(a, b, c, kCount, out);
}

// The results of plain numbers, in the order of apply_all.
template <class T>
void expect_all(T x, T y, T z, T (&e)[kOperations]) {
  const T results[] = {x + y,
                       x - y,
                       x * y,
                       x / y,
                       -x,
                       std::fma(x, y, z),
                       std::sqrt(std::fabs(x)),
                       std::fabs(x),
                       std::copysign(x, y),
                       x < y ? x : z,
                       y < x ? y : x,
                       x < y ? y : x,
                       static_cast<T>(0.1)};
  std::copy(std::begin(results), std::end(results), e);
}

// Numbers of every size, including zeros of both signs.
template <class T>
AlignedArray<T> numbers(std::uint64_t seed) {
  test::Random random(seed);
  AlignedArray<T> all(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    all[i] = static_cast<T>(std::ldexp(random.between(-1, 1), random.below(60) - 30));
  }
  all[1] = T{0}, all[2] = -T{0}, all[3] = std::numeric_limits<T>::denorm_min();
  all[4] = std::numeric_limits<T>::max();
  return all;
}

template <class T>
void check_operations() {
  const auto a = numbers<T>(1), c = numbers<T>(3);
  auto b = numbers<T>(2);
  b[1] = b[2] = T{-2};  // 0 / 0 is a NaN, whose sign is unspecified
  AlignedArray<T> out(kOperations * kCount);
  test::for_each_simd_target([&](const std::string&) {
    apply(a.data(), b.data(), c.data(), out.data());
    int wrong[kOperations] = {};
    for (std::size_t i = 0; i < kCount; ++i) {
      T expected[kOperations];
      expect_all(a[i], b[i], c[i], expected);
      for (std::size_t o = 0; o < kOperations; ++o) {
        wrong[o] += test::same_bits(out[o * kCount + i], expected[o]) ? 0 : 1;
      }
    }
    for (std::size_t o = 0; o < kOperations; ++o) {
      CAPTURE(o);
      CHECK(wrong[o] == 0);
    }
  });
}

}  // namespace

TEST_CASE("lanes: float operations give the bits of plain floats on every target") {
  check_operations<float>();
}

TEST_CASE("lanes: double operations give the bits of plain doubles on every target") {
  check_operations<double>();
}

TEST_CASE("lanes: fma rounds once on every target") {
  // (1 + e)^2 - 1 = 2 e + e^2; rounding the product first would lose e^2.
  const double e = 0x1p-30;
  AlignedArray<double> a(kCount), c(kCount), out(kOperations * kCount);
  std::fill_n(a.data(), kCount, 1 + e);
  std::fill_n(c.data(), kCount, -1.0);
  test::for_each_simd_target([&](const std::string&) {
    apply(a.data(), a.data(), c.data(), out.data());
    CHECK(out[5 * kCount] == 2 * e + e * e);
  });
}

TEST_CASE("lanes: sin, cos and atan2 give the bits of plain doubles on every target") {
  test::Random random(4);
  AlignedArray<double> a(kCount), b(kCount), out(3 * kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    a[i] = random.between(-10, 10), b[i] = random.between(-10, 10);
  }
  test::for_each_simd_target([&](const std::string&) {
    HWY_DYNAMIC_DISPATCH(apply_elementary)(a.data(), b.data(), kCount, out.data());
    int wrong = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto plain = HWY_NAMESPACE::sin_cos(a[i]);
      const double angle = HWY_NAMESPACE::atan2(a[i], b[i]);
      wrong += test::same_bits(out[i], plain.sin) ? 0 : 1;
      wrong += test::same_bits(out[kCount + i], plain.cos) ? 0 : 1;
      wrong += test::same_bits(out[2 * kCount + i], angle) ? 0 : 1;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("lanes: floats are promoted in order") {
  const auto a = numbers<float>(5);
  AlignedArray<double> out(kCount);
  test::for_each_simd_target([&](const std::string&) {
    HWY_DYNAMIC_DISPATCH(promote)(a.data(), kCount, out.data());
    int wrong = 0;
    for (std::size_t i = 0; i < kCount; ++i) wrong += out[i] == double{a[i]} ? 0 : 1;
    CHECK(wrong == 0);
  });
}

}  // namespace skinbake
#endif  // HWY_ONCE
