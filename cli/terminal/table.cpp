// Tables and lists of names.

#include <algorithm>
#include <cmath>

#include "json/text.h"
#include "terminal/format.h"
#include "terminal/table.h"

namespace skinbake::cli {

namespace {

// Number of characters of a UTF-8 text, which approximates its width on a terminal.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::string_view alignment) {
  std::vector<std::size_t> widths(alignment.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - width_of(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (alignment[c] == 'l' ? row[c] + padding : padding + row[c]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string percent_text(double part) {
  const double percent = part * 100;
  return fmt::format("{:.2f} %", std::abs(percent) < 0.005 ? 0.0 : percent);
}

std::string name_list(std::span<const std::string> names) {
  constexpr std::size_t kNamed = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i) {
    text += (i == 0 ? "'" : ", '") + printable(names[i]) + "'";
  }
  return names.size() > kNamed ? text + fmt::format(" and {} more", names.size() - kNamed) : text;
}

}  // namespace skinbake::cli
