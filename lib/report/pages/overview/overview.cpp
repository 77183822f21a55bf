// The page of a library. The table of characters is complete without scripts; overview.js replaces
// it by a matrix with a column for each clip or method, from the data:
//
//   characters[]  [name, the worst verdict of its reports]
//   reports[]     [character, address or ""]
//   clips[]       names          methods[]  names          metrics[]  [title, unit, is measured]
//   addresses     {clip: the name by which a report's page knows it, if clips[] has it shortened}
//   cells[]       [report, clip, method, values[], frames[], places[], changes[] or nothing]
//                 the worst of the character's meshes, per metric; null: not measured. A change is
//                 the difference of exact values: that of rounded ones may be 0 or far too large
//
// A character is a rig, which may have a report for each clip or method.

#include "report/pages/overview/overview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/issue.h"
#include "json/json_writer.h"
#include "json/text.h"
#include "report/pages/escape.h"
#include "report/pages/html/headline.h"
#include "report/pages/numbers.h"
#include "report/pages/page_text.h"
#include "report/pages/pages.h"
#include "report/pages/pairs.h"
#include "report/pages/table.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostListed = 12;  // worst places
constexpr std::size_t kLongestLabel = 80;
constexpr int kOverviewDigits = 3;

// A measurement of a run. Volume and distortion, which need no reference, are first.
struct OverviewMetric {
  const char* title;
  const char* section;
  const char* number;  // null: the worst joint
  const char* unit;    // of the page: "%", "mm" or a count
  double factor;       // from the report's unit to that of the page
};
constexpr std::array kMetrics{
    OverviewMetric{"volume lost at a joint", "volume", nullptr, "%", 100},
    OverviewMetric{"volume lost", "volume", "max_loss", "%", 100},
    OverviewMetric{"worst triangle (4 at rest)", "triangle_distortion", "worst", "", 1},
    OverviewMetric{"largest error", "error", "max", "mm", 1000},
    OverviewMetric{"largest error of the size", "error", "max_relative", "%", 100},
    OverviewMetric{"rms error", "error", "rms", "mm", 1000},
};
using Metrics = std::array<std::optional<double>, kMetrics.size()>;

struct Cell {
  std::size_t report = 0;
  Metrics values;
  std::array<std::int64_t, kMetrics.size()> frames{};
  std::array<std::string, kMetrics.size()> places;  // "elbow.L of Body"
  std::optional<Metrics> changes;                   // since the older reports
};

using CellKey = std::tuple<std::size_t, std::size_t, std::size_t>;  // character, clip, method

// Names in the order of their first use.
class Names {
 public:
  std::size_t of(const std::string& name) {
    const auto [found, is_new] = known_.try_emplace(name, all.size());
    if (is_new) all.push_back(name);
    return found->second;
  }
  std::vector<std::string> all;

 private:
  std::map<std::string, std::size_t> known_;
};

struct Reading {
  double value = 0;
  std::optional<ParsedPlace> at;
};

// In the unit of a metric. JSON does not have infinity.
double in_unit(double value, const OverviewMetric& metric) {
  constexpr double kFarthest = 1e300;
  return std::clamp(value * metric.factor, -kFarthest, kFarthest);
}

std::optional<Reading> reading_of(const ParsedRun& run, const OverviewMetric& metric) {
  if (metric.number == nullptr) {
    const ParsedJoint* joint = worst_joint(run);
    if (joint == nullptr) return {};
    Reading worst{in_unit(*joint->max_loss, metric), joint->max_loss_at};
    if (worst.at) worst.at->joint = joint->name;
    return worst;
  }
  const ParsedNumber* number = number_of(run, metric.section, metric.number);
  if (number == nullptr || !number->value || !std::isfinite(*number->value)) return {};
  return Reading{in_unit(*number->value, metric), number->at};
}

std::string place_in(const ParsedMesh& mesh, const std::optional<ParsedPlace>& at) {
  std::string place;
  if (at) place = !at->joint.empty() ? at->joint : at->element;
  return shortened((place.empty() ? "mesh " : place + " of ") + mesh.id, kLongestLabel);
}

// Keeps the worst of a character's meshes.
void add_run(const ParsedMesh& mesh, const ParsedRun& run, Cell& cell) {
  for (std::size_t m = 0; m < kMetrics.size(); ++m) {
    const std::optional<Reading> found = reading_of(run, kMetrics[m]);
    if (!found || (cell.values[m] && found->value <= *cell.values[m])) continue;
    cell.values[m] = found->value;
    cell.frames[m] = found->at ? found->at->frame : -1;
    cell.places[m] = place_in(mesh, found->at);
  }
}

// A rig, and its reports: of other clips or methods, say.
struct CharacterRow {
  std::string subject, rig_hash;
  VerdictStatus status = VerdictStatus::kNone;
  std::size_t first_report = 0;
};

class Library {
 public:
  explicit Library(const OverviewInput& input) : input_(input) {
    for (std::size_t r = 0; r < input.reports.size(); ++r) add_report(r);
    for (std::size_t r = 0; r < input.against.size(); ++r) {
      if (!add_older(input.against[r])) unpaired_.push_back(r);
    }
  }

  const std::vector<CharacterRow>& characters() const { return characters_; }
  const std::vector<std::size_t>& unpaired() const { return unpaired_; }
  std::string json() const;
  std::string worst_list() const;
  std::string table() const;

 private:
  static std::string rig_hash_of(const ParsedReport& report) {
    const auto rig = std::find_if(report.inputs.begin(), report.inputs.end(),
                                  [](const InputFile& input) { return input.role == "rig"; });
    return rig == report.inputs.end() ? "" : rig->xxh128;
  }

  // The row of the rig that has no cell of the report yet; otherwise a new one, so that nothing of
  // two reports of one clip and method is hidden.
  std::size_t row_for(std::size_t r, const std::set<std::pair<std::size_t, std::size_t>>& cells) {
    const ParsedReport& report = input_.reports[r];
    const std::string subject = subject_of(input_.reports.subspan(r, 1));
    const std::string hash = rig_hash_of(report);
    for (const std::size_t c : rows_of_subject_[subject]) {
      const bool is_free = std::none_of(cells.begin(), cells.end(), [&](const auto& cell) {
        return cells_.contains({c, cell.first, cell.second});
      });
      if (characters_[c].rig_hash == hash && is_free) return c;
    }
    rows_of_subject_[subject].push_back(characters_.size());
    characters_.push_back({subject, hash, VerdictStatus::kNone, r});
    return characters_.size() - 1;
  }

  void add_report(std::size_t r) {
    const ParsedReport& report = input_.reports[r];
    std::set<std::pair<std::size_t, std::size_t>> cells;
    for (const ParsedMesh& mesh : report.meshes) {
      for (const ParsedRun& run : mesh.runs)
        cells.insert({clips_.of(run.clip), methods_.of(run.method)});
    }
    const std::size_t c = row_for(r, cells);
    character_of_.push_back(c);
    characters_[c].status = std::max(characters_[c].status, status_of(report));
    for (const ParsedMesh& mesh : report.meshes) {
      for (const ParsedRun& run : mesh.runs) {
        Cell& cell = cells_[{c, clips_.of(run.clip), methods_.of(run.method)}];
        cell.report = r;
        add_run(mesh, run, cell);
        for (std::size_t m = 0; m < kMetrics.size(); ++m) has_[m] |= cell.values[m].has_value();
      }
    }
  }

  // Pairs an older report with every character of the same rig's name. Returns whether any clip and
  // method is in both.
  bool add_older(const ParsedReport& older) {
    std::map<CellKey, Cell> before;
    for (const std::size_t c : rows_of_subject_[subject_of({&older, 1})]) {
      for (const ParsedMesh& mesh : older.meshes) {
        for (const ParsedRun& run : mesh.runs) {
          add_run(mesh, run, before[{c, clips_.of(run.clip), methods_.of(run.method)}]);
        }
      }
    }
    bool is_paired = false;
    for (const auto& [key, cell] : before) {
      const auto found = cells_.find(key);
      if (found == cells_.end()) continue;
      found->second.changes = changes_of(found->second.values, cell.values);
      is_paired = true;
    }
    return is_paired;
  }

  static Metrics changes_of(const Metrics& now, const Metrics& before) {
    Metrics changes;
    for (std::size_t m = 0; m < kMetrics.size(); ++m) {
      if (!now[m] || !before[m]) continue;
      const double change = *now[m] - *before[m];
      if (std::isfinite(change)) changes[m] = change;
    }
    return changes;
  }

  std::string name_of(std::size_t character) const {
    return shortened(characters_[character].subject, kLongestLabel);
  }

  // Of the report's own page, beside the overview or inside it; empty: none.
  std::string address_of(std::size_t report) const {
    if (report < input_.pages.size()) return "#page=" + std::to_string(report);
    return report < input_.links.size() ? input_.links[report] : std::string();
  }

  // The name of a character, which leads to the page of one of its reports.
  std::string link(std::size_t character, std::size_t report) const {
    const std::string name = isolated(name_of(character)), address = address_of(report);
    return address.empty() ? name : "<a href=\"" + escaped(address) + "\">" + name + "</a>";
  }

  OverviewInput input_;
  std::vector<CharacterRow> characters_;   // in the order in which the reports first name them
  std::vector<std::size_t> character_of_;  // [report]
  std::map<std::string, std::vector<std::size_t>> rows_of_subject_;  // indices of characters_
  Names clips_, methods_;
  std::map<CellKey, Cell> cells_;
  std::array<bool, kMetrics.size()> has_{};
  std::vector<std::size_t> unpaired_;  // indices of the older reports
};

void write_values(const Metrics& values, JsonWriter& json) {
  json.begin_line_array();
  for (const std::optional<double>& value : values) {
    value ? json.raw(short_number(*value, kOverviewDigits)) : json.null();
  }
  json.end_array();
}

void write_cell(const CellKey& key, const Cell& cell, JsonWriter& json) {
  json.begin_line_array();
  json.value(static_cast<std::uint64_t>(cell.report));
  json.value(static_cast<std::uint64_t>(std::get<1>(key)));
  json.value(static_cast<std::uint64_t>(std::get<2>(key)));
  write_values(cell.values, json);
  json.begin_line_array();
  for (const std::int64_t frame : cell.frames) json.value(frame);
  json.end_array().begin_line_array();
  for (const std::string& place : cell.places) json.value(printable(place));
  json.end_array();
  if (cell.changes) write_values(*cell.changes, json);
  json.end_array();
}

// The name of a clip; a long one without its end.
std::string clip_label(const std::string& clip) {
  return shortened(clip_text(clip), kLongestLabel);
}

void write_names(const char* key, const std::vector<std::string>& names, JsonWriter& json) {
  json.key(key).begin_array();
  for (const std::string& name : names) {
    json.value(printable(clip_label(name)));
  }
  json.end_array();
}

void write_addresses(const std::vector<std::string>& clips, JsonWriter& json) {
  json.key("addresses").begin_object();
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const std::string name = printable(shortened(clip_text(clips[c]), kLongestKey));
    if (name != printable(clip_label(clips[c]))) json.key(std::to_string(c)).value(name);
  }
  json.end_object();
}

std::string Library::json() const {
  JsonWriter json;
  json.begin_object().key("characters").begin_array();
  for (std::size_t c = 0; c < characters_.size(); ++c) {
    json.begin_line_array().value(printable(name_of(c)));
    json.value(to_string(characters_[c].status)).end_array();
  }
  json.end_array().key("reports").begin_array();
  for (std::size_t r = 0; r < input_.reports.size(); ++r) {
    json.begin_line_array().value(static_cast<std::uint64_t>(character_of_[r]));
    json.value(address_of(r)).end_array();
  }
  json.end_array();
  write_names("clips", clips_.all, json);
  write_addresses(clips_.all, json);
  write_names("methods", methods_.all, json);
  json.key("metrics").begin_array();
  for (std::size_t m = 0; m < kMetrics.size(); ++m) {
    json.begin_line_array().value(kMetrics[m].title).value(kMetrics[m].unit);
    json.value(has_[m]).end_array();
  }
  json.end_array().key("cells").begin_array();
  for (const auto& [key, cell] : cells_) write_cell(key, cell, json);
  json.end_array().end_object();
  return without_tags(json.take());
}

// The worst places of the library, each character once.
std::string Library::worst_list() const {
  std::size_t metric = 0;
  while (metric < kMetrics.size() && !has_[metric]) ++metric;
  if (metric == kMetrics.size()) return "";
  std::vector<std::pair<CellKey, const Cell*>> worst;  // [character]
  for (const auto& [key, cell] : cells_) {
    if (!cell.values[metric] || !(*cell.values[metric] > kRoundingRatio)) continue;
    const bool is_known = !worst.empty() && std::get<0>(worst.back().first) == std::get<0>(key);
    if (!is_known) {
      worst.emplace_back(key, &cell);
    } else if (*cell.values[metric] > *worst.back().second->values[metric]) {
      worst.back() = {key, &cell};
    }
  }
  std::stable_sort(worst.begin(), worst.end(), [&](const auto& a, const auto& b) {
    return *a.second->values[metric] > *b.second->values[metric];
  });
  if (worst.size() > kMostListed) worst.resize(kMostListed);
  const OverviewMetric& of = kMetrics[metric];
  const std::string unit = *of.unit == '\0' ? "" : std::string(", ") + of.unit;
  Table table(1, std::string("The worst character first: ") + of.title,
              {"character", of.title + unit, "at", "frame", "clip", "method"}, "headline");
  for (const auto& [key, cell] : worst) {
    const auto [character, clip, method] = key;
    table.row(0, heading_cell(link(character, cell->report)) +
                     number_cell(read_number(*cell->values[metric])) +
                     name_cell(cell->places[metric]) +
                     number_cell(std::to_string(cell->frames[metric])) +
                     name_cell(clip_label(clips_.all[clip])) +
                     name_cell(shortened(methods_.all[method], kLongestLabel)));
  }
  return table.take();
}

// What exceeds a limit is first.
int severity_of(VerdictStatus status) {
  return status == VerdictStatus::kFail ? 2 : status == VerdictStatus::kWarn ? 1 : 0;
}

// A row for each character: the worst of its clips and methods.
std::string Library::table() const {
  std::vector<std::string> heads{"character", "verdict"};
  for (std::size_t m = 0; m < kMetrics.size(); ++m) {
    const std::string unit = kMetrics[m].unit;
    if (has_[m]) heads.push_back(kMetrics[m].title + (unit.empty() ? "" : ", " + unit));
  }
  std::vector<Metrics> worst(characters_.size());
  for (const auto& [key, cell] : cells_) {
    Metrics& of = worst[std::get<0>(key)];
    for (std::size_t m = 0; m < kMetrics.size(); ++m) {
      if (cell.values[m] && (!of[m] || *cell.values[m] > *of[m])) of[m] = cell.values[m];
    }
  }
  Table table(1, "The worst of all clips, meshes and methods", heads, "headline");
  std::vector<std::size_t> order(characters_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return severity_of(characters_[a].status) > severity_of(characters_[b].status);
  });
  for (const std::size_t c : order) {
    std::string cells =
        heading_cell(link(c, characters_[c].first_report)) + status_cell(characters_[c].status);
    for (std::size_t m = 0; m < kMetrics.size(); ++m) {
      if (!has_[m]) continue;
      cells += number_cell(worst[c][m] ? read_number(*worst[c][m]) : "");
    }
    table.row(0, cells);
  }
  return table.take();
}

std::string counts_of(const std::vector<CharacterRow>& characters) {
  std::string text;
  for (const VerdictStatus status :
       {VerdictStatus::kFail, VerdictStatus::kWarn, VerdictStatus::kPass, VerdictStatus::kNone}) {
    const auto count =
        std::count_if(characters.begin(), characters.end(),
                      [&](const CharacterRow& each) { return each.status == status; });
    if (count > 0) text += " " + verdict_badge(status) + " " + std::to_string(count);
  }
  return text;
}

}  // namespace

namespace {

// The pages inside the overview, as data, and the element that shows one of them.
std::string pages_inside(std::span<const std::string> pages) {
  if (pages.empty()) return "";
  std::string html = "<div id=\"inside\" hidden><p><a href=\"#\">← all characters</a></p></div>\n";
  for (std::size_t r = 0; r < pages.size(); ++r) {
    JsonWriter json;
    json.value(pages[r]);
    html += "<script type=\"application/json\" id=\"page-" + std::to_string(r) + "\">" +
            without_tags(json.take()) + "</script>\n";
  }
  return html;
}

}  // namespace

Issues unpaired_reports(std::span<const ParsedReport> reports,
                        std::span<const ParsedReport> against) {
  Issues issues;
  const Library library({reports, {}, {}, against});
  for (const std::size_t r : library.unpaired()) {
    issues.push_back(
        make_issue("REPORT_UNPAIRED", printable(against[r].name), "",
                   "no rig, clip and method of it is in the newer reports; its rig is '" +
                       subject_of(against.subspan(r, 1)) + "'"));
  }
  return issues;
}

std::string to_overview(const OverviewInput& input) {
  const Library library(input);
  const std::size_t characters = library.characters().size();
  std::string title = counted(characters, "character", "characters");
  if (characters < input.reports.size()) {
    title += " in " + counted(input.reports.size(), "report", "reports");
  }
  const std::string references = references_text(input.reports);
  // Pages inside have the policy of this page, and their own.
  std::vector<std::string_view> hashes{overview_script_hash()};
  if (!input.pages.empty()) hashes.push_back(page_script_hash());
  const std::string_view frames = input.pages.empty() ? "" : "; frame-src blob:";
  return page_head(title + ", skinbake overview", hashes, frames) + "<header>\n<h1>" + title +
         "</h1>\n<p>" + counts_of(library.characters()) + "</p>\n" +
         (references.empty() ? "" : "<p class=\"measured\">" + references + "</p>\n") +
         "</header>\n<main>\n<section>\n<h2>Worst characters</h2>\n" + library.worst_list() +
         "</section>\n<section>\n<h2>All characters</h2>\n" + std::string(overview_elements()) +
         "<div id=\"matrix\">" + library.table() + "</div>\n</section>\n</main>\n" +
         pages_inside(input.pages) + "<script type=\"application/json\" id=\"overview-data\">" +
         library.json() + "</script>\n<script>" + std::string(overview_script()) +
         "</script>\n</body>\n</html>\n";
}

}  // namespace skinbake
