// Tests of printable(): what a terminal or a page shows of untrusted text.

#include "json/text.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>

namespace skinbake {
namespace {

TEST_CASE("printable: text in any script stays as it is") {
  for (const char* text :
       {"", "Arm_L", "Schultergürtel", "腕.左", "bras d'été", "👩‍🚀", "می\u200Cخواهم"}) {
    CHECK(printable(text) == text);
  }
}

TEST_CASE("printable: line breaks and tabs become spaces, so that a name stays on its line") {
  CHECK(printable("a\nb\r\tc") == "a b  c");
  CHECK(printable("a\xE2\x80\xA8"
                  "b\xE2\x80\xA9"
                  "c") == "a b c");
}

TEST_CASE("printable: control characters become U+FFFD") {
  CHECK(printable("\x1B[31mred") == "\uFFFD[31mred");
  CHECK(printable("\x7F") == "\uFFFD");
  CHECK(printable(std::string_view("\0", 1)) == "\uFFFD");
  CHECK(printable("\xC2\x9B"
                  "31m") == "\uFFFD31m");  // the C1 form of ESC [
  CHECK(printable("\xEF\xBF\xBE") == "\uFFFD");
}

TEST_CASE("printable: characters that change the direction of text become U+FFFD") {
  for (const char* mark : {"\u061C", "\u200E", "\u200F", "\u202A", "\u202E", "\u2066", "\u2069"}) {
    CHECK(printable(std::string("gpj") + mark + "exe") == "gpj\uFFFDexe");
  }
}

TEST_CASE("printable: characters that draw nothing become U+FFFD") {
  for (const char* mark : {"\u200B", "\u200C", "\u200D", "\u2060", "\u2064", "\uFEFF", "\U000E0000",
                           "\U000E0041", "\U000E007F"}) {
    CHECK(printable(std::string("ar") + mark + "m") == "ar\uFFFDm");
  }
  for (const char* mark :
       {"\u00AD", "\u034F", "\u115F", "\u1160", "\u180E", "\u2061", "\u206A", "\u206F", "\u3164",
        "\uFE00", "\uFE0F", "\uFFA0", "\uFFF9", "\uFFFB", "\U000E0100", "\U000E01EF"}) {
    CHECK(printable(std::string("腕") + mark + "左") == "腕\uFFFD左");
  }
  for (const char* seen : {"\u00A0", "\u00AC", "\u00AE", "\u034E", "\u3163", "\uFE10", "\uFFFC",
                           "\U000E00FF", "\U000E01F0"}) {
    CHECK(printable(seen) == seen);
  }
  CHECK(printable("a\u200D\u200D") == "a\uFFFD\uFFFD");
  CHECK(printable("\u205F\u2065\U000E0080") == "\u205F\u2065\U000E0080");
}

TEST_CASE("printable: each byte that is not UTF-8 becomes U+FFFD") {
  CHECK(printable("\xC3(") == "\uFFFD(");
  CHECK(printable("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");  // a surrogate
  CHECK(printable("\xE2\x82") == "\uFFFD\uFFFD");            // a character that ends early
}

TEST_CASE("printable: random bytes become valid text that stays as it is") {
  std::mt19937 random(7);
  for (int run = 0; run < 2000; ++run) {
    std::string bytes(random() % 24, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const std::string shown = printable(bytes);
    for (std::size_t i = 0; i < shown.size();) {
      const std::size_t length = utf8_length(std::string_view(shown).substr(i));
      REQUIRE(length > 0);
      i += length;
    }
    CHECK(printable(shown) == shown);
  }
}

}  // namespace
}  // namespace skinbake
