// The HTML page: a single file that contains its style, charts and scripts. Everything from a
// report is escaped. In addition, the page's Content-Security-Policy forbids other scripts and all
// network access.

#include <algorithm>
#include <map>

#include "report/pages/charts.h"
#include "report/pages/escape.h"
#include "report/pages/html_tables.h"
#include "report/pages/page_text.h"
#include "report/pages/pages.h"
#include "report/viewer/data.h"
#include "skinbake/tool/file_name.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostPairs = 50;   // pairs of mesh and clip that have drawings
constexpr std::size_t kMostCurves = 32;  // of one drawing

// A mesh in a clip: the runs of every method and report share its drawings.
struct Pair {
  std::string mesh, clip;
  const InputFile* file = nullptr;  // the first input of its first report; null: unknown
  bool has_namesakes = false;       // whether the reports have such a mesh and clip of other files
  std::vector<Curve> curves;
  std::size_t left_out = 0;  // curves that are not drawn
};

std::string label_of(std::size_t report, std::size_t reports, const ParsedRun& run) {
  const std::string letter = letter_of(report, reports);
  return letter.empty() ? run.method : letter + ": " + run.method;
}

const InputFile* file_of(const ParsedReport& report) {
  return report.inputs.empty() ? nullptr : &report.inputs.front();
}

// Whether two reports are about one character: about a file of one name, whose content may have
// changed, or of one content, which may have been moved.
bool is_same_file(const InputFile* a, const InputFile* b) {
  if (a == nullptr || b == nullptr) return true;
  return a->path == b->path || a->xxh128 == b->xxh128;
}

// Finds pairs by mesh, clip and file.
class Pairs {
 public:
  Pair& of(const ParsedReport& report, const ParsedMesh& mesh, const ParsedRun& run) {
    const InputFile* const file = file_of(report);
    std::vector<std::size_t>& namesakes = known_[{mesh.id, run.clip}];
    for (const std::size_t p : namesakes) {
      if (is_same_file(all[p].file, file)) return all[p];
    }
    namesakes.push_back(all.size());
    all.push_back({mesh.id, run.clip, file, false, {}, 0});
    for (const std::size_t p : namesakes) all[p].has_namesakes = namesakes.size() > 1;
    return all.back();
  }

  std::vector<Pair> all;

 private:
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> known_;
};

std::vector<Pair> pairs_of(std::span<const ParsedReport> reports) {
  Pairs pairs;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const ParsedMesh& mesh : reports[r].meshes) {
      for (const ParsedRun& run : mesh.runs) {
        Pair& pair = pairs.of(reports[r], mesh, run);
        if (pair.curves.size() == kMostCurves) {
          ++pair.left_out;
        } else {
          pair.curves.push_back({label_of(r, reports.size(), run), &mesh, &run});
        }
      }
    }
  }
  return std::move(pairs.all);
}

// The largest loss of volume or relative error, which are both ratios.
double severity_of(const Pair& pair) {
  double worst = 0;
  for (const Curve& curve : pair.curves) {
    for (const auto& [section, number] :
         {std::pair("volume", "max_loss"), std::pair("error", "max_relative")}) {
      const ParsedNumber* value = number_of(*curve.run, section, number);
      if (value != nullptr && value->value) worst = std::max(worst, *value->value);
    }
  }
  return worst;
}

// Keeps the worst pairs, in the order of the reports. Returns the number of dropped ones.
std::size_t keep_worst(std::vector<Pair>& pairs) {
  if (pairs.size() <= kMostPairs) return 0;
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t p = 0; p < pairs.size(); ++p) ranked.emplace_back(-severity_of(pairs[p]), p);
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(kMostPairs);
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Pair> kept;
  for (const auto& [ignored, p] : ranked) kept.push_back(std::move(pairs[p]));
  const std::size_t left_out = pairs.size() - kept.size();
  pairs = std::move(kept);
  return left_out;
}

// The series of all sections other than error and volume.
std::string other_charts(const std::vector<Curve>& curves) {
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

std::string drawings_of(const Pair& pair) {
  const std::vector<Curve>& curves = pair.curves;
  std::string html =
      "<details open>\n<summary><h3>mesh <bdi>" + escaped(pair.mesh) + "</bdi>, " +
      (pair.clip.empty() ? "rest pose" : "clip <bdi>" + escaped(pair.clip) + "</bdi>") +
      (pair.has_namesakes ? ", file <bdi>" + escaped(pair.file->path) + "</bdi>" : "") +
      "</h3></summary>\n<div class=\"charts\">\n" +
      line_chart({"Volume loss", "volume", "loss"}, curves) +
      line_chart({curves.front().run->compares_points() ? "Largest error of a point"
                                                        : "Largest error of a vertex",
                  "error", "max"},
                 curves) +
      line_chart({"Rms error", "error", "rms"}, curves) + "</div>\n" + heat_maps(curves) +
      histograms(curves) + other_charts(curves);
  if (pair.left_out > 0) {
    html += "<p>" + counted(pair.left_out, "more method is", "more methods are") +
            " only in the table.</p>\n";
  }
  return html + "</details>\n";
}

std::string drawings(std::span<const ParsedReport> reports) {
  std::vector<Pair> pairs = pairs_of(reports);
  const std::size_t left_out = keep_worst(pairs);
  std::string html;
  for (const Pair& pair : pairs) html += drawings_of(pair);
  if (left_out > 0) {
    html += "<p>The worst " + std::to_string(kMostPairs) + " of " +
            std::to_string(pairs.size() + left_out) +
            " pairs of mesh and clip are drawn; all are in the table.</p>\n";
  }
  return html;
}

std::string head(const std::string& title, const View* view) {
  std::string scripts = "'sha256-" + std::string(page_script_hash()) + "'";
  if (view != nullptr) scripts += " 'sha256-" + std::string(viewer_script_hash()) + "'";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; script-src " +
         scripts + "\">\n<title>" + escaped(title) + "</title>\n<style>\n" +
         std::string(page_style()) + "</style>\n</head>\n<body>\n";
}

std::string report_list(std::span<const ParsedReport> reports) {
  std::string html = "<ul>\n";
  for (std::size_t r = 0; r < reports.size(); ++r) {
    const ParsedReport& report = reports[r];
    const std::string letter = letter_of(r, reports.size()), match = match_text(report);
    html += "<li>" + (letter.empty() ? "" : letter + ": ") + verdict_badge(status_of(report)) +
            " <bdi>" + escaped(report.name) + "</bdi>, skinbake " + report.command + " (" +
            escaped(report.version) + ")" + (match.empty() ? "" : "; " + escaped(match)) +
            "</li>\n";
  }
  return html + "</ul>\n";
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

std::string to_html(std::span<const ParsedReport> reports, const View* view) {
  const VerdictStatus verdict = worst_status(reports);
  std::string title =
      "skinbake: " + std::string(verdict == VerdictStatus::kNone ? "report" : to_string(verdict));
  for (const ParsedReport& report : reports) title += ", " + report.name;
  return head(title, view) + "<header>\n<h1>skinbake report " + verdict_badge(verdict) + "</h1>\n" +
         report_list(reports) + "</header>\n<main>\n" + section("Limits", checks_table(reports)) +
         section("Recommendation", recommendation_tables(reports)) +
         section("Changes", changes_table(reports)) +
         section("Measurements",
                 surfaces_table(reports) + runs_table(reports) + other_numbers_table(reports)) +
         section("Explained", explanations_table(reports)) +
         section("In space", view == nullptr ? "" : view_section()) +
         section("Over time", drawings(reports)) +
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

std::string to_page(PageFormat format, std::span<const ParsedReport> reports, const View* view) {
  switch (format) {
    case PageFormat::kHtml:
      return to_html(reports, view);
    case PageFormat::kMarkdown:
      return to_markdown(reports);
    case PageFormat::kJunit:
      break;
  }
  return to_junit(reports);
}

}  // namespace skinbake
