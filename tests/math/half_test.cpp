#include "math/half.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace skinbake {

TEST_CASE("half: conversion to float and back is the identity") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const bool is_nan = (bits & 0x7fffu) > 0x7c00u;
    const float number = from_half(half);
    wrong += is_nan ? !std::isnan(number) : to_half(number) != half;
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: floats are rounded to the nearest half, ties to even") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7bffu; ++bits) {  // finite positive halves, except the last
    const auto half = static_cast<std::uint16_t>(bits);
    const float low = from_half(half), high = from_half(static_cast<std::uint16_t>(bits + 1));
    const float middle = low + (high - low) / 2;  // exact: a float has 13 more bits
    const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    wrong += to_half(middle) != even;
    wrong += to_half(std::nextafter(middle, low)) != bits;
    wrong += to_half(std::nextafter(middle, high)) != bits + 1;
    wrong += to_half(-middle) != (even | 0x8000u);
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: known numbers have their known bits") {
  CHECK(to_half(1) == 0x3c00);
  CHECK(to_half(-2) == 0xc000);
  CHECK(to_half(0) == 0);
  CHECK(to_half(-0.0F) == 0x8000);
  CHECK(to_half(kLargestHalf) == 0x7bff);
  CHECK(to_half(std::nextafter(kFirstBeyondHalf, 0.0F)) == 0x7bff);
  CHECK(to_half(kFirstBeyondHalf) == 0x7c00);
  CHECK(to_half(std::numeric_limits<float>::max()) == 0x7c00);
  CHECK(to_half(std::numeric_limits<float>::infinity()) == 0x7c00);
  CHECK(to_half(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(std::isnan(from_half(to_half(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(from_half(1) == 0x1p-24F);
  CHECK(from_half(0x0400) == 0x1p-14F);
}

}  // namespace skinbake
