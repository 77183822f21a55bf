#include "report/read_report.h"

#include <cstdint>

#include "base/issue.h"
#include "base/paths.h"
#include "base/random_access_file.h"
#include "json/json_schema.h"
#include "json/json_text.h"
#include "json/text.h"
#include "report/report.h"
#include "skinbake/report.h"

namespace skinbake {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& pointer,
                       const std::string& text) {
  throw Error("REPORT_INVALID", text + "; give the JSON report of this version of skinbake",
              {name, pointer});
}

// What "schema" says; empty: nothing.
std::string schema_of(const Json& document) {
  const bool has_one =
      document.is_object() && document.contains("schema") && document["schema"].is_string();
  return has_one ? document["schema"].get<std::string>() : "";
}

constexpr std::string_view kMajor = "2.";

void check_version(const Json& document, const std::string& name) {
  const Json version = document.value("schema_version", Json());
  const std::string text = version.is_string() ? version.get<std::string>() : "";
  if (text.starts_with(kMajor)) return;
  fail(name, "/schema_version",
       "is \"" + printable(text.substr(0, 20)) + "\"; this skinbake reads version " +
           std::string(kMajor) + "x only");
}

const Json& parsed_schema() {
  static const Json schema = [] {
    Json value;
    parse_text(report_schema(), value);
    return value;
  }();
  return schema;
}

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;  // with arrays of every vertex

// Throws Error. Returns whether the document is a report: otherwise it is a sidecar.
bool parse(std::string_view text, NamedReport& report) {
  if (const JsonProblem problem = parse_text(text, report.document)) {
    fail(report.name, problem.pointer, problem.text);
  }
  const std::string schema = schema_of(report.document);
  if (schema == "skinbake.cache") return false;
  if (schema.starts_with("skinbake.batch")) {
    fail(report.name, "",
         "is of a batch; give the reports of its tasks, or make its page with skinbake batch");
  }
  if (schema != "skinbake.report") fail(report.name, "", "is JSON, but not a skinbake.report");
  check_version(report.document, report.name);
  if (const auto fault = schema_fault(report.document, parsed_schema())) {
    fail(report.name, fault->pointer, fault->text);
  }
  return true;
}

constexpr const char* kSidecar = "is the sidecar of a cache, not a report";

}  // namespace

NamedReport parse_report(std::string_view text, const std::string& name) {
  NamedReport report{name, {}};
  if (!parse(text, report)) fail(name, "", kSidecar);
  return report;
}

std::vector<NamedReport> read_reports(std::span<const std::string> paths, Issues& skipped) {
  std::vector<NamedReport> reports;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    NamedReport report{shown(paths[p]), {}, p};
    if (parse(text_of_file(paths[p], kMostBytes), report)) {
      reports.push_back(std::move(report));
    } else {
      skipped.push_back(
          make_issue("REPORT_SKIPPED", report.name, "", std::string(kSidecar) + "; skipped", 1));
    }
  }
  if (reports.empty() && !paths.empty()) fail(shown(paths[0]), "", kSidecar);
  return reports;
}

}  // namespace skinbake
