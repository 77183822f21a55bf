// A table of the HTML page, and its cells.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

std::string cell(const std::string& html);
std::string number_cell(const std::string& text);
std::string name_cell(std::string_view name);  // escaped, whatever it is

// With a first column for the report's letter if there are several reports.
class Table {
 public:
  // `caption`, `heads`: HTML.
  Table(std::size_t reports, std::string_view caption, const std::vector<std::string>& heads);

  void row(std::size_t report, const std::string& cells);
  std::string take() const;  // empty without rows

 private:
  std::size_t reports_;
  std::string html_;
  bool is_empty_ = true;
};

// The word that stands for a report beside its runs: "A", "B", …, "Z", "27"; empty for the only
// one.
std::string letter_of(std::size_t report, std::size_t count);

// <span class="verdict fail">fail</span>
std::string verdict_badge(std::string_view verdict);

}  // namespace skinbake
