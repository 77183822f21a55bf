// The HTML page: a single file that contains its style, charts and scripts. Everything from a
// report is escaped. In addition, the page's Content-Security-Policy forbids other scripts and all
// network access.

#include <algorithm>
#include <map>

#include "base/paths.h"
#include "report/pages/charts.h"
#include "report/pages/escape.h"
#include "report/pages/html/headline.h"
#include "report/pages/html/html_tables.h"
#include "report/pages/html/places.h"
#include "report/pages/page_text.h"
#include "report/pages/pages.h"
#include "report/pages/pairs.h"
#include "report/pages/table.h"
#include "report/viewer/data.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostPairs = 50;   // pairs of mesh and clip that have drawings
constexpr std::size_t kMostCurves = 32;  // of one drawing

// The series of all sections other than error and volume.
std::string other_charts(std::span<const Curve> curves) {
  std::vector<std::pair<std::string, std::string>> all;  // section, series
  for (const Curve& curve : curves) {
    for (const ParsedSection& section : curve.run->sections) {
      if (section.id == "error" || section.id == "volume") continue;
      for (const ParsedSeries& series : section.per_frame) {
        const std::pair candidate(section.id, series.name);
        if (std::find(all.begin(), all.end(), candidate) == all.end()) all.push_back(candidate);
      }
    }
  }
  if (all.empty()) return "";
  std::string html =
      "<details>\n<summary>Other measurements over time</summary>\n<div class=\"charts\">\n";
  for (const auto& [section, series] : all) {
    html += line_chart({section + ": " + series, section, series}, curves);
  }
  return html + "</div>\n</details>\n";
}

// Volume and distortion, which need no reference, are before errors.
std::string drawings_of(const Pair& pair, bool is_open) {
  const std::size_t drawn = std::min(pair.curves.size(), kMostCurves);
  const std::span<const Curve> curves = std::span(pair.curves).first(drawn);
  const ParsedRun& first = *curves.front().run;
  std::string html =
      "<details class=\"pair\" data-clip=\"" + escaped(shortened(first.clip, kLongestKey)) + "\"" +
      (is_open ? " open" : "") + ">\n<summary><h3>" + pair_html(pair) + ", " +
      counted(static_cast<std::size_t>(first.frames.frame_count), "frame", "frames") +
      "</h3></summary>\n<div class=\"charts\">\n" +
      line_chart({"Volume loss", "volume", "loss"}, curves) +
      line_chart({"Mean distortion of triangles, by their areas (symmetric Dirichlet, 4 at rest)",
                  "triangle_distortion", "symmetric_dirichlet"},
                 curves) +
      line_chart(
          {first.compares_points() ? "Largest error of a point" : "Largest error of a vertex",
           "error", "max"},
          curves) +
      line_chart({"Rms error", "error", "rms"}, curves) + "</div>\n" + heat_maps(curves) +
      histograms(curves) + other_charts(curves);
  if (drawn < pair.curves.size()) {
    html += "<p>" + counted(pair.curves.size() - drawn, "more method is", "more methods are") +
            " only in the table.</p>\n";
  }
  return html + "</details>\n";
}

// The pairs that do not change beyond rounding, by name.
std::string still_pairs(const std::vector<const Pair*>& pairs) {
  constexpr std::size_t kMostNames = 20;
  std::string names;
  for (std::size_t p = 0; p < std::min(pairs.size(), kMostNames); ++p) {
    names += (p == 0 ? "" : "; ") + pair_html(*pairs[p]);
  }
  if (pairs.empty()) return "";
  if (pairs.size() > kMostNames) names += "; …";
  return "<p>" + counted(pairs.size(), "pair", "pairs") +
         " of mesh and clip whose changes are rounding, which is not drawn: " + names + ".</p>\n";
}

// `bodies`, which are drawn first, and `pairs`: the worst first.
std::string drawings(std::span<const Pair> bodies, std::span<const Pair> pairs) {
  std::vector<const Pair*> still;
  std::size_t drawn = 0;
  std::string html;
  std::vector<Pair> all(bodies.begin(), bodies.end());
  all.insert(all.end(), pairs.begin(), pairs.end());
  for (const Pair& pair : all) {
    if (pair.is_rounding) {
      still.push_back(&pair);
    } else if (drawn < kMostPairs) {
      html += drawings_of(pair, drawn++ == 0);
    }
  }
  if (drawn + still.size() < all.size()) {
    html += "<p>The worst " + std::to_string(drawn) + " of " +
            std::to_string(all.size() - still.size()) +
            " pairs of mesh and clip are drawn; all are in the table.</p>\n";
  }
  if (drawn > 1) {
    html +=
        "<p class=\"paper\">Only opened drawings are printed; all pairs are in the table.</p>\n";
  }
  return html + still_pairs(still);
}

std::string report_line(const ParsedReport& report, const std::string& letter) {
  std::string notes;
  for (const std::string& note :
       {match_text(report), placement_text(report), left_out_text(report)}) {
    if (!note.empty()) notes += "; " + escaped(note);
  }
  return (letter.empty() ? "" : letter + ": " + verdict_badge(status_of(report)) + " ") + "<bdi>" +
         escaped(shortened(report.name, kLongestShown)) + "</bdi>, skinbake " + report.command +
         " (" + escaped(report.version) + ")" + notes;
}

std::string report_list(std::span<const ParsedReport> reports) {
  if (reports.size() == 1) return "<p>" + report_line(reports.front(), "") + "</p>\n";
  std::string html = "<ul>\n";
  for (std::size_t r = 0; r < reports.size(); ++r) {
    html += "<li>" + report_line(reports[r], letter_of(r, reports.size())) + "</li>\n";
  }
  return html + "</ul>\n";
}

std::string link_back(std::string_view overview) {
  if (overview.empty()) return "";
  return "<nav><a href=\"" + escaped(overview) + "\">← all characters</a></nav>\n";
}

std::string section(std::string_view title, const std::string& content) {
  if (content.empty()) return "";
  return "<section>\n<h2>" + std::string(title) + "</h2>\n" + content + "</section>\n";
}

// The viewer's data, which are not executable, and its script.
std::string view_scripts(const View& view) {
  return "<script type=\"application/json\" id=\"view-data\">" + view_data(view) +
         "</script>\n<script>" + std::string(viewer_script()) + "</script>\n";
}

}  // namespace

std::string to_html(std::span<const ParsedReport> reports, const View* view,
                    std::string_view overview) {
  const VerdictStatus verdict = worst_status(reports);
  const std::string subject = subject_of(reports);
  const std::string title =
      subject + (verdict == VerdictStatus::kNone ? "" : ": " + std::string(to_string(verdict))) +
      ", skinbake report";
  const std::vector<Pair> pairs = worst_pairs(reports);
  const std::string references = references_text(reports);
  std::vector<std::string_view> scripts{page_script_hash()};
  if (view != nullptr) scripts.push_back(viewer_script_hash());
  return page_head(title, scripts) + "<header>\n" + link_back(overview) + "<h1><bdi>" +
         escaped(subject) + "</bdi> " + verdict_badge(verdict) + "</h1>\n" + report_list(reports) +
         (references.empty() ? "" : "<p class=\"measured\">" + references + "</p>\n") +
         "</header>\n<main>\n" + section("Limits", checks_table(reports)) +
         section("Fit", fit_table(reports)) + section("Worst places", worst_places(pairs)) +
         section("In space", view == nullptr ? "" : std::string(view_elements())) +
         section("Recommendation", recommendation_tables(reports)) +
         section("Changes", changes_table(reports)) +
         section("Measurements", surfaces_table(reports) + headline_table(reports, pairs) +
                                     other_numbers_table(reports)) +
         section("Over time", drawings(worst_bodies(reports), pairs)) +
         section("Explained", explanations_table(reports)) +
         section("Outputs read back", verification_table(reports)) +
         section("Findings", issues_table(reports)) + section("Inputs", inputs_table(reports)) +
         "</main>\n<script>" + std::string(page_script()) + "</script>\n" +
         (view == nullptr ? "" : view_scripts(*view)) + "</body>\n</html>\n";
}

std::optional<PageFormat> page_format_of(std::string_view path) {
  for (const auto& [extension, format] :
       {std::pair(".html", PageFormat::kHtml), std::pair(".htm", PageFormat::kHtml),
        std::pair(".md", PageFormat::kMarkdown), std::pair(".markdown", PageFormat::kMarkdown),
        std::pair(".xml", PageFormat::kJunit)}) {
    if (has_extension(path, extension)) return format;
  }
  return {};
}

std::string to_page(PageFormat format, std::span<const ParsedReport> reports, const View* view,
                    std::string_view overview) {
  switch (format) {
    case PageFormat::kHtml:
      return to_html(reports, view, overview);
    case PageFormat::kMarkdown:
      return to_markdown(reports);
    case PageFormat::kJunit:
      break;
  }
  return to_junit(reports);
}

}  // namespace skinbake
