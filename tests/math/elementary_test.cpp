#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/scalar.h"
#include "support/near.h"
#include "support/random.h"

namespace skinbake {
namespace {

using test::Random;
using test::ulps;

constexpr int kSamples = 100000;
constexpr double kPi = std::numbers::pi;

// The worst error over random numbers of a range, in ulp.
template <class Error>
double worst(double low, double high, const Error& error) {
  Random random(11);
  double most = 0;
  for (int i = 0; i < kSamples; ++i) most = std::max(most, error(random.between(low, high)));
  return most;
}

double sin_error(double x) {
  return ulps(sin_cos(x).sin, std::sin(static_cast<long double>(x)));
}
double cos_error(double x) {
  return ulps(sin_cos(x).cos, std::cos(static_cast<long double>(x)));
}

double atan2_error(double y, double x) {
  return ulps(skinbake::atan2(y, x),
              std::atan2(static_cast<long double>(y), static_cast<long double>(x)));
}

}  // namespace

TEST_CASE("sin and cos: exact at zero, odd and even") {
  CHECK(sin_cos(0.0).sin == 0);
  CHECK(sin_cos(0.0).cos == 1);
  for (const double x : {0.1, 1.0, 2.0, 4.0, 5.5, 1000.25}) {
    CHECK(sin_cos(-x).sin == -sin_cos(x).sin);
    CHECK(sin_cos(-x).cos == sin_cos(x).cos);
  }
}

TEST_CASE("sin and cos: the float version is accurate up to a right angle") {
  Random random(12);
  float most = 0;
  for (int i = 0; i < kSamples; ++i) {
    const auto x = static_cast<float>(random.between(0, kPi / 2));
    const auto [s, c] = sin_cos_to_right_angle(x);
    most = std::max({most, std::fabs(s - std::sin(x)), std::fabs(c - std::cos(x))});
  }
  CHECK(most < 1.5e-7f);
  CHECK(sin_cos_to_right_angle(0.0f).sin == 0);
  CHECK(sin_cos_to_right_angle(0.0f).cos == 1);
  CHECK(sin_cos_to_right_angle(0.7).sin == sin_cos(0.7).sin);
}

TEST_CASE("sin and cos: signs in the four quadrants") {
  for (int turn = -3; turn <= 3; ++turn) {
    const double start = 2 * kPi * turn;
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
      const auto [s, c] = sin_cos(start + (quadrant + 0.5) * kPi / 2);
      CHECK((s > 0) == (quadrant < 2));
      CHECK((c > 0) == (quadrant == 0 || quadrant == 3));
    }
  }
}

TEST_CASE("sin and cos: the error is at most 2 ulp up to 1e5") {
  for (const double range : {1e-6, 0.8, 7.0, 100.0, 1e5}) {
    CAPTURE(range);
    CHECK(worst(-range, range, sin_error) <= 2);
    CHECK(worst(-range, range, cos_error) <= 2);
  }
}

TEST_CASE("sin and cos: the error is at most 2 ulp near their zeros") {
  // The 80-bit library is accurate enough: it reduces by a pi of 66 bits or more.
  for (int n = 1; n < 200; ++n) {
    CAPTURE(n);
    const double x = n * (kPi / 2);
    CHECK(sin_error(x) <= 2);
    CHECK(cos_error(x) <= 2);
    CHECK(sin_error(std::nextafter(x, 0)) <= 2);
    CHECK(cos_error(std::nextafter(x, 1e9)) <= 2);
  }
}

TEST_CASE("atan2: exact on the axes, with signs") {
  CHECK(skinbake::atan2(0.0, 0.0) == 0);
  CHECK(skinbake::atan2(0.0, 2.0) == 0);
  CHECK(skinbake::atan2(0.0, -2.0) == kPi);
  CHECK(skinbake::atan2(-0.0, -2.0) == -kPi);
  CHECK(skinbake::atan2(3.0, 0.0) == kPi / 2);
  CHECK(skinbake::atan2(-3.0, 0.0) == -kPi / 2);
  CHECK(skinbake::atan2(1.0, 1.0) == kPi / 4);
  CHECK(skinbake::atan2(-1.0, 1.0) == -kPi / 4);
}

TEST_CASE("atan2: the error is at most 2 ulp in all quadrants and for all slopes") {
  CHECK(worst(-kPi, kPi, [](double a) { return atan2_error(std::sin(a), std::cos(a)); }) <= 2);
  CHECK(worst(-30, 30, [](double e) { return atan2_error(std::exp2(e), 1.25); }) <= 2);
  CHECK(worst(-30, 30, [](double e) { return atan2_error(-std::exp2(e), -1.25); }) <= 2);
  CHECK(worst(0.65, 0.67, [](double t) { return atan2_error(t, 1); }) <= 2);
}

TEST_CASE("log: is exact at 1 and for powers of two") {
  CHECK(skinbake::log(1.0) == 0);
  CHECK(skinbake::log(2.0) == std::log(2.0));
  CHECK(skinbake::log(0.5) == -std::log(2.0));
}

TEST_CASE("log: the error is at most 2 ulp for numbers of every size and near 1") {
  const auto error = [](double x) {
    return ulps(skinbake::log(x), std::log(static_cast<long double>(x)));
  };
  CHECK(worst(-1000, 1000, [&](double e) { return error(std::exp2(e)); }) <= 2);
  CHECK(worst(0.5, 2, error) <= 2);
  CHECK(worst(1 - 1e-6, 1 + 1e-6, error) <= 2);
  CHECK(worst(0.5, 2, error) > 0.4);  // otherwise nothing was measured
}

TEST_CASE("cbrt: is exact for small cubes and zero, and odd") {
  CHECK(skinbake::cbrt(0.0) == 0);
  for (const double root : {1.0, 2.0, 3.0, 10.0, 0.5}) {
    CHECK(ulps(skinbake::cbrt(root * root * root), static_cast<long double>(root)) <= 1);
    CHECK(skinbake::cbrt(-root * root * root) == -skinbake::cbrt(root * root * root));
  }
  CHECK(std::isnan(skinbake::cbrt(NAN)));
}

TEST_CASE("cbrt: the error is at most 2 ulp from 1e-30 to 1e30") {
  const auto error = [](double e) {
    const double x = std::exp2(e);
    return ulps(skinbake::cbrt(x), std::cbrt(static_cast<long double>(x)));
  };
  CHECK(worst(-100, 100, error) <= 2);
}

}  // namespace skinbake
