#include "base/issue.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/codes.h"

namespace skinbake {

namespace {

// what() would end at a zero byte, which names in files may have.
std::string without_zeros(const std::string& text) {
  std::string shown;
  for (const char c : text) c == '\0' ? shown += "\uFFFD" : shown += c;
  return shown;
}

std::string remedy_of(const std::string& code, const std::string& given) {
  return given.empty() ? std::string(code_info(code).remedy) : given;
}

std::string line_of(const std::string& message, const Location& place, const std::string& remedy) {
  std::string text = place.file;
  if (!place.pointer.empty()) text += (text.empty() ? "" : " ") + place.pointer;
  text += (text.empty() ? "" : ": ") + message;
  return without_zeros(text + (remedy.empty() ? "" : "; " + remedy));
}

}  // namespace

Error::Error(std::string code, std::string message, Location location, std::string remedy)
    : std::runtime_error(line_of(message, location, remedy_of(code, remedy))),
      kind_(static_cast<ErrorKind>(code_info(code).kind)),
      code_(std::move(code)),
      message_(without_zeros(message)),
      remedy_(remedy_of(code_, remedy)),
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

Issue make_issue(std::string_view code, std::string file, std::string pointer, std::string message,
                 std::int64_t count) {
  const bool is_warning = code_info(code).kind == CodeKind::kWarning;
  return {std::string(code),  is_warning ? Severity::kWarning : Severity::kInfo,
          std::move(file),    std::move(pointer),
          std::move(message), count};
}

Issues fold_repeated(Issues issues) {
  struct Rest {
    Issue issue;
    std::int64_t places = 0;
  };
  std::map<std::pair<std::string, std::string>, std::size_t> listed;  // by file and code
  std::map<std::pair<std::string, std::string>, Rest> rests;
  Issues kept;
  for (Issue& issue : sorted_unique(std::move(issues))) {
    const std::pair key{issue.file, issue.code};
    if (++listed[key] <= kPlacesListed) {
      kept.push_back(std::move(issue));
      continue;
    }
    Rest& rest = rests[key];
    if (rest.places++ == 0) {
      rest.issue = std::move(issue);
    } else {
      rest.issue.count += issue.count;
    }
  }
  for (auto& [key, rest] : rests) {
    if (rest.places > 1) {
      rest.issue.message += "; the same in " + std::to_string(rest.places - 1) + " more places";
    }
    kept.push_back(std::move(rest.issue));
  }
  return sorted_unique(std::move(kept));
}

void IssueLimit::add(Issue issue, Issues& issues) {
  constexpr std::size_t kMostOfCode = 10'000;
  Added& added = added_[issue.code];
  if (added.issues == kMostOfCode) {
    issues[added.last].count += issue.count;
    return;
  }
  ++added.issues;
  added.last = issues.size();
  issues.push_back(std::move(issue));
}

}  // namespace skinbake
