// JSON from files that nobody vouches for: measured before a recursive parser sees it.

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace skinbake {

// What one pass over the text tells, without building anything.
struct JsonMeasure {
  int depth = 0;             // how deep arrays and objects nest
  std::uint64_t memory = 0;  // bytes that the parsed document takes at most
};
JsonMeasure measure_json(std::string_view text);

// glTF itself needs 9, and so does a report; the rest is for extras.
inline constexpr int kMaxJsonDepth = 256;

enum class JsonFault { kNone, kTooDeep, kTooLarge, kInvalid };

// What is wrong with a text, and the end of a sentence about it.
struct JsonProblem {
  JsonFault fault = JsonFault::kNone;
  std::string text;
  explicit operator bool() const { return fault != JsonFault::kNone; }
};

// Parses into `value`, unless it nests too deep, may take more than `max_memory` bytes, or is no
// JSON. Never throws.
JsonProblem parse_text(std::string_view text, const JsonMeasure& measure, std::uint64_t max_memory,
                       nlohmann::json& value);
JsonProblem parse_text(std::string_view text, std::uint64_t max_memory, nlohmann::json& value);

}  // namespace skinbake
