// The forms of a report: JSON, and the pages that are made from it.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

enum class ReportForm { kJson, kHtml, kMarkdown, kJunit };

std::string_view to_string(ReportForm form);  // "json", "html", "markdown", "junit"

struct ReportFile {
  ReportForm form = ReportForm::kJson;
  std::string path;  // "-": standard output
};

// Reads "[FORM:]FILE". Without FORM, the extension .json, .html, .md or .xml tells it; "-" is JSON.
// None: the form is not known, or the path is empty.
std::optional<ReportFile> report_file(std::string_view text);

// The name of an array beside a report: "run.json" -> "run.Body.walk.dqs.per_vertex.npy"; without
// names "run.per_vertex.npy".
std::string per_vertex_path(const std::string& report, const std::vector<std::string>& names);

}  // namespace skinbake
