#include "json/json_text.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

namespace skinbake {
namespace {

JsonProblem problem_of(const std::string& text) {
  nlohmann::json value;
  return parse_text(text, value);
}

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("json text: the largest allowed depth is parsed, one level more is not") {
  nlohmann::json value;
  CHECK_FALSE(parse_text(nested(kMaxJsonDepth), value));
  CHECK(value.dump() == nested(kMaxJsonDepth));
  const JsonProblem problem = problem_of(nested(kMaxJsonDepth + 1));
  CHECK((problem.fault == JsonFault::kTooDeep));
  CHECK(problem.text == "nests deeper than 256 levels");
  CHECK((problem_of(nested(100'000)).fault == JsonFault::kTooDeep));
}

TEST_CASE("json text: brackets in strings do not nest") {
  const std::string brackets(1000, '[');
  CHECK_FALSE(problem_of(R"({"\"{)" + brackets + R"(": [")" + brackets + R"(\\"]})"));
}

TEST_CASE("json text: a text with many brackets that is not JSON is called 'not JSON'") {
  for (const std::string& text :
       {std::string(100'000, '['), "glTF" + nested(1000), "]" + nested(1000) + "["}) {
    const JsonProblem problem = problem_of(text);
    CHECK((problem.fault == JsonFault::kInvalid));
    CHECK(problem.text == "is not JSON");
  }
}

TEST_CASE("json text: an integer is within its range, and is no other number") {
  const auto integer = [](const char* text, std::int64_t least, std::int64_t most) {
    return integer_in(nlohmann::json::parse(text), least, most);
  };
  CHECK(integer("7", 0, 7) == 7);
  CHECK(integer("-9223372036854775808", INT64_MIN, INT64_MAX) == INT64_MIN);
  CHECK(integer("9223372036854775807", INT64_MIN, INT64_MAX) == INT64_MAX);
  CHECK_FALSE(integer("8", 0, 7));
  CHECK_FALSE(integer("-1", 0, 7));
  for (const char* text : {"9223372036854775808", "18446744073709551615", "1e3", "7.0", "\"7\"",
                           "null", "true", "[7]"}) {
    CAPTURE(text);
    CHECK_FALSE(integer(text, INT64_MIN, INT64_MAX));
  }
}

TEST_CASE("json text: a syntax error is reported on one line without the parser's class names") {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "\"\xff\"", "1e999", "[1]\n]", "nul"}) {
    const JsonProblem problem = problem_of(text);
    CHECK((problem.fault == JsonFault::kInvalid));
    CHECK(problem.text.starts_with("cannot be parsed: "));
    CHECK_FALSE(contains(problem.text, "json.exception"));
    CHECK_FALSE(contains(problem.text, "\n"));
  }
  CHECK(problem_of("\"" + std::string(10'000, 'a')).text.size() < 300);
}

TEST_CASE("json: an ordered document names each member once, and has no object of thousands") {
  nlohmann::ordered_json value;
  const JsonProblem twice = parse_text(R"({"a": [1, {"c/d": {"x": 1, "x": 2}}]})", value);
  CHECK(twice.fault == JsonFault::kRepeated);
  CHECK(twice.pointer == "/a/1/c~1d/x");
  std::string members;
  for (std::size_t m = 1; m < kMostMembers; ++m) members += "\"" + std::to_string(m) + "\": 1, ";
  CHECK(!parse_text("{" + members + "\"last\": 1}", value));
  CHECK(parse_text("{" + members + "\"last\": 1, \"more\": 1}", value).fault ==
        JsonFault::kInvalid);
}

}  // namespace skinbake
