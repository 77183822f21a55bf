#include "report/pages/html/headline.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "report/causes.h"
#include "report/pages/escape.h"
#include "report/pages/numbers.h"
#include "report/pages/page_text.h"
#include "report/pages/table.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostHeadlines = 12;  // that are not folded

struct Row {
  std::size_t report = 0;
  const ParsedMesh* mesh = nullptr;
  const ParsedRun* run = nullptr;
  bool is_body = false;  // of several meshes
};

// The text of each column in one row. Empty: the run does not have the value.
struct Columns {
  double per_metre = 1;  // 1000: errors are in millimetres
  std::vector<std::string> heads;

  explicit Columns(double largest_m) : per_metre(largest_m < 1 ? 1000 : 1) {
    const std::string unit = per_metre == 1 ? "m" : "mm";
    heads = {"verdict",
             "mesh",
             "clip",
             "method",
             "volume loss, %",
             "Δ, %",
             "at",
             "gain, %",
             "worst joint",
             "its loss, %",
             "at",
             "worst triangle (4 at rest)",
             "at",
             "largest error, " + unit,
             "Δ, " + unit,
             "at",
             "rms error, " + unit,
             "cause"};
  }
};

std::string ratio_text(double value) {
  return std::abs(value) < kRoundingRatio ? "0" : read_number(100 * value);
}

std::string number_text(const ParsedNumber* number) {
  return number == nullptr || !number->value ? "" : read_number(*number->value);
}

// The place of a number, unless the number is rounding.
std::string place_of(const ParsedNumber* number, bool is_rounding) {
  if (number == nullptr || is_rounding) return "";
  const std::string place = place_html(number->at);
  const std::string joint = number->at ? number->at->joint : "";
  return joint.empty() || place.empty() ? place : isolated(joint) + ", " + place;
}

// How a number has changed by `factor` units; empty: it is not in both reports, or has not changed.
std::string change_text(const std::optional<double>& value, const std::optional<double>& before,
                        double factor) {
  if (!value || !before || *value == *before) return "";
  return (*value > *before ? "+" : "") + read_number(factor * (*value - *before));
}

std::optional<double> value_of(const ParsedRun* run, std::string_view section,
                               std::string_view number) {
  const ParsedNumber* found = run == nullptr ? nullptr : number_of(*run, section, number);
  return found == nullptr ? std::nullopt : found->value;
}

// `before`: the same run of an older report, or null.
void add_volume(const ParsedRun& run, const ParsedRun* before, std::vector<std::string>& texts) {
  const ParsedNumber* loss = number_of(run, "volume", "max_loss");
  const ParsedNumber* gain = number_of(run, "volume", "min_loss");
  const bool has_loss = loss != nullptr && loss->value;
  texts.push_back(has_loss ? ratio_text(*loss->value) : "");
  texts.push_back(change_text(value_of(&run, "volume", "max_loss"),
                              value_of(before, "volume", "max_loss"), 100));
  texts.push_back(place_of(loss, has_loss && std::abs(*loss->value) < kRoundingRatio));
  texts.push_back(gain == nullptr || !gain->value ? "" : ratio_text(std::max(0.0, -*gain->value)));
  const ParsedJoint* joint = worst_joint(run);
  const bool has_joint = joint != nullptr && *joint->max_loss >= kRoundingRatio;
  texts.push_back(has_joint ? isolated(joint->name) : "");
  texts.push_back(has_joint ? ratio_text(*joint->max_loss) : "");
  texts.push_back(has_joint ? place_html(joint->max_loss_at) : "");
}

void add_error(const ParsedRun& run, const ParsedRun* before, double per_metre,
               std::vector<std::string>& texts) {
  const ParsedNumber* max = number_of(run, "error", "max");
  const ParsedNumber* rms = number_of(run, "error", "rms");
  const ParsedNumber* relative = number_of(run, "error", "max_relative");
  const bool has_error = max != nullptr && max->value;
  if (has_error && run.method == run.reference) {
    texts.insert(texts.end(), {"reference", "", "", ""});
    return;
  }
  const bool is_rounding =
      relative != nullptr && relative->value && *relative->value < kRoundingRatio;
  const auto text = [&](const ParsedNumber* number) {
    if (number == nullptr || !number->value) return std::string();
    return is_rounding ? "0" : read_number(*number->value * per_metre);
  };
  texts.push_back(text(max));
  texts.push_back(
      change_text(value_of(&run, "error", "max"), value_of(before, "error", "max"), per_metre));
  texts.push_back(place_of(max, is_rounding));
  texts.push_back(text(rms));
}

std::vector<std::string> texts_of(std::span<const ParsedReport> reports, const Row& row,
                                  const Columns& columns) {
  const ParsedRun& run = *row.run;
  const ParsedReport& report = reports[row.report];
  const bool has_verdict = !report.checks.empty() && !row.is_body;
  std::vector<std::string> texts{
      has_verdict ? verdict_badge(status_of(report, *row.mesh, run)) : "",
      (row.is_body ? "body " : "") + isolated(row.mesh->id), isolated(clip_text(run.clip)),
      isolated(run.method)};
  const ParsedRun* const before = same_run(report_before(reports, report), *row.mesh, run);
  add_volume(run, before, texts);
  const ParsedNumber* distortion = number_of(run, "triangle_distortion", "worst");
  texts.push_back(number_text(distortion));
  texts.push_back(place_of(distortion, false));
  add_error(run, before, columns.per_metre, texts);
  const bool differs = run.difference && run.difference->vertices > 0;
  texts.push_back(differs ? isolated(cause_text(report.rig_data, row.mesh->id, run.clip)) : "");
  return texts;
}

bool is_number(std::string_view head) {
  return head.find(", ") != std::string_view::npos || head.find("(4") != std::string_view::npos;
}

double largest_error_m(std::span<const Pair> pairs) {
  double largest = 0;
  for (const Pair& pair : pairs) {
    for (const Curve& curve : pair.curves) {
      const ParsedNumber* max = number_of(*curve.run, "error", "max");
      if (max != nullptr && max->value) largest = std::max(largest, *max->value);
    }
  }
  return largest;
}

std::string table_of(std::span<const ParsedReport> reports, std::string_view caption,
                     std::span<const Row> rows, const Columns& columns) {
  std::vector<std::vector<std::string>> texts;
  for (const Row& row : rows) texts.push_back(texts_of(reports, row, columns));
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < columns.heads.size(); ++c) {
    const bool is_empty =
        std::all_of(texts.begin(), texts.end(), [&](const auto& row) { return row[c].empty(); });
    if (!is_empty) shown.push_back(c);
  }
  std::vector<std::string> heads;
  for (const std::size_t c : shown) heads.push_back(columns.heads[c]);
  Table table(reports.size(), caption, heads, "headline");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string cells;
    for (const std::size_t c : shown) {
      cells += is_number(columns.heads[c]) ? number_cell(texts[r][c]) : cell(texts[r][c]);
    }
    table.row(rows[r].report, cells);
  }
  return table.take();
}

// The runs of bodies, the worst first.
std::vector<Row> rows_of_bodies(std::span<const ParsedReport> reports) {
  std::vector<Row> rows;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const ParsedMesh& body : reports[r].bodies) {
      for (const ParsedRun& run : body.runs) rows.push_back({r, &body, &run, true});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return severity_of(*a.run) > severity_of(*b.run);
  });
  return rows;
}

}  // namespace

std::string headline_table(std::span<const ParsedReport> reports, std::span<const Pair> pairs) {
  const Columns columns(largest_error_m(pairs));
  std::vector<Row> rows = rows_of_bodies(reports);
  const bool has_bodies = !rows.empty();
  for (const Pair& pair : pairs) {
    for (const Curve& curve : pair.curves) {
      rows.push_back({curve.report, curve.mesh, curve.run, false});
    }
  }
  const std::span<const Row> all(rows);
  const std::size_t shown = std::min(kMostHeadlines, rows.size());
  std::string html = table_of(reports,
                              has_bodies ? "Every method, bodies of several meshes first, then "
                                           "the worst mesh and clip"
                                         : "Every method, the worst mesh and clip first",
                              all.subspan(0, shown), columns);
  if (shown == rows.size()) return html;
  return html + "<details>\n<summary>" + counted(rows.size() - shown, "more row", "more rows") +
         "</summary>\n" + table_of(reports, "Other meshes and clips", all.subspan(shown), columns) +
         "</details>\n";
}

std::string references_text(std::span<const ParsedReport> reports) {
  std::set<std::string> references;
  bool has_volume = false, is_own = false;
  for (const ParsedReport& report : reports) {
    for (const ParsedMesh& mesh : report.meshes) {
      for (const ParsedRun& run : mesh.runs) {
        if (!run.reference.empty()) references.insert(run.reference);
        if (run.method == run.reference) is_own = true;
        if (run.section("volume") != nullptr) has_volume = true;
      }
    }
  }
  std::string html;
  if (has_volume) {
    html = "Volume and distortion compare each frame with the baseline pose, without a reference.";
  }
  if (references.empty()) return html;
  html += (html.empty() ? "" : " ") + std::string("Errors are distances from ");
  constexpr std::size_t kMostNames = 3;
  std::size_t listed = 0;
  for (const std::string& name : references) {
    if (listed == kMostNames) break;
    html += (listed++ == 0 ? "" : ", ") + isolated(name);
  }
  if (listed < references.size()) {
    html += " and " + counted(references.size() - listed, "more reference", "more references");
  }
  return html + (is_own ? ": the reference itself has no error, whatever its quality." : ".") +
         " Ratios below 0.0001 % are rounding and shown as 0.";
}

}  // namespace skinbake
