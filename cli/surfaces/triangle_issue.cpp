#include "surfaces/triangle_issue.h"

#include "outputs/output_paths.h"
#include "skinbake/tool/report/report_text.h"
#include "terminal/format.h"

namespace skinbake::cli {

Issues triangle_issue(const TriangleDifference& difference, const std::string& a,
                      const std::string& b) {
  if (!difference.any()) return {};
  const auto text = [](std::int64_t count) {
    return counted(static_cast<std::size_t>(count), "triangle", "triangles");
  };
  Issue issue;
  issue.code = "TRIANGLES_DIFFER";
  issue.severity = Severity::kWarning;
  issue.file = shown(b);
  issue.message = fmt::format("lacks {} of {}, and has {} more between the same vertices",
                              text(difference.only_a), shown(a), text(difference.only_b));
  issue.count = difference.only_a + difference.only_b;
  return {issue};
}

}  // namespace skinbake::cli
