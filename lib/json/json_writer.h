// Writes JSON whose bytes are a contract: keys in the order of writing, indentation of two spaces,
// arrays of numbers on one line, the shortest decimals that read back as the same number, '\n' at
// the end.
//
//   JsonWriter json;
//   json.begin_object();
//   json.key("fps").value(30.0);
//   json.same_line().key("loop").value(false);  // stays on the line of "fps"
//   json.key("rms").numbers(rms);                // [0.1, 0.2]
//   json.end_object();
//   std::string text = json.take();
//
// NaN and infinities become null, -0 becomes 0. Text is UTF-8; an invalid byte becomes U+FFFD, so
// that the output is always valid JSON.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

class JsonWriter {
 public:
  // `threads`: threads that write a long array of numbers; 0: one per processor.
  explicit JsonWriter(int threads = 1);

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& begin_line_object();  // an object on one line, to end_object()
  JsonWriter& begin_line_array();   // an array on one line, to end_array()

  JsonWriter& same_line();  // the next element stays on the current line
  JsonWriter& key(std::string_view name);
  JsonWriter& value(double number);
  JsonWriter& value(float number);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(std::uint64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(std::uint32_t number) { return value(static_cast<std::uint64_t>(number)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& null();
  JsonWriter& raw(std::string_view json);  // a value in JSON

  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }

  // An array on one line.
  JsonWriter& numbers(std::span<const double> values);
  JsonWriter& numbers(std::span<const float> values);
  JsonWriter& numbers(std::span<const std::int64_t> values);
  JsonWriter& strings(std::span<const std::string> values);

  // The text, ending in a newline. All objects and arrays must be closed.
  std::string take();

 private:
  struct Level {
    bool on_line, empty;
  };
  void separate();  // comma, line break and indentation before an element
  void open(char bracket, bool on_line);
  void close(char bracket);
  void append_quoted(std::string_view text);
  template <class T>
  void append_numbers(std::span<const T> values);

  std::size_t threads_;
  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
  bool same_line_ = false;
};

}  // namespace skinbake
