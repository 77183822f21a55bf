#include "json/print.h"

#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace skinbake {
namespace {

// Without the newline.
std::string printed(const OrderedJson& value) {
  std::string text = print(value);
  text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("print: an empty object is two brackets and a newline") {
  CHECK(print(OrderedJson::object()) == "{}\n");
  CHECK(print(OrderedJson::array()) == "[]\n");
}

TEST_CASE(
    "print: objects are indented by two spaces, those without objects and arrays are a line") {
  const OrderedJson document{
      {"z", 1},
      {"b", {{{"c", "d"}, {"e", nullptr}}, {{"f", {true}}}}},
      {"g", {{"h", false}}},
      {"i", OrderedJson::array()},
  };
  CHECK(print(document) ==
        "{\n"
        "  \"z\": 1,\n"
        "  \"b\": [\n"
        "    {\"c\": \"d\", \"e\": null},\n"
        "    {\n"
        "      \"f\": [true]\n"
        "    }\n"
        "  ],\n"
        "  \"g\": {\"h\": false},\n"
        "  \"i\": []\n"
        "}\n");
}

TEST_CASE("print: numbers are the shortest decimals that read back as the same number") {
  CHECK(printed(0.1) == "0.1");
  CHECK(printed(30.0) == "30");
  CHECK(printed(1.0 / 6) == "0.16666666666666666");
  CHECK(printed(shortest(0.1f)) == "0.1");
  CHECK(printed(1e-7) == "1e-07");
  CHECK(printed(-12) == "-12");
  CHECK(printed(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(printed(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
}

TEST_CASE("print: negative zero is zero, NaN and infinity are null") {
  CHECK(printed(-0.0) == "0");
  CHECK(printed(shortest(-0.0f)) == "0");
  CHECK(printed(std::numeric_limits<double>::infinity()) == "null");
  CHECK(printed(shortest(std::numeric_limits<float>::quiet_NaN())) == "null");
}

TEST_CASE("print: arrays of numbers and of text are on one line") {
  CHECK(printed({0.0, -0.0, 0.1, std::nan("")}) == "[0, 0, 0.1, null]");
  CHECK(printed({-1, 2}) == "[-1, 2]");
  CHECK(printed({"a", "b\"c", "d"}) == "[\"a\", \"b\\\"c\", \"d\"]");
}

TEST_CASE("print: ten thousand random floats read back bit for bit") {
  std::mt19937 random(7);
  std::vector<float> values;
  OrderedJson document;
  while (values.size() < 10000) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value) || value == 0) continue;
    values.push_back(value);
    document.push_back(shortest(value));
  }
  const std::string text = print(document);
  const char* at = text.data() + 1;
  for (const float value : values) {
    float read = 0;
    at = std::from_chars(at, text.data() + text.size(), read).ptr + 2;
    REQUIRE(read == value);
  }
}

TEST_CASE("print: control characters, quotes and backslashes are escaped") {
  CHECK(printed("a\"b\\c\n\t\r\b\f") == R"("a\"b\\c\n\t\r\b\f")");
  CHECK(printed(std::string("\x01\x1f\0", 3)) == R"("\u0001\u001f\u0000")");
  CHECK(printed({{"a\"b", 1}}) == R"({"a\"b": 1})");
}

TEST_CASE("print: UTF-8 is unchanged") {
  CHECK(printed("Füße 骨 🦴 👩‍🚀") == "\"Füße 骨 🦴 👩‍🚀\"");
}

TEST_CASE("print: characters that are not printable are escaped, and are read back") {
  CHECK(printed("\u009B31m\u007F") == R"("\u009b31m\u007f")");
  CHECK(printed("gpj\u202Eexe\u2066") == R"("gpj\u202eexe\u2066")");
  CHECK(printed("a\u2028b\uFEFF\U000E0041") == R"("a\u2028b\ufeff\udb40\udc41")");
  for (const char* text :
       {"\u0080\u009F", "\u200B\u202E", "\u2029\uFFFE", "\U000E0001\U000E007F"}) {
    CHECK(OrderedJson::parse(printed(text)).get<std::string>() == text);
  }
}

TEST_CASE("print: invalid bytes become U+FFFD") {
  const std::string bad = "\xEF\xBF\xBD";
  CHECK(printed("\xff") == '"' + bad + '"');
  CHECK(printed("a\xC3") == "\"a" + bad + '"');                   // cut short
  CHECK(printed("\xC0\x80") == '"' + bad + bad + '"');            // overlong
  CHECK(printed("\xED\xA0\x80") == '"' + bad + bad + bad + '"');  // surrogate
  CHECK(printed("\xF4\x90\x80\x80") == '"' + bad + bad + bad + bad + '"');
  CHECK(printed("\xC3(") == '"' + bad + "(\"");
  CHECK(printed("\xE2\x82\"") == '"' + bad + bad + "\\\"\"");
}

}  // namespace skinbake
