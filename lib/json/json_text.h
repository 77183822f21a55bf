// Untrusted JSON text: its depth is measured before a recursive parser reads it.

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// glTF and reports need 9 levels; the rest is for glTF's extras.
inline constexpr int kMaxJsonDepth = 256;

enum class JsonFault { kNone, kTooDeep, kInvalid, kRepeated };

// The fault of a text. `text` continues a sentence that begins with the file's name.
struct JsonProblem {
  JsonFault fault = JsonFault::kNone;
  std::string text;
  std::string pointer = {};  // of a member that is named twice; empty: the whole text
  explicit operator bool() const { return fault != JsonFault::kNone; }
};

// Parses `text` into `value`. Reports a problem, without throwing, if the text nests deeper than
// kMaxJsonDepth, or is not JSON.
JsonProblem parse_text(std::string_view text, nlohmann::json& value);

// The same with members in the order of the text. An object that names a member twice is a problem
// too, because only one of the values would count, and so is one of more than kMostMembers, which
// are found one after another.
inline constexpr std::size_t kMostMembers = 4096;
JsonProblem parse_text(std::string_view text, nlohmann::ordered_json& value);

// The integer from `least` to `most` that the value is. None: it is anything else, also an integral
// number in another notation, such as 1e30, which get<std::int64_t>() would convert.
std::optional<std::int64_t> integer_in(const nlohmann::json& value, std::int64_t least,
                                       std::int64_t most);

// Returns a member's name as a token of a JSON pointer (RFC 6901).
std::string pointer_token(std::string_view key);

}  // namespace skinbake
