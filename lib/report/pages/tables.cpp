#include "report/pages/tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "report/pages/words.h"
#include "report/report_text.h"
#include "skinbake/metrics.h"

namespace skinbake {

namespace {

using CellKind = Cell::Kind;

Cell number_cell(const Number& number) {
  if (number.is_of_reference) return {"reference", CellKind::kNumber};
  const bool is_measured = number.value || number.at != nullptr;
  return {is_measured ? read_with_unit(number.value, number.field.unit) : "", CellKind::kNumber};
}

// Removes the columns without text.
void drop_empty_columns(PageTable& table) {
  for (std::size_t c = table.heads.size(); c-- > 0;) {
    const bool is_empty = std::all_of(table.rows.begin(), table.rows.end(),
                                      [&](const Row& row) { return row.cells[c].text.empty(); });
    if (!is_empty) continue;
    table.heads.erase(table.heads.begin() + static_cast<std::ptrdiff_t>(c));
    for (Row& row : table.rows) row.cells.erase(row.cells.begin() + static_cast<std::ptrdiff_t>(c));
  }
}

std::string mesh_words(const Run& run) {
  return (run.is_body ? "body " : "") + run.mesh_id;
}

std::vector<Cell> name_cells(const Run& run) {
  return {{mesh_words(run)}, {std::string(clip_words(run.clip))}, {run.method}};
}

}  // namespace

PageTable limits_table(std::span<const NamedReport> reports) {
  PageTable table{
      "Limits, and the worst value against each", {"verdict", "limit", "value", "where", ""}, {}};
  std::vector<std::pair<VerdictStatus, Row>> rows;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const Verdict& verdict : verdicts_of(reports[r])) {
      rows.push_back({verdict.status,
                      {r,
                       {{std::string(to_string(verdict.status)), CellKind::kStatus},
                        {verdict.name, CellKind::kCode},
                        {verdict.value, CellKind::kNumber},
                        {verdict.place},
                        {verdict.note}}}});
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [ignored, row] : rows) table.rows.push_back(std::move(row));
  drop_empty_columns(table);
  return table;
}

namespace {

// A table with a row for each run and two columns for each path of numbers: its value and place.
class NumbersTable {
 public:
  void add(Row row, const std::vector<Number>& numbers) {
    std::vector<std::string> paths;
    for (const Number& number : numbers) paths.push_back(number.path);
    for (const std::string& path : paths) place_among(paths_, path, paths);
    rows_.emplace_back(std::move(row), numbers);
  }

  // `head`: the name of a path.
  PageTable take(std::string caption, std::vector<std::string> heads,
                 std::string (*head)(std::string_view)) && {
    PageTable table{std::move(caption), std::move(heads), {}};
    const std::size_t first = table.heads.size();
    for (const std::string& path : paths_) {
      table.heads.insert(table.heads.end(), {head(path), "at"});
    }
    for (auto& [row, numbers] : rows_) {
      row.cells.resize(table.heads.size());
      for (const Number& number : numbers) {
        const auto found = std::find(paths_.begin(), paths_.end(), number.path);
        if (found == paths_.end()) continue;
        Cell* cells = &row.cells[first + 2 * static_cast<std::size_t>(found - paths_.begin())];
        cells[0] = number_cell(number);
        if (!is_bad(number)) continue;
        cells[1].text = (number.part.empty() ? "" : number.part + ", ") + place_words(*number.at);
      }
      table.rows.push_back(std::move(row));
    }
    drop_empty_columns(table);
    return table;
  }

 private:
  std::vector<std::string> paths_;
  std::vector<std::pair<Row, std::vector<Number>>> rows_;
};

// What the metric measures; empty: the section is none of a metric.
std::string measured_by(const std::string& section) {
  for (const MetricInfo& metric : metrics()) {
    if (metric.id == section) return ": " + std::string(metric.description);
  }
  return "";
}

std::string words_in_section(std::string_view path) {
  return key_words(path.substr(path.find('.') + 1));
}

}  // namespace

PageTable headlines_table(std::span<const NamedReport> reports, std::span<const Pair> pairs) {
  NumbersTable table;
  for (const Pair& pair : pairs) {
    for (const Run& run : pair.runs) {
      const NamedReport& report = reports[run.report];
      const VerdictStatus status = run.is_body ? VerdictStatus::kNone : status_of(report, run);
      Row row{run.report, name_cells(run)};
      row.cells.insert(row.cells.begin(),
                       {status == VerdictStatus::kNone ? "" : std::string(to_string(status)),
                        CellKind::kStatus});
      const bool differs = number_in(member(*run.json, "difference"), "vertices").value_or(0) > 0;
      row.cells.push_back({differs ? cause_words(report.document, run) : ""});
      table.add(std::move(row), headlines_of(run));
    }
  }
  return std::move(table).take("Every method, the worst mesh and clip first",
                               {"verdict", "mesh", "clip", "method", "cause"}, path_words);
}

std::vector<PageTable> section_tables(std::span<const Pair> pairs) {
  std::vector<std::string> sections;
  std::map<std::string, NumbersTable> tables;
  for (const Pair& pair : pairs) {
    for (const Run& run : pair.runs) {
      std::vector<std::string> own;
      std::map<std::string, std::vector<Number>> numbers;
      for (Number& number : numbers_of(run)) {
        const std::string section = number.path.substr(0, number.path.find('.'));
        if (own.empty() || own.back() != section) own.push_back(section);
        numbers[section].push_back(std::move(number));
      }
      for (const std::string& section : own) {
        place_among(sections, section, own);
        tables[section].add({run.report, name_cells(run)}, numbers[section]);
      }
    }
  }
  std::vector<PageTable> taken;
  for (const std::string& section : sections) {
    taken.push_back(std::move(tables[section])
                        .take(key_words(section) + measured_by(section), {"mesh", "clip", "method"},
                              words_in_section));
  }
  return taken;
}

// ---- Other members

namespace {

constexpr std::size_t kMostColumns = 64;

// Adds a row of an object, and the columns that it is the first to have.
void add_object(const Json& object, std::size_t report, PageTable& table,
                std::vector<std::string>& keys) {
  Row row{report, std::vector<Cell>(keys.size())};
  const std::string unit = text_in(object, "unit");
  for (const auto& [key, value] : object.items()) {
    if (key == "unit") continue;
    const auto known = std::find(keys.begin(), keys.end(), key);
    const auto column = static_cast<std::size_t>(known - keys.begin());
    if (known == keys.end()) {
      if (keys.size() == kMostColumns) continue;
      keys.push_back(key);
      table.heads.push_back(key_words(key));
      row.cells.emplace_back();
    }
    const bool is_code = key == "pointer" || key == "code" || key == "xxh128";
    const bool is_of_unit =
        key == "limit" || key == "value" || key == "before" || key == "after" || key == "change";
    row.cells[column] = {value_words(value, is_of_unit ? unit : unit_of_key(key)),
                         value.is_number() ? CellKind::kNumber
                         : is_code         ? CellKind::kCode
                                           : CellKind::kText};
  }
  table.rows.push_back(std::move(row));
}

struct ObjectsTable {
  PageTable table;
  std::vector<std::string> keys;

  void add(const Json& array, std::size_t report) {
    for (const Json& object : array) {
      if (object.is_object()) {
        add_object(object, report, table, keys);
      } else {
        add_row(object.is_array() ? object : Json::array({object}), report);
      }
    }
  }

 private:
  // Of a table that the report has as rows of texts, or of texts alone.
  void add_row(const Json& array, std::size_t report) {
    Row row{report, {}};
    for (const Json& value : array) row.cells.push_back({value_words(value)});
    if (row.cells.size() > table.heads.size()) table.heads.resize(row.cells.size());
    table.rows.push_back(std::move(row));
  }
};

bool has_rows(const Json& value) {
  return value.is_array() && !value.empty() && (value[0].is_structured() || value[0].is_string());
}

}  // namespace

std::vector<PageTable> member_tables(std::span<const NamedReport> reports, const std::string& key) {
  std::vector<ObjectsTable> all;
  std::vector<std::string> captions;
  const auto table_of = [&](const std::string& caption) -> ObjectsTable& {
    const auto known = std::find(captions.begin(), captions.end(), caption);
    if (known != captions.end()) return all[static_cast<std::size_t>(known - captions.begin())];
    captions.push_back(caption);
    return all.emplace_back(ObjectsTable{{caption, {}, {}}, {}});
  };
  for (std::size_t r = 0; r < reports.size(); ++r) {
    const Json& value = member(reports[r].document, key);
    if (has_rows(value)) table_of("").add(value, r);
    if (!value.is_object()) continue;
    Json single = Json::object();  // the values that are no tables
    for (const auto& [name, inner] : value.items()) {
      if (!has_rows(inner) && !inner.empty()) single[name] = inner;
    }
    if (!single.empty()) table_of("").add(Json::array({single}), r);
    for (const auto& [name, inner] : value.items()) {
      if (has_rows(inner)) table_of(key_words(name)).add(inner, r);
    }
  }
  std::vector<PageTable> tables;
  for (ObjectsTable& one : all) {
    for (Row& row : one.table.rows) row.cells.resize(one.table.heads.size());
    drop_empty_columns(one.table);
    tables.push_back(std::move(one.table));
  }
  return tables;
}

OtherMembers other_members(std::span<const NamedReport> reports) {
  constexpr std::array<std::string_view, 7> kShownElsewhere{
      "tool", "settings", "clips", "verdict", "bodies", "meshes", "inputs"};
  OtherMembers others;
  std::set<std::string> known;
  for (const NamedReport& report : reports) {
    for (const auto& [key, value] : report.document.items()) {
      const bool is_elsewhere =
          std::find(kShownElsewhere.begin(), kShownElsewhere.end(), key) != kShownElsewhere.end();
      if (is_elsewhere || !known.insert(key).second) continue;
      if (value.is_object()) others.objects.push_back(key);
      if (has_rows(value)) others.arrays.push_back(key);
    }
  }
  others.arrays.push_back("inputs");
  return others;
}

}  // namespace skinbake
