// The table of codes: errors, which end a run, and issues, which do not. A code never changes its
// meaning. scripts/make_issues.py makes ISSUES.md from the table, and reports codes that are used
// and not listed.

#pragma once

#include <span>
#include <string_view>

namespace skinbake {

// An error is of one of the first four kinds, which ErrorKind has in the same order.
enum class CodeKind { kUsage, kInput, kOutput, kNotComparable, kWarning, kInfo };

struct CodeInfo {
  std::string_view code;
  CodeKind kind;
  std::string_view meaning;
  // Fits every cause; names settings of the library, not options. Empty: the messages contain it.
  std::string_view remedy;
  std::string_view help;  // of the command line: "option --clip"; empty: none
};

// In alphabetical order.
std::span<const CodeInfo> code_table();

// The row of a code; null: none.
const CodeInfo* find_code(std::string_view code);
// The same for a code of the program. Throws std::logic_error if there is none.
const CodeInfo& code_info(std::string_view code);

}  // namespace skinbake
