#include "load_options.h"

#include <spdlog/fmt/fmt.h>

#include "console.h"
#include "skinbake/inspect.h"

namespace skinbake::cli {

namespace {

// CLI11 reads "-1" as the greatest number.
std::string not_negative(const std::string& text) {
  return text.starts_with('-') ? "must not be negative" : "";
}

}  // namespace

void add_max_memory_option(CLI::App& command, std::uint64_t& bytes) {
  command
      .add_option("--max-memory", bytes,
                  "Most memory that a file's counts may ask for: bytes, or 512M, 2G")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->transform(CLI::Validator(not_negative, ""))  // the last one added is the first to see it
      ->type_name("SIZE")
      ->default_str("4G");
}

void add_load_options(CLI::App& command, LoadOptions& options) {
  command
      .add_option("--scene", options.scene,
                  "Scene: its name or number; default: the file's own choice")
      ->check([](const std::string& name) { return name.empty() ? "must not be empty" : ""; })
      ->type_name("NAME|INDEX");
  add_max_memory_option(command, options.max_memory);
  command.add_flag("--allow-outside", options.allow_outside,
                   "Trust the file: its buffers may lie outside its folder");
}

void add_strict_option(CLI::App& command, bool& strict) {
  command.add_flag("--strict", strict, "Exit 1 if there is a warning");
}

int strict_exit_code(bool strict, const Issues& issues, const std::vector<Check>& checks) {
  if (!strict) return 0;
  std::string codes;
  for (const Check& check : checks) {
    if (check.severity != "warn" || check.passed) continue;
    codes += (codes.empty() ? "" : ", ") + check.option;
  }
  for (const IssueGroup& group : grouped(issues)) {
    if (group.severity == Severity::kInfo) continue;
    codes += (codes.empty() ? "" : ", ") + std::string(group.code);
  }
  if (codes.empty()) return 0;
  log_error(fmt::format("--strict: there are warnings: {}", codes));
  return 1;
}

}  // namespace skinbake::cli
