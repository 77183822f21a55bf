// Markdown for a pull request, of at most kMostMarkdown bytes: for each report the verdict, a few
// lines, and collapsed tables; what fails first, and the worst first. Names are shown as code, so
// that they are never links, mentions or markup.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "report/pages/pages.h"
#include "report/pages/tables.h"
#include "report/pages/words.h"
#include "report/report_text.h"

namespace skinbake {

namespace {

constexpr std::size_t kLongestText = 100, kMostVerdicts = 30, kMostWorst = 12, kMostLines = 100;
constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,:()-_";

std::string code(std::string_view text) {
  return markdown_code(shortened(text, kLongestText));
}

std::string words(std::string_view text) {
  return markdown_words(shortened(text, kLongestText));
}

std::string_view sign_of(VerdictStatus status) {
  switch (status) {
    case VerdictStatus::kFail:
      return "❌";
    case VerdictStatus::kWarn:
      return "⚠️";
    case VerdictStatus::kPass:
      return "✅";
    case VerdictStatus::kNone:
      break;
  }
  return "";
}

std::string title(const NamedReport& report) {
  const VerdictStatus status = status_of(report);
  const std::string sign(sign_of(status));
  return "### skinbake " + words(text_in(report.document, "command")) + " " + code(report.name) +
         ": " +
         (sign.empty() ? "no limits were given" : sign + " " + std::string(to_string(status))) +
         "\n";
}

std::string verdict_line(const Verdict& verdict) {
  std::string line = "- " + std::string(sign_of(verdict.status)) + " " + code(verdict.name) + ": " +
                     code(verdict.value);
  for (const std::string& part : {verdict.place, verdict.note}) {
    if (!part.empty()) line += ", " + code(part);
  }
  return line + "\n";
}

// The lines of the verdicts, the worst first.
std::string verdict_lines(const NamedReport& report) {
  std::vector<Verdict> verdicts = verdicts_of(report);
  std::stable_sort(verdicts.begin(), verdicts.end(),
                   [](const Verdict& a, const Verdict& b) { return a.status > b.status; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostVerdicts, verdicts.size()); ++i) {
    text += verdict_line(verdicts[i]);
  }
  if (verdicts.size() <= kMostVerdicts) return text;
  return text + "- " + counted(verdicts.size() - kMostVerdicts, "more verdict", "more verdicts") +
         "\n";
}

// "- error: max: **0.25 m**, frame 30, vertex 673 (`tube`, `twist`, `dqs`)" for each headline.
std::string worst_lines(std::span<const Run> runs) {
  std::vector<std::string> order;
  std::map<std::string, std::pair<const Run*, Number>> worst;  // by path
  for (const Run& run : runs) {
    std::vector<Number> all = headlines_of(run);
    std::vector<std::string> paths;
    for (const Number& number : all) paths.push_back(number.path);
    for (Number& number : all) {
      if (!is_bad(number)) continue;
      place_among(order, number.path, paths);
      const auto [known, is_new] = worst.try_emplace(number.path, &run, number);
      if (!is_new && badness(number) > badness(known->second.second)) {
        known->second = {&run, std::move(number)};
      }
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kMostWorst); ++i) {
    const auto& [run, number] = worst.at(order[i]);
    text += "- " + words(path_words(number.path)) + ": **" +
            words(read_with_unit(number.value, number.field.unit)) + "**" +
            (number.part.empty() ? "" : " at " + code(number.part)) + ", " +
            code(place_words(*number.at)) + " (" + code(run->mesh_id) + ", " +
            (run->clip.empty() ? "" : code(run->clip) + ", ") + code(run->method) + ")\n";
  }
  return text;
}

std::string issue_line(const Json& document) {
  std::map<std::string, std::size_t> counts;  // by severity
  const Json::array_t& allowed_codes = elements_in(document, "allowed");
  const std::set<Json> allowed(allowed_codes.begin(), allowed_codes.end());
  for (const Json& issue : elements_in(document, "issues")) {
    if (!allowed.contains(member(issue, "code"))) ++counts[text_in(issue, "severity")];
  }
  const std::size_t errors = counts["error"], warnings = counts["warning"];
  std::string text;
  if (errors + warnings > 0) {
    text = "- findings: " + counted(errors, "error", "errors") + ", " +
           counted(warnings, "warning", "warnings") + "\n";
  }
  for (const Json& known : allowed_codes) {
    if (known.is_string()) text += "- allowed: " + code(known.get<std::string>()) + "\n";
  }
  return text;
}

std::string head(const NamedReport& report) {
  return title(report) + "\n" + verdict_lines(report) + worst_lines(runs_in({&report, 1})) +
         issue_line(report.document);
}

// ---- Collapsed tables

std::string cell_text(const Cell& cell) {
  if (cell.text.empty()) return "";
  if (cell.kind == Cell::Kind::kNumber || cell.kind == Cell::Kind::kStatus) {
    return words(cell.text);
  }
  std::string text =
      markdown_code(shortened(cell.text.substr(0, cell.text.find('\n')), kLongestShown));
  return cell.text.find('\n') == std::string::npos ? text : text + " …";
}

// A title; names from a report, which may be mentions or addresses, are code.
std::string caption_of(const PageTable& table) {
  const std::string text = escaped(shortened(table.caption, kLongestText));
  const bool is_plain = text.find_first_not_of(kPlain) == std::string::npos;
  return is_plain ? text : "<code>" + text + "</code>";
}

// The first rows of a table, as many as fit into `room` bytes; empty: no row fits.
std::string collapsed(const PageTable& table, std::size_t room) {
  constexpr std::size_t kEnd = 80;  // "12 more are only in the JSON report."
  std::string text = "\n<details>\n<summary>" + caption_of(table) + "</summary>\n\n|", rule = "|";
  for (std::size_t c = 0; c < table.heads.size(); ++c) {
    const bool has_numbers = std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
      return row.cells[c].kind == Cell::Kind::kNumber;
    });
    text += " " + words(table.heads[c]) + " |";
    rule += has_numbers ? "--:|" : "---|";
  }
  text += "\n" + rule + "\n";
  std::size_t shown = 0;
  for (; shown < std::min(table.rows.size(), kMostLines); ++shown) {
    std::string line = "|";
    for (const Cell& cell : table.rows[shown].cells) line += " " + cell_text(cell) + " |";
    if (text.size() + line.size() + kEnd > room) break;
    text += line + "\n";
  }
  if (shown == 0) return "";
  if (shown < table.rows.size()) {
    text +=
        "\n" + std::to_string(table.rows.size() - shown) + " more are only in the JSON report.\n";
  }
  return text + "\n</details>\n";
}

// The tables of the report that fit into the room.
std::string tables_of(const NamedReport& report, std::size_t room) {
  const std::span<const NamedReport> alone(&report, 1);
  const std::vector<Pair> pairs = worst_pairs(runs_in(alone));
  const OtherMembers others = other_members(alone);
  std::vector<PageTable> tables;
  const auto add = [&](const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      for (PageTable& table : member_tables(alone, key)) {
        table.caption = key_words(key) + (table.caption.empty() ? "" : ": " + table.caption);
        tables.push_back(std::move(table));
      }
    }
  };
  add(others.objects);
  tables.push_back(headlines_table(alone, pairs));
  for (PageTable& table : section_tables(pairs)) tables.push_back(std::move(table));
  add(others.arrays);
  std::string text;
  for (const PageTable& table : tables) {
    if (!table.rows.empty()) text += collapsed(table, room - text.size());
  }
  return text;
}

std::vector<const NamedReport*> failing_first(std::span<const NamedReport> reports) {
  std::vector<std::pair<VerdictStatus, const NamedReport*>> all;
  for (const NamedReport& report : reports) all.emplace_back(status_of(report), &report);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const NamedReport*> sorted;
  for (const auto& [ignored, report] : all) sorted.push_back(report);
  return sorted;
}

}  // namespace

std::string to_markdown(std::span<const NamedReport> reports) {
  constexpr std::size_t kRest = 100;  // "12 more reports, of which 3 fail, …"
  std::vector<std::string> heads;
  std::size_t used = kRest;
  const std::vector<const NamedReport*> all = failing_first(reports);
  for (const NamedReport* report : all) {
    std::string text = head(*report);
    if (used + text.size() > kMostMarkdown) text = title(*report);  // of a report with long names
    if (used + text.size() + 1 > kMostMarkdown) break;
    used += text.size() + 1;
    heads.push_back(std::move(text));
  }
  std::string text;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::string tables = tables_of(*all[i], (kMostMarkdown - used) / (heads.size() - i));
    used += tables.size();
    text += (text.empty() ? "" : "\n") + heads[i] + tables;
  }
  if (heads.size() == all.size()) return text;
  const auto failing = std::count_if(
      all.begin() + static_cast<std::ptrdiff_t>(heads.size()), all.end(),
      [](const NamedReport* report) { return status_of(*report) == VerdictStatus::kFail; });
  return text + "\n" + std::to_string(all.size() - heads.size()) + " more reports, of which " +
         std::to_string(failing) + " fail, are left out.\n";
}

}  // namespace skinbake
