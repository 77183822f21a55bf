// Pages of reports: HTML, Markdown and JUnit XML. A page is a function of the documents alone:
// equal reports give equal bytes on every machine.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "report/read_report.h"
#include "report/report_form.h"

namespace skinbake {

struct View;

// The most bytes of a Markdown page: a comment on GitHub has at most 65 536 characters.
inline constexpr std::size_t kMostMarkdown = 60'000;

// In the first 4096 bytes of each page that shows the animated mesh.
inline constexpr std::string_view kViewMark = "<meta name=\"skinbake-view\">";

// A page that shows the reports side by side; not of ReportForm::kJson. `view`: frames for the 3D
// viewer, on an HTML page only; requires has_viewer(). `overview`: the address, relative to an HTML
// page, of the overview to which the page links back; empty: none.
std::string to_page(ReportForm form, std::span<const NamedReport> reports,
                    const View* view = nullptr, std::string_view overview = {});

std::string to_html(std::span<const NamedReport> reports, const View* view,
                    std::string_view overview);
std::string to_markdown(std::span<const NamedReport> reports);
std::string to_junit(std::span<const NamedReport> reports);

// ---- The page of a library: many reports at one look

// More reports than these are not legible side by side.
inline constexpr std::size_t kMostSideBySide = 8;

struct OverviewInput {
  std::span<const NamedReport> reports;
  // [report] The address of the report's own page, relative to the overview; empty: none.
  std::span<const std::string> links;
  // [report] The address of a page of the report with the animated mesh; empty: none.
  std::span<const std::string> views;
  // [report] The report's own HTML page, which the overview contains and shows; empty: none.
  std::span<const std::string> pages;
  // Reports whose values are subtracted, paired by the names of rig, clip and method; may be empty.
  std::span<const NamedReport> against;
};

// An HTML page with a matrix of characters and clips (or methods), coloured by a headline, and a
// list of the worst places. A character is a rig; the worst of its meshes counts.
std::string to_overview(const OverviewInput& input);

}  // namespace skinbake
