// e^x for x <= 0 by + - * only, in a form that compilers vectorise. The error is at most 2 ulp
// (tests/math). The result is 0 below -700, near the end of a double's exponent range.

#pragma once

#include <bit>
#include <cstdint>

namespace skinbake {

// x = n ln 2 + r, |r| <= ln 2 / 2: e^r by Taylor, whose 14th term is below 2^-57, times 2^n by the
// bits of the exponent. ln 2 has two parts (Cody & Waite. Software Manual for the Elementary
// Functions. 1980): n times the first part is exact.
inline double exp_of_negative(double x) {
  constexpr double kShift = 0x1.8p52;  // adding it removes the fraction
  const double inside = x < -700 ? -700.0 : x;
  const double shifted = inside * 0x1.71547652b82fep0 + kShift;
  const double n = shifted - kShift;
  const double r = (inside - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  double sum = 1.0 / 6227020800;
  sum = sum * r + 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  const double power = 1 + (r + r * r * sum);
  const std::uint64_t scaled =
      std::bit_cast<std::uint64_t>(power) + (std::bit_cast<std::uint64_t>(shifted) << 52);
  return x < -700 ? 0.0 : std::bit_cast<double>(scaled);
}

}  // namespace skinbake
