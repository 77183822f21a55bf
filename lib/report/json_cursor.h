// A place in a JSON document that nobody vouches for: what is read from it is checked first, and
// what is wrong is said with the file and the JSON pointer.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// A key as JSON pointers have it (RFC 6901).
std::string escaped_key(std::string_view key);

class JsonCursor {
 public:
  // `file` and `value` must outlive all cursors made from this one.
  JsonCursor(const std::string& file, const nlohmann::json& value) : file_(&file), value_(&value) {}

  // Throws Error (kInput, REPORT_INVALID): "file pointer: <message>; <remedy>".
  [[noreturn]] void fail(const std::string& message) const;

  JsonCursor at(const char* key) const;                   // must be there
  std::optional<JsonCursor> find(const char* key) const;  // none: absent or null
  std::vector<JsonCursor> elements() const;
  std::vector<std::pair<std::string, JsonCursor>> members() const;
  bool is_number_or_null() const { return value_->is_number() || value_->is_null(); }
  bool is_object() const { return value_->is_object(); }

  std::string text() const;
  std::string word(std::initializer_list<const char*> words) const;  // one of these
  std::string text_or_null() const;                                  // empty: null
  double number() const;
  std::optional<double> number_or_null() const;
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  bool truth() const;

  // Numbers, NaN for null. None if it is anything else.
  std::optional<std::vector<double>> numbers() const;
  // Throws Error if it is not an array of so many numbers or nulls.
  std::vector<double> numbers(std::int64_t count) const;

 private:
  JsonCursor(const JsonCursor& parent, const nlohmann::json& value, std::string_view key);

  const std::string* file_;
  const nlohmann::json* value_;
  std::string pointer_;
};

}  // namespace skinbake
