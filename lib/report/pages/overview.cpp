// The page of a library. The table of characters is complete without scripts; overview.js replaces
// it by a matrix with a column for each clip or method, from the data:
//
//   characters[]  [name, the worst verdict of its reports]
//   reports[]     [character, address or "", address of a 3D page or ""]
//   clips[]       names          methods[]  names          metrics[]  [title, unit]
//   addresses     {clip: the name by which a report's page knows it, if clips[] has it shortened}
//   cells[]       [report, clip, method, values[], frames[], places[], changes[] or nothing]
//                 the worst of the character's meshes, per metric; null: not measured. A change is
//                 the difference of exact values: rounded ones may differ by 0 or far too much
//
// A metric is a headline of a section, or of the parts that joints name. A character is a rig,
// which may have a report for each clip or method.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "json/json_text.h"
#include "json/print.h"
#include "json/text.h"
#include "report/pages/html.h"
#include "report/pages/pages.h"
#include "report/pages/verdicts.h"
#include "report/pages/words.h"
#include "report/report_text.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostListed = 12;  // worst places
constexpr std::size_t kLongestLabel = 80;
constexpr int kOverviewDigits = 3;

// The unit of a metric on the page, and the factor from the report's unit to it.
struct ShownUnit {
  std::string_view unit;
  double factor = 1;
};
ShownUnit shown_unit(std::string_view unit) {
  if (unit == "1") return {"%", 100};
  if (unit == "m") return {"mm", 1000};
  return {unit, 1};
}

struct Value {
  double value = 0;
  std::int64_t frame = -1;
  std::string place;  // "elbow.L of Body"
};

struct CellValues {
  std::size_t report = 0;
  std::map<std::size_t, Value> values;   // by metric
  std::map<std::size_t, double> before;  // of the older reports; empty: none
  bool has_before = false;
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

std::string place_in(const Run& run, const Number& number) {
  std::string place = number.part;
  if (place.empty()) place = text_in(*number.at, "joint");
  if (place.empty()) place = element_words(*number.at);
  return shortened((place.empty() ? "mesh " : place + " of ") + run.mesh_id, kLongestLabel);
}

// A rig, and its reports: of other clips or methods, say.
struct LibraryRow {
  std::string subject, rig_hash;
  VerdictStatus status = VerdictStatus::kNone;
  std::size_t first_report = 0;
};

class Library {
 public:
  explicit Library(const OverviewInput& input) : input_(input) {
    const auto is_page = [](const std::string& view) { return !view.empty(); };
    if (std::none_of(input.views.begin(), input.views.end(), is_page)) input_.views = {};
    for (std::size_t r = 0; r < input.reports.size(); ++r) add_report(r);
    for (const NamedReport& older : input.against) add_older(older);
  }

  const std::vector<LibraryRow>& characters() const { return characters_; }
  std::string json() const;
  PageTable worst() const;
  PageTable table() const;
  // Names in tables become links to the characters' pages.
  std::string linked(const PageTable& table) const;

 private:
  static std::string rig_hash_of(const Json& report) {
    for (const Json& input : elements_in(report, "inputs")) {
      if (text_in(input, "role") == "rig") return text_in(input, "xxh128");
    }
    return "";
  }

  // The row of the rig that has no cell of the report yet; otherwise a new one, so that nothing of
  // two reports of one clip and method is hidden.
  std::size_t row_for(std::size_t r, const std::set<std::pair<std::size_t, std::size_t>>& cells) {
    const std::string subject = subject_of(input_.reports[r]);
    const std::string hash = rig_hash_of(input_.reports[r].document);
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

  std::vector<Run> mesh_runs(const NamedReport& report) const {
    std::vector<Run> runs = runs_in({&report, 1});
    std::erase_if(runs, [](const Run& run) { return run.is_body; });
    return runs;
  }

  void add_report(std::size_t r) {
    const std::vector<Run> runs = mesh_runs(input_.reports[r]);
    std::set<std::pair<std::size_t, std::size_t>> cells;
    for (const Run& run : runs) cells.insert({clips_.of(run.clip), methods_.of(run.method)});
    const std::size_t c = row_for(r, cells);
    character_of_.push_back(c);
    characters_[c].status = std::max(characters_[c].status, status_of(input_.reports[r]));
    for (const Run& run : runs) {
      CellValues& cell = cells_[{c, clips_.of(run.clip), methods_.of(run.method)}];
      cell.report = r;
      for (auto numbers : {parts_of, numbers_of}) add_numbers(run, numbers(run), cell.values);
    }
  }

  // Keeps the worst of a character's meshes.
  void add_numbers(const Run& run, const std::vector<Number>& numbers,
                   std::map<std::size_t, Value>& values) {
    constexpr double kFarthest = 1e300;  // JSON does not have infinity
    for (const Number& number : numbers) {
      const bool is_shown = number.at != nullptr && number.field.worse && number.value;
      if (!is_shown || number.is_of_reference) continue;
      const std::size_t metric = metrics_.of(number.path);
      if (metric == units_.size()) units_.push_back(shown_unit(number.field.unit));
      const double value = std::clamp(*number.value * units_[metric].factor, -kFarthest, kFarthest);
      const auto [known, is_new] = values.try_emplace(metric);
      if (!is_new && value <= known->second.value) continue;
      known->second = {value,
                       static_cast<std::int64_t>(number_in(*number.at, "frame").value_or(-1)),
                       place_in(run, number)};
    }
  }

  // Pairs an older report with every character of the same rig's name.
  void add_older(const NamedReport& older) {
    for (const std::size_t c : rows_of_subject_[subject_of(older)]) {
      for (const Run& run : mesh_runs(older)) {
        const auto found = cells_.find({c, clips_.of(run.clip), methods_.of(run.method)});
        if (found == cells_.end()) continue;
        std::map<std::size_t, Value> values;
        for (auto numbers : {parts_of, numbers_of}) add_numbers(run, numbers(run), values);
        found->second.has_before = true;
        for (const auto& [metric, value] : values) {
          const auto [known, is_new] = found->second.before.try_emplace(metric, value.value);
          if (!is_new) known->second = std::max(known->second, value.value);
        }
      }
    }
  }

  std::string name_of(std::size_t character) const {
    return shortened(characters_[character].subject, kLongestLabel);
  }

  // Of the report's own page, beside the overview or inside it; empty: none.
  std::string address_of(std::size_t report) const {
    if (report < input_.pages.size()) return "#page=" + std::to_string(report);
    return report < input_.links.size() ? input_.links[report] : std::string();
  }

  Cell view_cell(std::size_t report) const {
    const std::string& view = input_.views[report];
    return {view.empty() ? "" : "3D", Cell::Kind::kText, view};
  }

  std::string title_of(std::size_t metric) const {
    const std::string unit(units_[metric].unit);
    return path_words(metrics_.all[metric]) + (unit.empty() ? "" : ", " + unit);
  }

  OverviewInput input_;
  std::vector<LibraryRow> characters_;     // in the order in which the reports first name them
  std::vector<std::size_t> character_of_;  // [report]
  std::map<std::string, std::vector<std::size_t>> rows_of_subject_;  // indices of characters_
  Names clips_, methods_, metrics_;  // of metrics: paths of headlines
  std::vector<ShownUnit> units_;     // [metric]
  std::map<CellKey, CellValues> cells_;
};

Json rounded_json(double value) {
  Json number;
  if (std::isfinite(value)) parse_text(short_number(value, kOverviewDigits), number);
  return number;
}

// The name of a clip; a long one without its end.
std::string clip_label(const std::string& clip) {
  return printable(shortened(clip_words(clip), kLongestLabel));
}

std::string Library::json() const {
  Json data = Json::object();
  for (const char* key : {"characters", "reports", "clips", "methods", "metrics", "cells"}) {
    data[key] = Json::array();
  }
  data["addresses"] = Json::object();
  for (std::size_t c = 0; c < characters_.size(); ++c) {
    data["characters"].push_back({printable(name_of(c)), to_string(characters_[c].status)});
  }
  for (std::size_t r = 0; r < input_.reports.size(); ++r) {
    const std::string view = r < input_.views.size() ? input_.views[r] : "";
    data["reports"].push_back({character_of_[r], address_of(r), view});
  }
  for (std::size_t c = 0; c < clips_.all.size(); ++c) {
    const std::string& clip = clips_.all[c];
    data["clips"].push_back(clip_label(clip));
    const std::string name = printable(shortened(clip_words(clip), kLongestKey));
    if (name != clip_label(clip)) data["addresses"][std::to_string(c)] = name;
  }
  for (const std::string& method : methods_.all) {
    data["methods"].push_back(printable(shortened(method, kLongestLabel)));
  }
  for (std::size_t m = 0; m < units_.size(); ++m) {
    data["metrics"].push_back({path_words(metrics_.all[m]), units_[m].unit});
  }
  for (const auto& [key, cell] : cells_) {
    Json values = Json::array(), frames = Json::array(), places = Json::array(),
         changes = Json::array();
    for (std::size_t m = 0; m < units_.size(); ++m) {
      const auto found = cell.values.find(m);
      const bool has_value = found != cell.values.end();
      values.push_back(has_value ? rounded_json(found->second.value) : Json());
      frames.push_back(has_value ? found->second.frame : -1);
      places.push_back(has_value ? printable(found->second.place) : "");
      const auto before = cell.before.find(m);
      changes.push_back(has_value && before != cell.before.end()
                            ? rounded_json(found->second.value - before->second)
                            : Json());
    }
    Json written{cell.report, std::get<1>(key), std::get<2>(key), values, frames, places};
    if (cell.has_before) written.push_back(changes);
    data["cells"].push_back(std::move(written));
  }
  return without_tags(dumped(data));
}

// The worst places of the library by the first metric, each character once.
PageTable Library::worst() const {
  if (units_.empty()) return {};
  std::vector<std::pair<CellKey, const CellValues*>> worst;  // [character]
  const auto value_of = [](const CellValues& cell) { return cell.values.at(0).value; };
  for (const auto& [key, cell] : cells_) {
    if (!cell.values.contains(0) || !(value_of(cell) > 0)) continue;
    const bool is_known = !worst.empty() && std::get<0>(worst.back().first) == std::get<0>(key);
    if (!is_known) {
      worst.emplace_back(key, &cell);
    } else if (value_of(cell) > value_of(*worst.back().second)) {
      worst.back() = {key, &cell};
    }
  }
  std::stable_sort(worst.begin(), worst.end(), [&](const auto& a, const auto& b) {
    return value_of(*a.second) > value_of(*b.second);
  });
  if (worst.size() > kMostListed) worst.resize(kMostListed);
  PageTable table{"The worst character first: " + path_words(metrics_.all[0]),
                  {"character", title_of(0), "at", "frame", "clip", "method"},
                  {}};
  for (const auto& [key, cell] : worst) {
    const auto [character, clip, method] = key;
    const Value& value = cell->values.at(0);
    table.rows.push_back({cell->report,
                          {{name_of(character)},
                           {read_number(value.value), Cell::Kind::kNumber},
                           {value.place},
                           {std::to_string(value.frame), Cell::Kind::kNumber},
                           {clip_label(clips_.all[clip])},
                           {shortened(methods_.all[method], kLongestLabel)}}});
  }
  return table;
}

// A row for each character: the worst of its clips and methods. What exceeds a limit is first.
PageTable Library::table() const {
  std::vector<std::map<std::size_t, double>> worst(characters_.size());
  for (const auto& [key, cell] : cells_) {
    for (const auto& [metric, value] : cell.values) {
      const auto [known, is_new] = worst[std::get<0>(key)].try_emplace(metric, value.value);
      if (!is_new) known->second = std::max(known->second, value.value);
    }
  }
  PageTable table{"The worst of all clips, meshes and methods", {"character", "verdict"}, {}};
  for (std::size_t m = 0; m < units_.size(); ++m) table.heads.push_back(title_of(m));
  if (!input_.views.empty()) table.heads.push_back("in 3D");
  std::vector<std::size_t> order(characters_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return characters_[a].status > characters_[b].status;
  });
  for (const std::size_t c : order) {
    Row row{characters_[c].first_report,
            {{name_of(c)}, {std::string(to_string(characters_[c].status)), Cell::Kind::kStatus}}};
    for (std::size_t m = 0; m < units_.size(); ++m) {
      const auto found = worst[c].find(m);
      row.cells.push_back(
          {found == worst[c].end() ? "" : read_number(found->second), Cell::Kind::kNumber});
    }
    if (!input_.views.empty()) row.cells.push_back(view_cell(characters_[c].first_report));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string Library::linked(const PageTable& table) const {
  PageTable with_links = table;
  for (Row& row : with_links.rows) row.cells[0].link = address_of(row.report);
  return table_html(with_links, 1, "headline");
}

std::string counts_of(const std::vector<LibraryRow>& characters) {
  std::string text;
  for (const VerdictStatus status :
       {VerdictStatus::kFail, VerdictStatus::kWarn, VerdictStatus::kPass, VerdictStatus::kNone}) {
    const auto count = std::count_if(characters.begin(), characters.end(),
                                     [&](const LibraryRow& one) { return one.status == status; });
    if (count > 0) text += " " + verdict_badge(status) + " " + std::to_string(count);
  }
  return text;
}

// The pages inside the overview, as data, and the element that shows one of them.
std::string pages_inside(std::span<const std::string> pages) {
  if (pages.empty()) return "";
  std::string html = "<div id=\"inside\" hidden><p><a href=\"#\">← all characters</a></p></div>\n";
  for (std::size_t r = 0; r < pages.size(); ++r) {
    html += "<script type=\"application/json\" id=\"page-" + std::to_string(r) + "\">" +
            without_tags(dumped(Json(pages[r]))) + "</script>\n";
  }
  return html;
}

}  // namespace

std::string to_overview(const OverviewInput& input) {
  const Library library(input);
  const std::size_t characters = library.characters().size();
  std::string title = counted(characters, "character", "characters");
  if (characters < input.reports.size()) {
    title += " in " + counted(input.reports.size(), "report", "reports");
  }
  // Pages inside have the policy of this page, and their own.
  std::vector<std::string_view> hashes{overview_script_hash()};
  if (!input.pages.empty()) hashes.push_back(page_script_hash());
  const std::string_view frames = input.pages.empty() ? "" : "; frame-src blob:";
  return page_head(title + ", skinbake overview", hashes, frames) + "<header>\n<h1>" + title +
         "</h1>\n<p>" + counts_of(library.characters()) + "</p>\n" +
         references_html(input.reports) + "</header>\n<main>\n" +
         section_html("Worst characters", library.linked(library.worst())) +
         section_html("All characters", std::string(overview_elements()) + "<div id=\"matrix\">" +
                                            library.linked(library.table()) + "</div>\n") +
         "</main>\n" + pages_inside(input.pages) +
         "<script type=\"application/json\" id=\"overview-data\">" + library.json() +
         "</script>\n<script>" + std::string(overview_script()) + "</script>\n</body>\n</html>\n";
}

}  // namespace skinbake
