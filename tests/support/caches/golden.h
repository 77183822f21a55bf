// Comparisons with expected bytes, which were computed by hand.

#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

namespace skinbake::test {

template <std::size_t N>
void check_bytes(const std::string& bytes, const unsigned char (&golden)[N]) {
  REQUIRE(bytes.size() == N);
  for (std::size_t i = 0; i < N; ++i) {
    CAPTURE(i);
    CHECK(static_cast<unsigned char>(bytes[i]) == golden[i]);
  }
}

// Checks the last bytes.
template <std::size_t N>
void check_end(const std::string& bytes, const unsigned char (&golden)[N]) {
  REQUIRE(bytes.size() >= N);
  check_bytes(bytes.substr(bytes.size() - N), golden);
}

}  // namespace skinbake::test
