// Writes JSON whose bytes are a contract: keys in the order written, two-space indentation, arrays
// of numbers on one line, shortest numbers that read back the same, '\n' at the end.
//
//   JsonWriter json;
//   json.begin_object();
//   json.key("fps").value(30.0);
//   json.same_line().key("loop").value(false);  // stays on the line of "fps"
//   json.key("rms").numbers(rms);                // [0.1, 0.2]
//   json.end_object();
//   std::string text = json.take();
//
// A number that is not finite is written as null, -0 as 0. Text is UTF-8; a byte that is not part
// of valid UTF-8 becomes U+FFFD, so that the output is always JSON.

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
  // Long arrays of numbers are written by so many threads; 0: as many as there are processors.
  explicit JsonWriter(int threads = 1);

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& begin_line_object();  // an object on one line, to end_object()
  JsonWriter& begin_line_array();   // an array on one line, to end_array()

  JsonWriter& same_line();  // the next element follows on the line of the one before
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
  JsonWriter& raw(std::string_view json);  // a value that is JSON already

  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }

  // An array on one line, whatever its length.
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
