// Half precision, IEEE 754 binary16, as bits: 1 of the sign, 5 of the exponent, 10 of the mantissa.
// The largest number is 65504; below 2^-14 the spacing is 2^-24.

#pragma once

#include <bit>
#include <cstdint>

namespace skinbake {

inline constexpr float kLargestHalf = 65504;
inline constexpr float kFirstBeyondHalf = 65520;  // the smallest float that is rounded to infinity

// Bit patterns: the difference of the exponents' biases and the smallest normal half, as floats;
// infinity, as a half.
inline constexpr std::uint32_t kHalfBias = 112u << 23, kSmallestNormalHalf = 0x38800000;
inline constexpr std::uint32_t kInfiniteHalf = 0x7c00;

// Rounds to the nearest half, ties to even.
inline std::uint16_t to_half(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  constexpr std::uint32_t kInfinity = 0x7f800000, kBeyond = 0x47800000;
  std::uint32_t half = 0;
  if (magnitude > kInfinity) {
    half = 0x7e00;
  } else if (magnitude >= kBeyond) {
    half = kInfiniteHalf;
  } else if (magnitude >= kSmallestNormalHalf) {
    // The exponent gets the bias of halves; a carry out of the mantissa correctly increments it.
    half = (magnitude - kHalfBias + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  } else {
    // Floats near 0.5 have the spacing 2^-24 too, so the sum is rounded correctly.
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
           std::bit_cast<std::uint32_t>(0.5F);
  }
  return static_cast<std::uint16_t>(sign | half);
}

// Converts exactly.
inline float from_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu, mantissa = half & 0x3ffu;
  std::uint32_t bits = 0;
  if (exponent == 0) {
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * 0x1p-24F);
  } else if (exponent == 0x1f) {
    bits = 0x7f800000u | (mantissa << 13);
  } else {
    bits = ((exponent + 112u) << 23) | (mantissa << 13);
  }
  return std::bit_cast<float>(sign | bits);
}

}  // namespace skinbake
