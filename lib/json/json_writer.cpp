#include "json/json_writer.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <future>
#include <thread>
#include <type_traits>
#include <utility>

#include "json/text.h"

namespace skinbake {
namespace {

// At least the length of the longest number: 24 characters for the shortest decimal of a double
// ("-2.2250738585072014e-308"), 20 for a 64-bit integer.
constexpr std::size_t kLongestJsonNumber = 32;

// Writes `number` at `out`, which has space for kLongestJsonNumber characters, and returns the end.
template <class T>
char* write_number(char* out, T number) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(number)) return std::copy_n("null", 4, out);
    if (number == 0) number = 0;  // -0
  }
  return std::to_chars(out, out + kLongestJsonNumber, number).ptr;
}

template <class T>
void append_json_number(std::string& text, T number) {
  char digits[kLongestJsonNumber];
  text.append(digits, write_number(digits, number));
}

// The letter of a two-character escape such as \n; 0: JSON does not have one for `c`.
char short_escape(char c) {
  switch (c) {
    case '"':
      return '"';
    case '\\':
      return '\\';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

// Appends \u and four hexadecimal digits.
void append_code_unit(std::string& text, std::uint32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  text += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) text += kHex[unit >> shift & 15];
}

void append_json_escape(std::string& text, std::string_view character) {
  if (const char letter = short_escape(character.front())) {
    text += {'\\', letter};
    return;
  }
  const std::uint32_t code_point = code_point_of(character);
  if (code_point < 0x10000) return append_code_unit(text, code_point);
  append_code_unit(text, 0xD800 + ((code_point - 0x10000) >> 10));
  append_code_unit(text, 0xDC00 + (code_point & 0x3FF));
}

// Besides the characters that JSON requires to be escaped, those that are not printable are
// escaped: JSON is also printed on terminals.
bool needs_escape(std::string_view character) {
  return character == "\"" || character == "\\" ||
         printable_character(character, character.size()) != character;
}

// Below this length, starting a thread takes longer than writing the numbers.
constexpr std::size_t kLeastPiece = 20000;

// Appends each number, a comma and a space. Numbers are collected in a buffer, because one append()
// each is too slow for millions of numbers.
template <class T>
void append_listed(std::span<const T> values, std::string& text) {
  constexpr std::size_t kAtATime = 256;
  char digits[kAtATime * (kLongestJsonNumber + 2)];
  text.reserve(text.size() + values.size() * 12);  // typical for an error in metres
  for (std::size_t first = 0; first < values.size(); first += kAtATime) {
    char* out = digits;
    for (const T number : values.subspan(first, std::min(kAtATime, values.size() - first))) {
      out = write_number(out, number);
      *out++ = ',';
      *out++ = ' ';
    }
    text.append(digits, out);
  }
}

}  // namespace

JsonWriter::JsonWriter(int threads)
    : threads_(threads > 0 ? static_cast<std::size_t>(threads)
                           : std::max<std::size_t>(1, std::thread::hardware_concurrency())) {}

void JsonWriter::append_quoted(std::string_view text) {
  text_ += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      text_ += kReplacementCharacter;
    } else if (needs_escape(text.substr(0, length))) {
      append_json_escape(text_, text.substr(0, length));
    } else {
      text_ += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  text_ += '"';
}

void JsonWriter::separate() {
  const bool follows = std::exchange(same_line_, false);
  if (std::exchange(after_key_, false) || levels_.empty()) return;
  Level& level = levels_.back();
  const bool first = std::exchange(level.empty, false);
  if (!first) text_ += ',';
  if (level.on_line || (follows && !first)) {
    if (!first) text_ += ' ';
  } else {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
  }
}

void JsonWriter::open(char bracket, bool on_line) {
  separate();
  text_ += bracket;
  levels_.push_back({on_line || (!levels_.empty() && levels_.back().on_line), true});
}

void JsonWriter::close(char bracket) {
  assert(!levels_.empty() && !after_key_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.on_line && !level.empty) {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
  }
  text_ += bracket;
}

JsonWriter& JsonWriter::begin_object() {
  open('{', false);
  return *this;
}

JsonWriter& JsonWriter::begin_line_object() {
  open('{', true);
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  close('}');
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  open('[', false);
  return *this;
}

JsonWriter& JsonWriter::begin_line_array() {
  open('[', true);
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  close(']');
  return *this;
}

JsonWriter& JsonWriter::same_line() {
  same_line_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_quoted(name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  append_json_number(text_, number);
  return *this;
}

JsonWriter& JsonWriter::value(float number) {
  separate();
  append_json_number(text_, number);
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  separate();
  append_json_number(text_, number);
  return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number) {
  separate();
  append_json_number(text_, number);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  text_ += truth ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_quoted(text);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  text_ += json;
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
  return *this;
}

template <class T>
void JsonWriter::append_numbers(std::span<const T> values) {
  separate();
  text_ += '[';
  const std::size_t pieces = std::clamp<std::size_t>(values.size() / kLeastPiece, 1, threads_);
  const std::size_t size = values.size() / pieces;
  std::vector<std::future<std::string>> later;
  for (std::size_t i = 1; i < pieces; ++i) {
    const auto piece = values.subspan(i * size, i + 1 < pieces ? size : std::dynamic_extent);
    // Deferred if the system grants no thread.
    later.push_back(std::async(std::launch::async | std::launch::deferred, [piece] {
      std::string text;
      append_listed(piece, text);
      return text;
    }));
  }
  append_listed(pieces == 1 ? values : values.first(size), text_);
  for (std::future<std::string>& piece : later) text_ += piece.get();
  if (!values.empty()) text_.resize(text_.size() - 2);
  text_ += ']';
}

JsonWriter& JsonWriter::numbers(std::span<const double> values) {
  append_numbers(values);
  return *this;
}

JsonWriter& JsonWriter::numbers(std::span<const float> values) {
  append_numbers(values);
  return *this;
}

JsonWriter& JsonWriter::numbers(std::span<const std::int64_t> values) {
  append_numbers(values);
  return *this;
}

JsonWriter& JsonWriter::strings(std::span<const std::string> values) {
  begin_line_array();
  for (const std::string& text : values) value(text);
  return end_array();
}

std::string JsonWriter::take() {
  assert(levels_.empty() && !after_key_);
  text_ += '\n';
  return std::exchange(text_, {});
}

}  // namespace skinbake
