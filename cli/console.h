// What the user sees: messages on standard error, results on standard output.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"

namespace skinbake::cli {

enum class Verbosity { kQuiet, kNormal, kVerbose };
enum class When { kAuto, kAlways, kNever };

// Applies to every message from now on. Colour: a terminal, unless NO_COLOR is set.
void configure_console(Verbosity verbosity, When color);

// A name from a file or the command line, fit for a terminal: control characters become '?', so
// that it stays on its line and gives no orders.
std::string one_line(std::string_view text);

void log_error(std::string_view message);
void log_warning(std::string_view message);
void log_info(std::string_view message);  // only with --verbose

// A line for the first places of each code, and one that counts the others: errors and warnings
// always, infos with --verbose; none when quiet. `files`: those that may be meant, as they were
// typed; issues, as reports do, have only the last part of an absolute path.
void log_issues(const Issues& issues, const std::vector<std::string>& files);

// Writes to standard output. Throws Error (kOutput) if that fails.
void print(std::string_view text);

}  // namespace skinbake::cli
