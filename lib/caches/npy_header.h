// The header of a NumPy array: a dictionary as Python writes it.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// what(): the cause.
class NpyHeaderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 3), }: the three keys, once each, in any
// order, and nothing else. Throws NpyHeaderError.
NpyHeader parse_npy_header(std::string_view text);

}  // namespace skinbake
