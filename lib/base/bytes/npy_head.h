// The start of a NumPy array file, version 1.0:
//
//   offset  type        field
//        0  char[6]     "\x93NUMPY"
//        6  uint8[2]    1, 0
//        8  uint16      length H of the dictionary
//       10  char[H]     {'descr': '<f4', 'fortran_order': False, 'shape': (F, V, 3), }, then
//                       spaces and '\n'
//   10 + H              the numbers, last index fastest; at a multiple of 64
//
// After numpy.lib.format's documentation.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace skinbake {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// Everything before the numbers. Precondition: at least two dimensions.
std::string npy_head(std::initializer_list<std::int64_t> shape, std::string_view descr = "<f4");

}  // namespace skinbake
