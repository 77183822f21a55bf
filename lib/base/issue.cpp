#include "base/issue.h"

#include <array>
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

}  // namespace skinbake
