#include "report/pages/table.h"

#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/pairs.h"

namespace skinbake {

std::string cell(const std::string& html) {
  return "<td>" + html + "</td>";
}

std::string number_cell(const std::string& text) {
  return "<td class=\"number\">" + text + "</td>";
}

std::string heading_cell(const std::string& html) {
  return "<th scope=\"row\">" + html + "</th>";
}

std::string name_cell(std::string_view name) {
  return cell(isolated(name));
}

std::string isolated(std::string_view name) {
  const std::string shown = shortened(name, kLongestShown), more = shortened(name, kLongestKey);
  const std::string title = shown == more ? "" : " title=\"" + escaped(more) + "\"";
  return "<bdi" + title + ">" + escaped(shown) + "</bdi>";
}

std::string code_cell(std::string_view text) {
  return cell("<code>" + escaped(shortened(text, kLongestShown)) + "</code>");
}

std::string yes_or_no(bool is) {
  return cell(is ? "yes" : "no");
}

std::string badge_cell(bool passed) {
  return cell(verdict_badge(passed ? VerdictStatus::kPass : VerdictStatus::kFail));
}

std::string status_cell(VerdictStatus status) {
  return cell(verdict_badge(status));
}

std::string place_html(const std::optional<ParsedPlace>& place) {
  constexpr std::string_view kNoBreak = "\u00A0";
  std::string html = place_text(place, isolated);
  for (std::size_t at = html.find(' '); at != std::string::npos; at = html.find(' ', at + 1)) {
    const bool is_before_number =
        at + 1 < html.size() && html[at + 1] >= '0' && html[at + 1] <= '9';
    if (is_before_number) html.replace(at, 1, kNoBreak);
  }
  return html;
}

std::string joint_cell(const std::string& joint, const std::string& place) {
  const std::string name = joint.empty() ? "" : isolated(joint);
  return cell(name + (name.empty() || place.empty() ? "" : ", ") + place);
}

std::string verdict_badge(VerdictStatus status) {
  const std::string word(to_string(status));
  return "<span class=\"verdict " + word + "\">" +
         (status == VerdictStatus::kNone ? "no limits" : word) + "</span>";
}

Table::Table(std::size_t reports, std::string_view caption, const std::vector<std::string>& heads,
             std::string_view kind)
    : reports_(reports) {
  head_ = "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"" +
          std::string(caption) + "\"><table" +
          (kind.empty() ? "" : " class=\"" + std::string(kind) + "\"") + ">\n<caption>" +
          std::string(caption) + "</caption>\n<thead><tr>";
  if (reports > 1) head_ += "<th scope=\"col\">report</th>";
  for (const std::string& head : heads) head_ += "<th scope=\"col\">" + head + "</th>";
  head_ += "</tr></thead>\n<tbody>\n";
}

void Table::row(std::size_t report, const std::string& cells) {
  rows_.push_back("<tr>" + (reports_ > 1 ? cell(letter_of(report, reports_)) : "") + cells +
                  "</tr>\n");
}

std::string Table::part(std::size_t first, std::size_t last) const {
  std::string html = head_;
  for (std::size_t r = first; r < last; ++r) html += rows_[r];
  return html + "</tbody></table></div>\n";
}

std::string Table::take() const {
  return rows_.empty() ? "" : part(0, rows_.size());
}

std::string Table::folded() const {
  constexpr std::size_t kMostRows = 24;
  if (rows_.size() <= kMostRows) return take();
  return part(0, kMostRows) + "<details>\n<summary>" +
         counted(rows_.size() - kMostRows, "more row", "more rows") + "</summary>\n" +
         part(kMostRows, rows_.size()) + "</details>\n";
}

}  // namespace skinbake
