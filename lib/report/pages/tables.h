// Tables of pages, for any medium. Their names are not escaped.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/pages/runs.h"
#include "report/pages/verdicts.h"

namespace skinbake {

struct Cell {
  std::string text;  // a line break separates entries
  enum class Kind { kText, kNumber, kCode, kStatus } kind = Kind::kText;
  std::string link = {};  // the address of a text; empty: none
};

struct Row {
  std::size_t report = 0;
  std::vector<Cell> cells;
};

struct PageTable {
  std::string caption;
  std::vector<std::string> heads;
  std::vector<Row> rows;
};

// Limits and the worst value against each; failed limits are first.
PageTable limits_table(std::span<const NamedReport> reports);

// A row for each run: the headlines of all sections, and where they are. A headline that no run
// has, and a column without text, is absent.
PageTable headlines_table(std::span<const NamedReport> reports, std::span<const Pair> pairs);

// A table for each section: all its numbers, a row for each run.
std::vector<PageTable> section_tables(std::span<const Pair> pairs);

// The tables of one member of the reports' documents: of an array of objects, and of the arrays and
// single values in an object.
std::vector<PageTable> member_tables(std::span<const NamedReport> reports, const std::string& key);

// The members that member_tables() shows, in the order of the documents: objects, then arrays.
struct OtherMembers {
  std::vector<std::string> objects, arrays;
};
OtherMembers other_members(std::span<const NamedReport> reports);

}  // namespace skinbake
