#include "json/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

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

// The brackets of a text, without those in its strings.
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

// Finds a member that an object names twice.
class MemberNames {
 public:
  using Event = nlohmann::ordered_json::parse_event_t;

  void take(Event event, const nlohmann::ordered_json& value) {
    switch (event) {
      case Event::key:
        places_.back().token = value.get<std::string>();
        if (!places_.back().names.insert(places_.back().token).second && repeated_.empty()) {
          for (const Place& place : places_) repeated_ += "/" + pointer_token(place.token);
        }
        break;
      case Event::object_start:
      case Event::array_start:
        begin_element();
        places_.push_back({event == Event::array_start});
        break;
      case Event::object_end:
      case Event::array_end:
        places_.pop_back();
        break;
      case Event::value:
        begin_element();
    }
  }

  const std::string& repeated() const { return repeated_; }  // its pointer; empty: none

 private:
  // An array or object that is read, and the member in it.
  struct Place {
    bool is_array = false;
    std::size_t elements = 0;
    std::string token = {};
    std::unordered_set<std::string> names = {};
  };

  void begin_element() {
    if (places_.empty() || !places_.back().is_array) return;
    places_.back().token = std::to_string(places_.back().elements++);
  }

  std::vector<Place> places_;
  std::string repeated_;
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
  try {
    value = nlohmann::ordered_json::parse(text, [&](int, auto event, const auto& parsed) {
      names.take(event, parsed);
      return true;
    });
  } catch (const nlohmann::json::exception& exception) {
    return {JsonFault::kInvalid, "cannot be parsed: " + cause_of(exception)};
  }
  if (names.repeated().empty()) return {};
  return {JsonFault::kRepeated, "is given twice", names.repeated()};
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
