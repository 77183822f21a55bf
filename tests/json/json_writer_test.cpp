#include "json/json_writer.h"

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

template <class T>
std::string written(T value) {
  std::string text = JsonWriter().value(value).take();
  text.pop_back();  // the newline
  return text;
}

}  // namespace

TEST_CASE("json: an empty object is two brackets and a newline") {
  CHECK(JsonWriter().begin_object().end_object().take() == "{}\n");
  CHECK(JsonWriter().begin_array().end_array().take() == "[]\n");
}

TEST_CASE("json: nested objects are indented by two spaces, line objects stay on one line") {
  JsonWriter json;
  json.begin_object();
  json.key("a").value(1);
  json.key("b").begin_array();
  json.begin_line_object().key("c").value("d").key("e").null().end_object();
  json.begin_line_object().key("f").begin_line_array().value(true).end_array().end_object();
  json.end_array();
  json.key("g").begin_object().key("h").value(false).end_object();
  json.end_object();
  CHECK(json.take() ==
        "{\n"
        "  \"a\": 1,\n"
        "  \"b\": [\n"
        "    {\"c\": \"d\", \"e\": null},\n"
        "    {\"f\": [true]}\n"
        "  ],\n"
        "  \"g\": {\n"
        "    \"h\": false\n"
        "  }\n"
        "}\n");
}

TEST_CASE("json: all elements of a line object stay on its line") {
  JsonWriter json;
  json.begin_line_object();
  json.key("at").begin_object().key("frame").value(3).end_object();
  json.key("list").begin_array().value(1).value(2).end_array();
  json.end_object();
  CHECK(json.take() == "{\"at\": {\"frame\": 3}, \"list\": [1, 2]}\n");
}

TEST_CASE("json: several keys can share a line of an indented object") {
  JsonWriter json;
  json.begin_object();
  json.same_line().key("a").value(1);
  json.same_line().key("b").value(2);
  json.key("c").value(3);
  json.end_object();
  CHECK(json.take() == "{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3\n}\n");
}

TEST_CASE("json: numbers are the shortest decimals that read back as the same number") {
  CHECK(written(0.1) == "0.1");
  CHECK(written(30.0) == "30");
  CHECK(written(1.0 / 6) == "0.16666666666666666");
  CHECK(written(0.1f) == "0.1");
  CHECK(written(1e-7) == "1e-07");
  CHECK(written(-12) == "-12");
  CHECK(written(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
}

TEST_CASE("json: negative zero is zero, NaN and infinity are null") {
  CHECK(written(-0.0) == "0");
  CHECK(written(-0.0f) == "0");
  CHECK(written(std::numeric_limits<double>::infinity()) == "null");
  CHECK(written(std::numeric_limits<float>::quiet_NaN()) == "null");
  CHECK(written(std::optional<double>()) == "null");
  CHECK(written(std::optional<double>(2)) == "2");
}

TEST_CASE("json: arrays of numbers are on one line") {
  const std::vector<double> doubles{0, -0.0, 0.1, std::nan("")};
  const std::vector<float> floats{0.1f, 3};
  const std::vector<std::int64_t> integers{-1, 2};
  const std::vector<std::string> strings{"a", "b\"c"};
  CHECK(JsonWriter().numbers(doubles).take() == "[0, 0, 0.1, null]\n");
  CHECK(JsonWriter().numbers(floats).take() == "[0.1, 3]\n");
  CHECK(JsonWriter().numbers(integers).take() == "[-1, 2]\n");
  CHECK(JsonWriter().numbers(std::span<const float>()).take() == "[]\n");
  CHECK(JsonWriter().strings(strings).take() == "[\"a\", \"b\\\"c\"]\n");
}

TEST_CASE("json: ten thousand random floats read back bit for bit") {
  std::mt19937 random(7);
  std::vector<float> values;
  while (values.size() < 10000) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value) && value != 0) values.push_back(value);
  }
  const std::string text = JsonWriter().numbers(values).take();
  const char* at = text.data() + 1;
  for (const float value : values) {
    float read = 0;
    at = std::from_chars(at, text.data() + text.size(), read).ptr + 2;
    REQUIRE(read == value);
  }
}

TEST_CASE("json: control characters, quotes and backslashes are escaped") {
  CHECK(written("a\"b\\c\n\t\r\b\f") == R"("a\"b\\c\n\t\r\b\f")");
  CHECK(written(std::string_view("\x01\x1f\0", 3)) == R"("\u0001\u001f\u0000")");
}

TEST_CASE("json: UTF-8 is unchanged") {
  CHECK(written("Füße 骨 🦴 👩‍🚀") == "\"Füße 骨 🦴 👩‍🚀\"");
}

TEST_CASE("json: characters that are not printable are escaped, and are read back") {
  CHECK(written("\u009B31m\u007F") == R"("\u009b31m\u007f")");
  CHECK(written("gpj\u202Eexe\u2066") == R"("gpj\u202eexe\u2066")");
  CHECK(written("a\u2028b\uFEFF\U000E0041") == R"("a\u2028b\ufeff\udb40\udc41")");
  for (const char* text :
       {"\u0080\u009F", "\u200B\u202E", "\u2029\uFFFE", "\U000E0001\U000E007F"}) {
    CHECK(nlohmann::json::parse(written(text)).get<std::string>() == text);
  }
}

TEST_CASE("json: invalid bytes become U+FFFD") {
  const std::string bad = "\xEF\xBF\xBD";
  CHECK(written("\xff") == '"' + bad + '"');
  CHECK(written("a\xC3") == "\"a" + bad + '"');                   // cut short
  CHECK(written("\xC0\x80") == '"' + bad + bad + '"');            // overlong
  CHECK(written("\xED\xA0\x80") == '"' + bad + bad + bad + '"');  // surrogate
  CHECK(written("\xF4\x90\x80\x80") == '"' + bad + bad + bad + bad + '"');
  CHECK(written("\xC3(") == '"' + bad + "(\"");
  CHECK(written("\xE2\x82\"") == '"' + bad + bad + "\\\"\"");
}

TEST_CASE("json: any thread count writes the same text of many numbers") {
  for (const std::size_t count : {39999, 40000, 100001}) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 0.1f * static_cast<float>(i);
    const auto text = [&](int threads) {
      JsonWriter json(threads);
      json.numbers(values);
      return json.take();
    };
    const std::string expected = text(1);
    CHECK(nlohmann::json::parse(expected).get<std::vector<float>>() == values);
    for (const int threads : {0, 2, 3, 7}) CHECK(text(threads) == expected);
  }
}

}  // namespace skinbake
