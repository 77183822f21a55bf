#include "json/json_cursor.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "json/json_text.h"
#include "skinbake/error.h"

namespace skinbake {

JsonCursor::JsonCursor(const JsonCursor& parent, const nlohmann::json& value, std::string_view key)
    : file_(parent.file_), value_(&value), pointer_(parent.pointer_ + "/" + pointer_token(key)) {}

void JsonCursor::fail(const std::string& message) const {
  throw Error("REPORT_INVALID", message + "; give a JSON report that skinbake wrote",
              {*file_, pointer_});
}

JsonCursor JsonCursor::at(const char* key) const {
  if (!value_->is_object()) fail("is not an object");
  const auto found = value_->find(key);
  if (found == value_->end()) fail(std::string("does not have the member '") + key + "'");
  return {*this, *found, key};
}

std::optional<JsonCursor> JsonCursor::find(const char* key) const {
  if (!value_->is_object()) fail("is not an object");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return {};
  return JsonCursor(*this, *found, key);
}

std::vector<JsonCursor> JsonCursor::elements() const {
  if (!value_->is_array()) fail("is not an array");
  std::vector<JsonCursor> all;
  all.reserve(value_->size());
  for (const nlohmann::json& element : *value_) {
    all.push_back(JsonCursor(*this, element, std::to_string(all.size())));
  }
  return all;
}

std::vector<std::pair<std::string, JsonCursor>> JsonCursor::members() const {
  if (!value_->is_object()) fail("is not an object");
  std::vector<std::pair<std::string, JsonCursor>> all;
  for (const auto& [key, value] : value_->items()) {
    all.emplace_back(key, JsonCursor(*this, value, key));
  }
  return all;
}

bool JsonCursor::is_number_or_null() const {
  return value_->is_number() || value_->is_null();
}

bool JsonCursor::is_object() const {
  return value_->is_object();
}

std::string JsonCursor::text() const {
  if (!value_->is_string()) fail("is not a string");
  return value_->get<std::string>();
}

std::string JsonCursor::word(std::initializer_list<const char*> words) const {
  const std::string word = text();
  std::string known;
  for (const char* candidate : words) {
    if (word == candidate) return word;
    known += (known.empty() ? "'" : ", '") + std::string(candidate) + "'";
  }
  fail("is not one of " + known);
}

std::string JsonCursor::text_or_null() const {
  return value_->is_null() ? "" : text();
}

double JsonCursor::number() const {
  if (!value_->is_number()) fail("is not a number");
  return value_->get<double>();
}

std::optional<double> JsonCursor::number_or_null() const {
  if (value_->is_null()) return {};
  return number();
}

std::int64_t JsonCursor::integer(std::int64_t least, std::int64_t most) const {
  const double value = number();  // exact: every requested range lies below 2^53
  if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) ||
      value != std::floor(value)) {
    fail("is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return static_cast<std::int64_t>(value);
}

bool JsonCursor::truth() const {
  if (!value_->is_boolean()) fail("is neither true nor false");
  return value_->get<bool>();
}

std::optional<std::vector<double>> JsonCursor::numbers() const {
  if (!value_->is_array()) return {};
  std::vector<double> all;
  all.reserve(value_->size());
  for (const nlohmann::json& element : *value_) {
    if (!element.is_number() && !element.is_null()) return {};
    all.push_back(element.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                    : element.get<double>());
  }
  return all;
}

std::vector<double> JsonCursor::numbers(std::int64_t count) const {
  std::optional<std::vector<double>> all = numbers();
  if (!all) fail("is not an array of numbers");
  if (static_cast<std::int64_t>(all->size()) != count) {
    fail("has " + std::to_string(all->size()) + " numbers, not " + std::to_string(count));
  }
  return *std::move(all);
}

}  // namespace skinbake
