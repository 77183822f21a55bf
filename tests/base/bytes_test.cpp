#include "base/bytes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

namespace skinbake {
namespace {

std::string encoded(std::string_view text) {
  return base64_encoded(std::as_bytes(std::span(text)));
}

// RFC 4648, section 10.
TEST_CASE("base64: encodes the test vectors of the RFC") {
  CHECK(encoded("") == "");
  CHECK(encoded("f") == "Zg==");
  CHECK(encoded("fo") == "Zm8=");
  CHECK(encoded("foo") == "Zm9v");
  CHECK(encoded("foob") == "Zm9vYg==");
  CHECK(encoded("fooba") == "Zm9vYmE=");
  CHECK(encoded("foobar") == "Zm9vYmFy");
}

TEST_CASE("base64: decoding inverts encoding, with and without padding") {
  for (const std::string_view text : {"", "f", "fo", "foo", "foob", "fooba", "foobar"}) {
    const std::string with_padding = encoded(text);
    const auto end = std::min(with_padding.find('='), with_padding.size());
    for (const std::string& code : {with_padding, with_padding.substr(0, end)}) {
      const auto bytes = base64_decoded(code);
      REQUIRE(bytes.has_value());
      CHECK(std::string(bytes->data(), bytes->data() + bytes->size()) == text);
    }
  }
}

TEST_CASE("base64: both alphabets are decoded") {
  const auto standard = base64_decoded("+/+/"), url_safe = base64_decoded("-_-_");
  REQUIRE(standard.has_value());
  REQUIRE(url_safe.has_value());
  CHECK(std::equal(standard->data(), standard->data() + 3, url_safe->data()));
}

TEST_CASE("base64: a malformed text is refused") {
  CHECK_FALSE(base64_decoded("A").has_value());
  CHECK_FALSE(base64_decoded("AAA!").has_value());
  CHECK_FALSE(base64_decoded("AA A").has_value());
}

TEST_CASE("base64: all digits are encoded") {
  CHECK(encoded("\xfb\xef\xbe\xff\xff\xff") == "++++////");
}

}  // namespace
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
