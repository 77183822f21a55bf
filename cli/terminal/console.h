// Messages on standard error and results on standard output. The messages of a task of a batch go
// to its TaskContext instead, and its results are not printed.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"

namespace skinbake::cli {

enum class Verbosity { kQuiet, kNormal, kVerbose };
enum class When { kAuto, kAlways, kNever };

// Applies to every later message. kAuto: coloured on a terminal, unless NO_COLOR is set.
void configure_console(Verbosity verbosity, When color);

// "MESSAGE [CODE]", and " (option --max-memory)" if an option helps with the code.
std::string with_code(std::string_view message, std::string_view code);

inline constexpr int kBug = 70;  // the exit code EX_SOFTWARE of sysexits.h

// The exit code of an error. The numbers are documented in cli/README.md.
int exit_code_of(ErrorKind kind);

void log_error(std::string_view message);
void log_warning(std::string_view message);
void log_info(std::string_view message);  // only with --verbose

// Prints a line for each code, with the first places and the number of the others; with --verbose a
// line for each issue. Verbosity applies. `files`: the files of the run as on the command line; an
// issue has only the last part of an absolute path.
void log_issues(const Issues& issues, const std::vector<std::string>& files);

// Warnings of these codes are neither printed nor errors of --strict: the user knows them. Applies
// to the run, or to the task of this thread.
void allow_warnings(const std::vector<std::string>& codes);
bool is_allowed(const Issue& issue);
// The codes of the issues that are allowed, for the report: each once, in order.
std::vector<std::string> allowed_codes(const Issues& issues);

// Writes to standard output. After a failure nothing more is written: the outputs of a run do not
// depend on the program that reads the text.
void print(std::string_view text);

// Prints a summary to standard output, or to standard error if the report goes to standard
// output.
void print_result(const std::string& text, bool to_stderr);

// Throws Error (kOutput) if a print failed. A reader that has closed the pipe, such as `head`, has
// what it needs: that is no failure. Call last.
void require_printed();

}  // namespace skinbake::cli
