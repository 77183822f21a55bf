#include "base/issue.h"

#include <array>
#include <map>
#include <utility>

namespace skinbake {

std::span<const IssueInfo> issue_table() {
  static constexpr auto kTable = std::to_array<IssueInfo>({
#define SKINBAKE_ISSUE_ROW(code, severity, meaning, remedy) \
  {#code, Severity::severity, meaning, remedy},
      SKINBAKE_ISSUES(SKINBAKE_ISSUE_ROW)
#undef SKINBAKE_ISSUE_ROW
  });
  return kTable;
}

Issue make_issue(IssueCode code, std::string file, std::string pointer, std::string message,
                 std::int64_t count) {
  const IssueInfo& info = issue_table()[static_cast<std::size_t>(code)];
  return {std::string(info.code), info.severity,      std::move(file),
          std::move(pointer),     std::move(message), count};
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
