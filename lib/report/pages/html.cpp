// The HTML page: a single file that contains its style, charts and scripts. Everything from a
// report is escaped. In addition, the page's Content-Security-Policy forbids other scripts and all
// network access.

#include "report/pages/html.h"

#include <algorithm>
#include <set>

#include "report/pages/pages.h"
#include "report/pages/words.h"
#include "report/report_text.h"
#include "report/viewer/data.h"
#include "report/viewer/viewer.h"

namespace skinbake {

// ---- Tables

namespace {

constexpr std::size_t kRowsBeforeFold = 24;  // before a fold

// A number of a place stays on the line of its word: "wrist, frame 30". Names keep their spaces,
// because people copy them: the clip "key frame 30".
std::string kept_together(std::string text) {
  for (const std::string_view word : {"frame", "vertex", "point", "triangle", "edge"}) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
      const bool begins = at == 0 || std::string_view(text).substr(0, at).ends_with(", ");
      at += word.size();
      const bool is_number =
          at + 1 < text.size() && text[at] == ' ' && text[at + 1] >= '0' && text[at + 1] <= '9';
      if (begins && is_number) text.replace(at, 1, "\u00a0");
    }
  }
  return text;
}

std::string lines_html(const std::string& text) {
  std::string html;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = kept_together(text.substr(from, end - from));
    if (!line.empty()) html += (html.empty() ? "" : "<br>") + isolated(line);
    from = end + 1;
  }
  return html;
}

std::string cell_html(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::kNumber:
      return "<td class=\"number\">" + escaped(cell.text) + "</td>";
    case Cell::Kind::kCode:
      return "<td><code>" + escaped(shortened(cell.text, kLongestShown)) + "</code></td>";
    case Cell::Kind::kStatus:
      if (cell.text.empty()) break;
      return "<td><span class=\"verdict " + escaped(cell.text) + "\">" + escaped(cell.text) +
             "</span></td>";
    case Cell::Kind::kText:
      break;
  }
  const std::string text = lines_html(cell.text);
  if (cell.link.empty()) return "<td>" + text + "</td>";
  return "<td><a href=\"" + escaped(cell.link) + "\">" + text + "</a></td>";
}

// The keyboard scrolls a table that is wider than the page once it has the focus; a screen reader
// says its caption then.
std::string region_name(std::string_view caption) {
  if (caption.empty()) return "";
  return " role=\"region\" aria-label=\"" + escaped(shortened(caption, kLongestShown)) + "\"";
}

std::string rows_html(const PageTable& table, std::size_t reports, std::string_view kind,
                      std::size_t first, std::size_t last) {
  const std::string caption =
      table.caption.empty() ? "" : "<caption>" + escaped(table.caption) + "</caption>\n";
  std::string html = "<div class=\"table\" tabindex=\"0\"" + region_name(table.caption) +
                     "><table" + (kind.empty() ? "" : " class=\"" + std::string(kind) + "\"") +
                     ">\n" + caption + "<thead><tr>" +
                     (reports > 1 ? "<th scope=\"col\">report</th>" : "");
  for (const std::string& head : table.heads)
    html += "<th scope=\"col\">" + escaped(head) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = first; r < last; ++r) {
    html += "<tr>";
    if (reports > 1) html += "<td>" + letter_of(table.rows[r].report, reports) + "</td>";
    for (const Cell& cell : table.rows[r].cells) html += cell_html(cell);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

}  // namespace

std::string table_html(const PageTable& table, std::size_t reports, std::string_view kind) {
  const std::size_t count = table.rows.size(), shown = std::min(count, kRowsBeforeFold);
  if (count == 0) return "";
  const std::string html = rows_html(table, reports, kind, 0, shown);
  if (shown == count) return html;
  return html + "<details>\n<summary>" + counted(count - shown, "more row", "more rows") +
         "</summary>\n" + rows_html(table, reports, kind, shown, count) + "</details>\n";
}

std::string isolated(std::string_view name) {
  return "<bdi>" + escaped(shortened(name, kLongestShown)) + "</bdi>";
}

std::string verdict_badge(VerdictStatus status) {
  const std::string word(to_string(status));
  return "<span class=\"verdict " + word + "\">" + word + "</span>";
}

std::string section_html(std::string_view title, const std::string& content) {
  if (content.empty()) return "";
  return "<section>\n<h2>" + escaped(title) + "</h2>\n" + content + "</section>\n";
}

std::string references_html(std::span<const NamedReport> reports) {
  constexpr std::size_t kMostNames = 3;
  std::set<std::string> references;
  bool is_own = false;
  for (const Run& run : runs_in(reports)) {
    for (const auto& [ignored, section] : run.json->items()) {
      const std::string reference = text_in(section, "reference");
      if (reference.empty()) continue;
      references.insert(reference);
      is_own = is_own || reference == run.method;
    }
  }
  if (references.empty()) return "";
  std::string html = "Errors are distances from ";
  std::size_t listed = 0;
  for (const std::string& name : references) {
    if (listed == kMostNames) break;
    html += (listed++ == 0 ? "" : ", ") + isolated(name);
  }
  if (listed < references.size()) {
    html += " and " + counted(references.size() - listed, "more reference", "more references");
  }
  return "<p class=\"measured\">" + html +
         (is_own ? ": the reference itself has no error, whatever its quality." : ".") +
         " Ratios below 0.0001 % are rounding and shown as 0.</p>\n";
}

// ---- The page

namespace {

constexpr std::size_t kMostPairs = 50;  // pairs of mesh and clip that have drawings
constexpr std::size_t kMostRuns = 32;   // of one drawing

// The paths of all series, in the order of the runs' sections.
std::vector<std::string> series_paths(std::span<const Run> runs) {
  std::vector<std::string> all;
  for (const Run& run : runs) {
    std::vector<std::string> paths;
    for (const RunSeries& series : series_of(run)) paths.push_back(series.path);
    for (const std::string& path : paths) place_among(all, path, paths);
  }
  return all;
}

// The paths of the series that belong to headlines: the values of "error.max" per frame.
std::set<std::string> headline_paths(std::span<const Run> runs) {
  std::set<std::string> paths;
  for (const Run& run : runs) {
    const std::vector<RunSeries> all = series_of(run);
    for (const Number& number : numbers_of(run)) {
      if (number.at == nullptr || !number.field.worse) continue;
      for (const RunSeries& series : all) {
        if (series.values == number.series) paths.insert(series.path);
      }
    }
  }
  return paths;
}

std::string drawings_of(const Pair& pair, bool is_open) {
  const std::size_t drawn = std::min(pair.runs.size(), kMostRuns);
  const std::span<const Run> runs = std::span(pair.runs).first(drawn);
  const std::set<std::string> headlines = headline_paths(runs);
  std::string charts, others;
  for (const std::string& path : series_paths(runs)) {
    (headlines.contains(path) ? charts : others) += line_chart(path, runs);
  }
  const std::string heat = heat_maps(runs);
  if (charts.empty() && others.empty() && heat.empty()) return "";
  std::string html =
      "<details class=\"pair\" data-clip=\"" + escaped(shortened(runs[0].clip, kLongestKey)) +
      "\"" + (is_open ? " open" : "") + ">\n<summary><h3>" + isolated(pair.title) + ", " +
      counted(static_cast<std::size_t>(runs[0].frames.frame_count), "frame", "frames") +
      "</h3></summary>\n<div class=\"charts\">\n" + charts + "</div>\n" + heat;
  if (!others.empty()) {
    html += "<details>\n<summary>More curves</summary>\n<div class=\"charts\">\n" + others +
            "</div>\n</details>\n";
  }
  if (drawn < pair.runs.size()) {
    html += "<p>" + counted(pair.runs.size() - drawn, "more method is", "more methods are") +
            " only in the table.</p>\n";
  }
  return html + "</details>\n";
}

std::string drawings(std::span<const Pair> pairs) {
  std::size_t drawn = 0;
  std::string html;
  for (const Pair& pair : pairs) {
    if (drawn == kMostPairs) break;
    const std::string more = drawings_of(pair, drawn == 0);
    drawn += more.empty() ? 0 : 1;
    html += more;
  }
  if (pairs.size() > kMostPairs) {
    html += "<p>The worst " + std::to_string(drawn) + " of " + std::to_string(pairs.size()) +
            " pairs of mesh and clip are drawn; all are in the table.</p>\n";
  }
  if (drawn > 1) {
    html +=
        "<p class=\"paper\">Only opened drawings are printed; all pairs are in the table.</p>\n";
  }
  return html;
}

std::string report_line(const NamedReport& report, const std::string& letter) {
  const Json& document = report.document;
  std::string line = letter.empty() ? "" : letter + ": " + verdict_badge(status_of(report)) + " ";
  line += isolated(report.name) + ", skinbake " + escaped(text_in(document, "command")) + " (" +
          escaped(text_in(member(document, "tool"), "version")) + ")";
  const Json& match = member(member(document, "settings"), "match");
  const std::string used = text_in(match, "used"), reason = text_in(match, "reason");
  if (!used.empty() && used != "index") {
    line +=
        "; points are paired by " + escaped(used) + (reason.empty() ? "" : ": " + escaped(reason));
  }
  return line;
}

std::string report_list(std::span<const NamedReport> reports) {
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

std::string members_html(std::span<const NamedReport> reports,
                         const std::vector<std::string>& keys) {
  std::string html;
  for (const std::string& key : keys) {
    std::string tables;
    for (const PageTable& table : member_tables(reports, key)) {
      tables += table_html(table, reports.size());
    }
    std::string title = key_words(key);
    if (title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
    html += section_html(title, tables);
  }
  return html;
}

std::string measurements(std::span<const NamedReport> reports, std::span<const Pair> pairs) {
  std::string more;
  for (const PageTable& table : section_tables(pairs)) more += table_html(table, reports.size());
  if (!more.empty()) {
    more =
        "<details>\n<summary>All numbers of each measurement</summary>\n" + more + "</details>\n";
  }
  return table_html(headlines_table(reports, pairs), reports.size(), "headline") + more;
}

// The viewer's data, which are not executable, and its script.
std::string view_scripts(const View& view) {
  return "<script type=\"application/json\" id=\"view-data\">" + view_data(view) +
         "</script>\n<script>" + std::string(viewer_script()) + "</script>\n";
}

}  // namespace

std::string page_head(const std::string& title, const std::vector<std::string_view>& hashes,
                      std::string_view more, std::string_view mark) {
  std::string scripts;
  for (const std::string_view hash : hashes) scripts += " 'sha256-" + std::string(hash) + "'";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         std::string(mark) +
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; script-src" +
         scripts + std::string(more) + "\">\n<title>" + escaped(title) + "</title>\n<style>\n" +
         std::string(page_style()) + "</style>\n</head>\n<body>\n";
}

// Escapes '<', which could begin a tag or a comment.
std::string without_tags(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

std::string to_html(std::span<const NamedReport> reports, const View* view,
                    std::string_view overview) {
  const VerdictStatus verdict = worst_status(reports);
  const std::string subject = subjects_of(reports);
  const std::string title =
      subject + (verdict == VerdictStatus::kNone ? "" : ": " + std::string(to_string(verdict))) +
      ", skinbake report";
  const std::vector<Pair> pairs = worst_pairs(runs_in(reports));
  const OtherMembers others = other_members(reports);
  std::vector<std::string_view> scripts{page_script_hash()};
  if (view != nullptr) scripts.push_back(viewer_script_hash());
  return page_head(title, scripts, "", view == nullptr ? "" : kViewMark) + "<header>\n" +
         link_back(overview) + "<h1><bdi>" + escaped(subject) + "</bdi> " + verdict_badge(verdict) +
         "</h1>\n" + report_list(reports) + references_html(reports) + "</header>\n<main>\n" +
         section_html("Limits", table_html(limits_table(reports), reports.size())) +
         section_html("Worst places", worst_places(pairs)) +
         section_html("In space", view == nullptr ? "" : std::string(view_elements())) +
         members_html(reports, others.objects) +
         section_html("Measurements", measurements(reports, pairs)) +
         section_html("Over time", drawings(pairs)) + members_html(reports, others.arrays) +
         "</main>\n<script>" + std::string(page_script()) + "</script>\n" +
         (view == nullptr ? "" : view_scripts(*view)) + "</body>\n</html>\n";
}

std::string to_page(ReportForm form, std::span<const NamedReport> reports, const View* view,
                    std::string_view overview) {
  if (form == ReportForm::kHtml) return to_html(reports, view, overview);
  return form == ReportForm::kMarkdown ? to_markdown(reports) : to_junit(reports);
}

}  // namespace skinbake
