#include "base/error_text.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace skinbake {

namespace {

// what() would end at a zero byte, which names in files may have.
std::string without_zeros(const std::string& text) {
  std::string shown;
  for (const char c : text) c == '\0' ? shown += "\uFFFD" : shown += c;
  return shown;
}

std::string located(const std::string& message, const Location& location) {
  std::string text = location.file;
  if (!location.pointer.empty()) text += (text.empty() ? "" : " ") + location.pointer;
  return without_zeros(text.empty() ? message : text + ": " + message);
}

}  // namespace

std::string_view unlocated_message(const Error& error) {
  std::string_view text = error.what();
  text.remove_prefix(located("", error.location()).size());
  return text;
}

Error::Error(ErrorKind kind, std::string code, const std::string& message, Location location)
    : std::runtime_error(located(message, location)),
      kind_(kind),
      code_(std::move(code)),
      location_(std::move(location)) {}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInfo:
      break;
  }
  return "info";
}

Issues sorted_unique(Issues issues) {
  const auto key = [](const Issue& i) { return std::tie(i.file, i.pointer, i.code); };
  std::stable_sort(issues.begin(), issues.end(),
                   [&](const Issue& a, const Issue& b) { return key(a) < key(b); });
  Issues unique;
  for (Issue& issue : issues) {
    if (!unique.empty() && key(unique.back()) == key(issue)) {
      unique.back().count += issue.count;
    } else {
      unique.push_back(std::move(issue));
    }
  }
  return unique;
}

}  // namespace skinbake
