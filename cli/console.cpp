#include "console.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

}  // namespace

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return line;
}

void configure_console(Verbosity verbosity, When color) {
  using spdlog::level::level_enum;
  logger().set_level(verbosity == Verbosity::kQuiet     ? level_enum::err
                     : verbosity == Verbosity::kVerbose ? level_enum::info
                                                        : level_enum::warn);
  auto* sink = dynamic_cast<spdlog::sinks::stderr_color_sink_mt*>(logger().sinks().front().get());
  if (sink != nullptr) sink->set_color_mode(color_mode(color));
}

// The text is the user's: it must not be taken for a format.
void log_error(std::string_view message) {
  logger().error("{}", one_line(message));
}
void log_warning(std::string_view message) {
  logger().warn("{}", one_line(message));
}
void log_info(std::string_view message) {
  logger().info("{}", one_line(message));
}

void log_issues(const Issues& issues) {
  for (const Issue& issue : issues) {
    std::string line = issue.file;
    if (!issue.pointer.empty()) line += (line.empty() ? "" : " ") + issue.pointer;
    line += (line.empty() ? "" : ": ") + issue.message + " [" + issue.code + "]";
    switch (issue.severity) {
      case Severity::kError:
        log_error(line);
        break;
      case Severity::kWarning:
        log_warning(line);
        break;
      case Severity::kInfo:
        log_info(line);
        break;
    }
  }
}

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw Error(ErrorKind::kOutput, "OUTPUT_NOT_WRITTEN",
                std::string("cannot write: ") + std::strerror(errno), {"standard output", ""});
  }
}

}  // namespace skinbake::cli
