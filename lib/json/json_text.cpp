#include "json/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "json/json_visitor.h"
#include "json/text.h"

namespace skinbake {

namespace {

constexpr std::size_t kLongestCause = 200;

// The message of an exception on one line, without its "[json.exception.parse_error.101] ".
std::string cause_of(const nlohmann::json::exception& exception) {
  std::string cause = exception.what();
  if (const std::size_t end = cause.find("] "); end != std::string::npos) cause.erase(0, end + 2);
  return printable(cause.substr(0, kLongestCause));
}

// The brackets of a text outside its strings.
struct Nesting {
  int depth = 0;
  // Whether the text begins with a bracket, and each bracket is closed.
  bool is_bracketed = false;
};

Nesting nesting_of(std::string_view text) {
  Nesting nesting;
  int depth = 0;
  bool closes_too_many = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
    } else if (c == '{' || c == '[') {
      nesting.depth = std::max(nesting.depth, ++depth);
    } else if (c == '}' || c == ']') {
      closes_too_many |= --depth < 0;
    }
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  nesting.is_bracketed = first != std::string_view::npos &&
                         (text[first] == '[' || text[first] == '{') && depth == 0 &&
                         !closes_too_many;
  return nesting;
}

// Finds an object that names a member twice, or has too many.
class MemberNames : public JsonVisitor {
 public:
  JsonProblem problem;

  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool null() override { return count_element(); }
  bool boolean(bool) override { return count_element(); }
  bool number_integer(number_integer_t) override { return count_element(); }
  bool number_unsigned(number_unsigned_t) override { return count_element(); }
  bool number_float(number_float_t, const string_t&) override { return count_element(); }
  bool string(string_t&) override { return count_element(); }

  bool key(string_t& name) override {
    Place& place = places_.back();
    place.member = name;
    if (place.names.size() == kMostMembers) {
      problem = {JsonFault::kInvalid,
                 "has an object of more than " + std::to_string(kMostMembers) + " members"};
    } else if (!place.names.insert(name).second) {
      problem = {JsonFault::kRepeated, "is given twice", pointer()};
    }
    return !problem;
  }

 private:
  // An array or object that is read, and what is read of it.
  struct Place {
    bool is_array = false;
    std::size_t elements = 0;  // that were begun
    std::string member = {};
    std::unordered_set<std::string> names = {};
  };

  bool open(bool is_array) {
    count_element();
    places_.push_back({is_array});
    return true;
  }
  bool close() {
    places_.pop_back();
    return true;
  }
  bool count_element() {
    if (!places_.empty()) ++places_.back().elements;
    return true;
  }
  std::string pointer() const {
    std::string text;
    for (const Place& place : places_) {
      text += '/';
      text += place.is_array ? std::to_string(place.elements - 1) : pointer_token(place.member);
    }
    return text;
  }

  std::vector<Place> places_;
};

// The problem of a text that is not parsed.
JsonProblem problem_before(std::string_view text) {
  const Nesting nesting = nesting_of(text);
  if (nesting.depth > kMaxJsonDepth) {
    // If the text is not JSON, its brackets do not have a depth. accept() would decide this, but it
    // takes several times the memory of a text of brackets.
    if (!nesting.is_bracketed) return {JsonFault::kInvalid, "is not JSON"};
    return {JsonFault::kTooDeep, "nests deeper than " + std::to_string(kMaxJsonDepth) + " levels"};
  }
  return {};
}

}  // namespace

void visit_text(std::string_view text, JsonVisitor& visitor) {
  nlohmann::json::sax_parse(text, static_cast<nlohmann::json::json_sax_t*>(&visitor));
}

JsonProblem parse_text(std::string_view text, nlohmann::json& value) {
  if (const JsonProblem problem = problem_before(text)) return problem;
  try {
    value = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& exception) {
    return {JsonFault::kInvalid, "cannot be parsed: " + cause_of(exception)};
  }
  return {};
}

JsonProblem parse_text(std::string_view text, nlohmann::ordered_json& value) {
  if (const JsonProblem problem = problem_before(text)) return problem;
  MemberNames names;
  visit_text(text, names);
  if (names.problem) return names.problem;
  try {
    value = nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::exception& exception) {
    return {JsonFault::kInvalid, "cannot be parsed: " + cause_of(exception)};
  }
  return {};
}

std::optional<std::int64_t> integer_in(const nlohmann::json& value, std::int64_t least,
                                       std::int64_t most) {
  if (!value.is_number_integer()) return {};
  // The document has an integer from 2^63 on as an unsigned one.
  if (value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>())) {
    return {};
  }
  const auto number = value.get<std::int64_t>();
  if (number < least || number > most) return {};
  return number;
}

std::string pointer_token(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace skinbake
