// Untrusted JSON text: its depth and memory are measured before a recursive parser reads it.

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "skinbake/error.h"
#include "skinbake/memory.h"

namespace skinbake {

// Counts from which the memory of a document follows.
struct JsonCounts {
  std::uint64_t bytes = 0, members = 0, elements = 0, containers = 0, strings = 0;

  std::uint64_t memory() const;  // largest number of bytes of the parsed document
};
// The counts of a file, which is read in parts: an upper bound, because brackets and commas within
// strings count too. Throws Error (kInput, FILE_UNREADABLE).
JsonCounts count_json(const std::string& path);

// The result of one pass over a text, which does not build a document.
struct JsonMeasure {
  int depth = 0;             // nesting of arrays and objects
  std::uint64_t memory = 0;  // largest number of bytes of the parsed document
  // Whether the text begins with a bracket, and each bracket is closed.
  bool is_bracketed = false;
};
JsonMeasure measure_json(std::string_view text);

// glTF and reports need 9 levels; the rest is for glTF's extras.
inline constexpr int kMaxJsonDepth = 256;

enum class JsonFault { kNone, kTooDeep, kTooLarge, kInvalid, kRepeated };

// The fault of a text. `text` continues a sentence that begins with the file's name.
struct JsonProblem {
  JsonFault fault = JsonFault::kNone;
  std::string text;
  std::string pointer = {};  // of a member that is named twice; empty: the whole text
  explicit operator bool() const { return fault != JsonFault::kNone; }
};

// Parses `text` into `value`. Reports a problem, without throwing, if the text nests deeper than
// kMaxJsonDepth, may need more than `max_memory` bytes, or is not JSON.
JsonProblem parse_text(std::string_view text, const JsonMeasure& measure, std::uint64_t max_memory,
                       nlohmann::json& value);
JsonProblem parse_text(std::string_view text, std::uint64_t max_memory, nlohmann::json& value);

// The same with members in the order of the text. An object that names a member twice is a problem
// too, because only one of the values would count.
JsonProblem parse_text(std::string_view text, std::uint64_t max_memory,
                       nlohmann::ordered_json& value);

// The integer from `least` to `most` that the value is. None: it is anything else, also an integral
// number in another notation, such as 1e30, which get<std::int64_t>() would convert.
std::optional<std::int64_t> integer_in(const nlohmann::json& value, std::int64_t least,
                                       std::int64_t most);

// Throws Error (kInput, MEMORY_LIMIT) if `copies` documents of a text need more than is left of
// `share`. The message begins with `subject`: "the map of names".
void require_json_memory(const JsonMeasure& measure, std::uint64_t copies, const MemoryShare& share,
                         const std::string& subject, const Location& location);

// Returns a member's name as a token of a JSON pointer (RFC 6901).
std::string pointer_token(std::string_view key);

}  // namespace skinbake
