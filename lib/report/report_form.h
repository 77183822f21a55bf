// The forms of a report: JSON, and the pages that are made from it.

#pragma once

#include <optional>
#include <string>
#include <string_view>

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

}  // namespace skinbake
