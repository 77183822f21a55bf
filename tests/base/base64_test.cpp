#include "base/base64.h"

#include <doctest/doctest.h>

#include <string_view>

namespace skinbake {
namespace {

std::string encoded(std::string_view text) {
  return base64_encoded(std::as_bytes(std::span(text)));
}

// RFC 4648, section 10.
TEST_CASE("base64: the vectors of the RFC") {
  CHECK(encoded("") == "");
  CHECK(encoded("f") == "Zg==");
  CHECK(encoded("fo") == "Zm8=");
  CHECK(encoded("foo") == "Zm9v");
  CHECK(encoded("foob") == "Zm9vYg==");
  CHECK(encoded("fooba") == "Zm9vYmE=");
  CHECK(encoded("foobar") == "Zm9vYmFy");
}

TEST_CASE("base64: every digit") {
  CHECK(encoded("\xfb\xef\xbe\xff\xff\xff") == "++++////");
}

}  // namespace
}  // namespace skinbake
