#include "base/bytes/hash.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

namespace skinbake {

TEST_CASE("hash: the hash of an empty input is the published one") {
  CHECK(Xxh128().hex() == "99aa06d3014798d86001c324468d497f");
}

TEST_CASE("hash: the hash of abc is printed as by xxhsum -H128") {
  Xxh128 hash;
  hash.update("abc", 3);
  CHECK(hash.hex() == "06b05ab6733a618578af5f94892f3950");
}

TEST_CASE("hash: does not depend on the pieces in which bytes come") {
  std::string bytes(5000, '\0');
  std::iota(bytes.begin(), bytes.end(), '\0');
  Xxh128 whole, pieces;
  whole.update(bytes.data(), bytes.size());
  for (std::size_t i = 0, n = 1; i < bytes.size(); i += n, n = n * 3 % 700 + 1) {
    pieces.update(bytes.data() + i, std::min(n, bytes.size() - i));
  }
  CHECK(whole.hex() == pieces.hex());
  bytes[4999] ^= 1;
  Xxh128 other;
  other.update(bytes.data(), bytes.size());
  CHECK(other.hex() != whole.hex());
}

}  // namespace skinbake
