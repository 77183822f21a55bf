#include "json/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/random_access_file.h"
#include "json/text.h"

namespace skinbake {

namespace {

// Upper bounds of the memory of nlohmann's values, with the allocator's overhead. A member is a
// node of a red-black tree; an element lies in a vector that doubles its capacity as it grows.
constexpr std::uint64_t kMemberBytes = 128;
constexpr std::uint64_t kElementBytes = 48;
constexpr std::uint64_t kContainerBytes = 80;
constexpr std::uint64_t kStringBytes = 64;  // without its characters

constexpr std::size_t kLongestCause = 200;

// The message of an exception on one line, without its "[json.exception.parse_error.101] ".
std::string cause_of(const nlohmann::json::exception& exception) {
  std::string cause = exception.what();
  if (const std::size_t end = cause.find("] "); end != std::string::npos) cause.erase(0, end + 2);
  return printable(cause.substr(0, kLongestCause));
}

// A size in MiB, rounded up.
std::string mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes >> 20) + ((bytes & 0xFFFFF) != 0 ? 1 : 0)) + " MiB";
}

}  // namespace

// Every string is a value or a name. The first element of a container does not have a comma.
std::uint64_t JsonCounts::memory() const {
  return members * kMemberBytes + (elements + 1 + containers) * kElementBytes +
         containers * kContainerBytes + strings * kStringBytes + bytes;
}

JsonCounts count_json(const std::string& path) {
  const RandomAccessFile file(path);
  JsonCounts counts{file.size()};
  std::string part(std::size_t{64} << 10, '\0');
  std::uint64_t quotes = 0;
  for (std::uint64_t done = 0; done < file.size(); done += part.size()) {
    part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), file.size() - done)));
    file.read_at(part.data(), part.size(), done);
    for (const char c : part) {
      counts.members += c == ':';
      counts.elements += c == ',';
      counts.containers += c == '{' || c == '[';
      quotes += c == '"';
    }
  }
  counts.strings = (quotes + 1) / 2;
  return counts;
}

JsonMeasure measure_json(std::string_view text) {
  JsonMeasure measure;
  JsonCounts counts{text.size()};
  int depth = 0;
  bool closes_too_many = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        ++counts.strings;
        for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
        break;
      case '{':
      case '[':
        ++counts.containers;
        measure.depth = std::max(measure.depth, ++depth);
        break;
      case '}':
      case ']':
        closes_too_many |= --depth < 0;
        break;
      case ':':
        ++counts.members;
        break;
      case ',':
        ++counts.elements;
        break;
      default:
        break;
    }
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  measure.is_bracketed = first != std::string_view::npos &&
                         (text[first] == '[' || text[first] == '{') && depth == 0 &&
                         !closes_too_many;
  measure.memory = counts.memory();
  return measure;
}

namespace {

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
JsonProblem problem_before(const JsonMeasure& measure, std::uint64_t max_memory) {
  if (measure.depth > kMaxJsonDepth) {
    // If the text is not JSON, its brackets do not have a depth. accept() would decide this, but it
    // takes several times the memory of a text of brackets.
    if (!measure.is_bracketed) return {JsonFault::kInvalid, "is not JSON"};
    return {JsonFault::kTooDeep, "nests deeper than " + std::to_string(kMaxJsonDepth) + " levels"};
  }
  if (measure.memory > max_memory) {
    return {JsonFault::kTooLarge, "may take " + mebibytes(measure.memory) +
                                      " of memory, more than the " + mebibytes(max_memory) +
                                      " that are allowed"};
  }
  return {};
}

}  // namespace

JsonProblem parse_text(std::string_view text, const JsonMeasure& measure, std::uint64_t max_memory,
                       nlohmann::json& value) {
  if (const JsonProblem problem = problem_before(measure, max_memory)) return problem;
  try {
    value = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& exception) {
    return {JsonFault::kInvalid, "cannot be parsed: " + cause_of(exception)};
  }
  return {};
}

JsonProblem parse_text(std::string_view text, std::uint64_t max_memory, nlohmann::json& value) {
  return parse_text(text, measure_json(text), max_memory, value);
}

JsonProblem parse_text(std::string_view text, std::uint64_t max_memory,
                       nlohmann::ordered_json& value) {
  if (const JsonProblem problem = problem_before(measure_json(text), max_memory)) return problem;
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

void require_json_memory(const JsonMeasure& measure, std::uint64_t copies, const MemoryShare& share,
                         const std::string& subject, const Location& location) {
  MemoryPlan plan;
  plan.hold("its JSON", saturated_product(measure.memory, copies));
  plan.require(share, subject, "shorten it", location);
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
