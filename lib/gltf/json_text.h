// JSON from files that nobody vouches for: measured before a recursive parser sees it.

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace skinbake::gltf {

// What one pass over the text tells, without building anything.
struct JsonMeasure {
  int depth = 0;             // how deep arrays and objects nest
  std::uint64_t memory = 0;  // bytes that the parsed document takes at most
};
JsonMeasure measure_json(std::string_view text);

inline constexpr int kMaxJsonDepth = 256;  // glTF itself needs 9; the rest is for extras

// What is wrong with a text. Code and end of a sentence about it; both empty: nothing.
struct JsonProblem {
  const char* code = "";
  std::string text;
  const char* remedy = "";  // for a glTF
};

// Parses into `value`, unless there is a problem. Never throws.
JsonProblem parse_text(std::string_view text, const JsonMeasure& measure, nlohmann::json& value);

}  // namespace skinbake::gltf
