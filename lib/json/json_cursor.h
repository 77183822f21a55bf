// A value of an untrusted JSON document. Every access checks the value's type first; errors name
// the file and the JSON pointer.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

class JsonCursor {
 public:
  // `file` and `value` must outlive all cursors made from this one.
  JsonCursor(const std::string& file, const nlohmann::json& value) : file_(&file), value_(&value) {}

  // Throws Error (kInput, REPORT_INVALID): "file pointer: <message>; <remedy>".
  [[noreturn]] void fail(const std::string& message) const;

  // The accessors throw like fail() if the value does not have the requested type.

  JsonCursor at(const char* key) const;                   // a required member
  std::optional<JsonCursor> find(const char* key) const;  // none: absent or null
  std::vector<JsonCursor> elements() const;
  std::vector<std::pair<std::string, JsonCursor>> members() const;
  bool is_number_or_null() const;
  bool is_object() const;

  std::string text() const;
  std::string word(std::initializer_list<const char*> words) const;  // one of `words`
  std::string text_or_null() const;                                  // empty for null
  double number() const;
  std::optional<double> number_or_null() const;
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  bool truth() const;

  // The numbers of an array, NaN for null. None if the value is not an array of numbers and nulls.
  std::optional<std::vector<double>> numbers() const;
  // The same, required to have `count` elements.
  std::vector<double> numbers(std::int64_t count) const;

 private:
  JsonCursor(const JsonCursor& parent, const nlohmann::json& value, std::string_view key);

  const std::string* file_;
  const nlohmann::json* value_;
  std::string pointer_;
};

}  // namespace skinbake
