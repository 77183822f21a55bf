#include "diff/golden.h"

#include "golden/check.h"
#include "golden/options.h"
#include "golden/text.h"
#include "json/text.h"
#include "options/parsing/usage_error.h"
#include "task/task_context.h"

namespace skinbake::cli {

int diff_golden(const DiffOptions& options) {
  for (const std::string& option : options.typed) {
    const bool is_known = option == "--fail" || option == "--quiet" || option == "--verbose" ||
                          option == "--color" || option == "--progress" || option == "--threads" ||
                          option == "--max-memory";
    if (!is_known && option.starts_with("--")) {
      throw UsageError(option, "does not apply to a golden, which has some of the vertices");
    }
  }
  configure_console(options);
  require_golden_limits(options.thresholds);
  std::optional<double> limit_m;
  if (!options.thresholds.given.empty()) limit_m = options.thresholds.given.front().limit;
  record_inputs({options.a, options.b, options.b + ".json"});
  const GoldenResult result = check_golden(options.a, options.b, limit_m);
  if (result.status == GoldenResult::Status::kMissing) {
    throw Error("FILE_UNREADABLE", "does not exist", {options.b, ""});
  }
  const std::string line = golden_line(result, limit_m);
  log_golden_results({&result, 1}, limit_m, options.quiet);
  if (!options.quiet) print(line + "\n");
  return result.passed() ? 0 : 1;
}

}  // namespace skinbake::cli
