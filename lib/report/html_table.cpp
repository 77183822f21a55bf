#include "report/html_table.h"

#include "report/escape.h"

namespace skinbake {

std::string cell(const std::string& html) {
  return "<td>" + html + "</td>";
}

std::string number_cell(const std::string& text) {
  return "<td class=\"number\">" + text + "</td>";
}

std::string name_cell(std::string_view name) {
  return "<td><bdi>" + escaped(name) + "</bdi></td>";
}

Table::Table(std::size_t reports, std::string_view caption, const std::vector<std::string>& heads)
    : reports_(reports) {
  html_ = "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"" +
          std::string(caption) + "\"><table>\n<caption>" + std::string(caption) +
          "</caption>\n<thead><tr>";
  if (reports > 1) html_ += "<th scope=\"col\">report</th>";
  for (const std::string& head : heads) html_ += "<th scope=\"col\">" + head + "</th>";
  html_ += "</tr></thead>\n<tbody>\n";
}

void Table::row(std::size_t report, const std::string& cells) {
  is_empty_ = false;
  html_ += "<tr>" + (reports_ > 1 ? cell(letter_of(report, reports_)) : "") + cells + "</tr>\n";
}

std::string Table::take() const {
  return is_empty_ ? "" : html_ + "</tbody></table></div>\n";
}

std::string letter_of(std::size_t report, std::size_t count) {
  constexpr std::size_t kLetters = 26;
  if (count < 2) return "";
  if (report < kLetters) return std::string(1, static_cast<char>('A' + report));
  return std::to_string(report + 1);
}

std::string verdict_badge(std::string_view verdict) {
  const std::string word(verdict);
  return "<span class=\"verdict " + word + "\">" + (word == "none" ? "no limits" : word) +
         "</span>";
}

}  // namespace skinbake
