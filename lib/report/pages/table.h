// Tables of the HTML page and their cells. Every function returns HTML.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/read/parsed_report.h"

namespace skinbake {

std::string cell(const std::string& html);
std::string number_cell(const std::string& text);   // aligned to the right
std::string heading_cell(const std::string& html);  // names its row
std::string name_cell(std::string_view name);
std::string code_cell(std::string_view text);
std::string yes_or_no(bool is);
std::string badge_cell(bool passed);
std::string status_cell(VerdictStatus status);

// A name whose direction of writing does not change the text around it. The end of a very long one
// is left out.
std::string isolated(std::string_view name);

// "frame 3, vertex 2", whose numbers stay on the lines of their words; empty without a place.
std::string place_html(const std::optional<ParsedPlace>& place);

// "elbow, frame 3, vertex 2".
std::string joint_cell(const std::string& joint, const std::string& place);

// <span class="verdict fail">fail</span>
std::string verdict_badge(VerdictStatus status);

// A table with a first column for the report's letter if there are several reports.
class Table {
 public:
  // `caption`, `heads`: HTML. `kind`: a class of page.css, or empty.
  Table(std::size_t reports, std::string_view caption, const std::vector<std::string>& heads,
        std::string_view kind = "");

  void row(std::size_t report, const std::string& cells);

  // The HTML of the table; empty if it does not have rows.
  std::string take() const;
  // In addition, rows after the first 24 are in a fold.
  std::string folded() const;

 private:
  std::string part(std::size_t first, std::size_t last) const;

  std::size_t reports_;
  std::string head_;
  std::vector<std::string> rows_;
};

}  // namespace skinbake
