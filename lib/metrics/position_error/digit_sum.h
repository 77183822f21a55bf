// A sum of squares that does not depend on the order of its terms, nor on how they are divided
// among several sums: parts of a clip that are measured on several machines add up to the bits of
// one run.
//
// A term is split into digits to the base 2^32, at places that are the same for all terms, and the
// digits of a place are added as integers, which is exact. Only the three highest places of the
// largest term are kept, so that of each term less than 2^-64 of the largest one is dropped; what
// is dropped depends on the terms alone. The idea of fixed places: James Demmel, Hong Diep Nguyen.
// Parallel Reproducible Summation. 2015.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace skinbake {

inline constexpr int kDigitPlaces = 3;
inline constexpr int kDigitBits = 32;

// A term below 2^(32 (place + 1)) has no digit above `place`. Squares of distances of floats are
// below 2^260. The lowest place keeps 2^(-32 (place - 2)) finite; smaller terms are dropped.
inline constexpr int kLowestPlace = -29, kHighestPlace = 8;

// 2^e for the exponents of normal numbers.
inline double power_of_two(int e) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
}

// The place of the highest digit of a term. Preconditions: finite, not negative.
inline int digit_place(double term) {
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(term) >> 52) - 1023;
  const int place = (exponent + kDigitBits * 64) / kDigitBits - 64;  // rounds towards lower places
  return std::clamp(place, kLowestPlace, kHighestPlace);
}

struct DigitSum {
  std::array<std::uint64_t, kDigitPlaces> digits{};  // sums of digits, the highest place first
  std::int32_t place = kLowestPlace;                 // of digits[0]
  bool is_nan = false;                               // a term was not a number

  // The number of terms of both sums must be below 2^32.
  void add(const DigitSum& other) {
    is_nan |= other.is_nan;
    raise_to(other.place);
    const auto shift = static_cast<std::size_t>(place - other.place);
    for (std::size_t i = shift; i < digits.size(); ++i) digits[i] += other.digits[i - shift];
  }

  double value() const {
    const double base = power_of_two(kDigitBits);
    double sum = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
      sum = sum / base + static_cast<double>(digits[i]);
    }
    return is_nan ? std::numeric_limits<double>::quiet_NaN()
                  : sum * power_of_two(kDigitBits * place);
  }

 private:
  void raise_to(std::int32_t higher) {
    if (higher <= place) return;
    const auto shift = static_cast<std::size_t>(higher - place);
    for (std::size_t i = digits.size(); i-- > 0;) digits[i] = i >= shift ? digits[i - shift] : 0;
    place = higher;
  }
};

}  // namespace skinbake
