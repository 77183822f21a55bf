#include "terminal/console.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "base/codes.h"
#include "base/paths.h"
#include "inspect/inspect.h"
#include "json/text.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

spdlog::logger& logger() {
  static const auto the_logger = [] {
    auto made = spdlog::stderr_color_mt("skinbake");
    made->set_pattern("skinbake: %^%l%$: %v");
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *the_logger;
}

spdlog::color_mode color_mode(When color) {
  const char* no_color = std::getenv("NO_COLOR");
  if (color == When::kAlways) return spdlog::color_mode::always;
  if (color == When::kNever || (no_color != nullptr && *no_color != '\0')) {
    return spdlog::color_mode::never;
  }
  return spdlog::color_mode::automatic;
}

// The text without an incomplete UTF-8 character at its end.
std::string whole_characters(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && (static_cast<unsigned char>(text[end - 1]) & 0xC0) == 0x80) --end;
  if (end > 0 && static_cast<unsigned char>(text[end - 1]) >= 0xC0) --end;
  return std::string(text.substr(0, end));
}

// Shortens long words and lines: text from the command line or a file may have any length. The
// beginning and the end of a word identify it.
std::string shortened(std::string_view text) {
  constexpr std::size_t kLongestWord = 500, kHead = 300, kTail = 100;
  constexpr std::size_t kLongestLine = 4000;
  std::string line;
  while (!text.empty() && line.size() < kLongestLine) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (word.size() > kLongestWord) {
      line += whole_characters(word.substr(0, kHead)) + "…" +
              std::string(word.substr(word.size() - kTail));
    } else {
      line += word;
    }
    if (end < text.size()) line += ' ';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return text.empty() ? line : line + "…";
}

}  // namespace

void configure_console(Verbosity verbosity, When color) {
  if (task_context() != nullptr) return;  // the batch has configured it
  using spdlog::level::level_enum;
  logger().set_level(verbosity == Verbosity::kQuiet     ? level_enum::err
                     : verbosity == Verbosity::kVerbose ? level_enum::info
                                                        : level_enum::warn);
  auto* sink = dynamic_cast<spdlog::sinks::stderr_color_sink_mt*>(logger().sinks().front().get());
  if (sink != nullptr) sink->set_color_mode(color_mode(color));
}

// "{}": the message must not be interpreted as a format string.
std::string with_code(std::string_view message, std::string_view code) {
  std::string line = std::string(message) + " [" + std::string(code) + "]";
  const CodeInfo* const info = find_code(code);
  if (info == nullptr || info->help.empty()) return line;
  return line + " (" + std::string(info->help) + ")";
}

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return 2;
    case ErrorKind::kInput:
      return 3;
    case ErrorKind::kOutput:
      return 4;
    case ErrorKind::kNotComparable:
      return 5;
  }
  return kBug;
}

void log_error(std::string_view message) {
  if (TaskContext* const task = task_context()) {
    task->errors.push_back(shortened(printable(message)));
    return;
  }
  logger().error("{}", shortened(printable(message)));
}
void log_warning(std::string_view message) {
  if (TaskContext* const task = task_context()) {
    task->warnings.push_back(shortened(printable(message)));
    return;
  }
  logger().warn("{}", shortened(printable(message)));
}
void log_info(std::string_view message) {
  if (task_context() != nullptr) return;
  logger().info("{}", shortened(printable(message)));
}

namespace {

void log_issue(Severity severity, const std::string& line) {
  switch (severity) {
    case Severity::kError:
      return log_error(line);
    case Severity::kWarning:
      return log_warning(line);
    case Severity::kInfo:
      return log_info(line);
  }
}

// The path on the command line of a file that reports name `file`. If several paths match, `file`.
std::string as_typed(const std::string& file, const std::vector<std::string>& files) {
  std::string match;
  for (const std::string& each : files) {
    if (shown(each) != file || each == match) continue;
    if (!match.empty()) return file;
    match = each;
  }
  return match.empty() ? file : match;
}

}  // namespace

namespace {

// Places of a code that one line names.
std::string place_of(const Issue& issue, const std::vector<std::string>& files) {
  const std::string file = as_typed(issue.file, files);
  return file + (file.empty() || issue.pointer.empty() ? "" : " ") + issue.pointer;
}

std::string issue_line(const Issue& issue, const std::vector<std::string>& files) {
  const std::string place = place_of(issue, files);
  return with_code(place + (place.empty() ? "" : ": ") + issue.message, issue.code);
}

// "; also at rig.glb /nodes/5, rig.glb /nodes/7 and 172 more places (--verbose lists them)"
std::string other_places(const IssueGroup& group, const std::vector<std::string>& files) {
  std::string text;
  const std::size_t count = group.issues.size();
  for (std::size_t i = 1; i < std::min(count, kPlacesShown); ++i) {
    text += (i == 1 ? "; also at " : ", ") + place_of(*group.issues[i], files);
  }
  if (count <= kPlacesShown) return text;
  return text + " and " + std::to_string(count - kPlacesShown) +
         " more places (--verbose lists them)";
}

std::set<std::string>& allowed_of_run() {
  static std::set<std::string> codes;
  TaskContext* const task = task_context();
  return task == nullptr ? codes : task->allowed;
}

}  // namespace

void allow_warnings(const std::vector<std::string>& codes) {
  allowed_of_run().insert(codes.begin(), codes.end());
}

bool is_allowed(const Issue& issue) {
  return issue.severity == Severity::kWarning && allowed_of_run().contains(issue.code);
}

std::vector<std::string> allowed_codes(const Issues& issues) {
  std::set<std::string> codes;
  for (const Issue& issue : issues) {
    if (is_allowed(issue)) codes.insert(issue.code);
  }
  return {codes.begin(), codes.end()};
}

void log_issues(const Issues& issues, const std::vector<std::string>& files) {
  TaskContext* const task = task_context();
  for (Issue issue : task == nullptr ? Issues{} : issues) {
    issue.file = as_typed(issue.file, files);
    task->issues.push_back(std::move(issue));
  }
  if (task != nullptr) return;
  const bool is_verbose = logger().should_log(spdlog::level::info);
  for (const IssueGroup& group : grouped(issues)) {
    if (is_allowed(*group.issues.front())) {
      log_info(std::string(group.code) + ": allowed, at " + std::to_string(group.issues.size()) +
               (group.issues.size() == 1 ? " place" : " places"));
      continue;
    }
    for (std::size_t i = 0; i < (is_verbose ? group.issues.size() : 1); ++i) {
      const Issue& issue = *group.issues[i];
      log_issue(issue.severity,
                issue_line(issue, files) + (is_verbose ? "" : other_places(group, files)));
    }
  }
}

namespace {

int first_failure = 0;  // errno of the first print that failed; 0: none

}  // namespace

void print(std::string_view text) {
  if (task_context() != nullptr) return;  // results of tasks are in their outputs
  if (first_failure != 0) return;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) first_failure = errno;
}

void print_result(const std::string& text, bool to_stderr) {
  if (to_stderr) {
    std::fputs(text.c_str(), stderr);
  } else {
    print(text);
  }
}

void require_printed() {
  if (first_failure == 0 || first_failure == EPIPE) return;
  throw Error(
      "OUTPUT_NOT_WRITTEN",
      std::string("cannot write: ") + std::strerror(first_failure) +
          "; files that the run has written are complete; redirect standard output elsewhere",
      {"standard output", ""});
}

}  // namespace skinbake::cli
