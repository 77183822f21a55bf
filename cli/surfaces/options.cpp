#include "surfaces/options.h"

#include <CLI/CLI.hpp>
#include <optional>

#include "options/numbers.h"
#include "options/usage_error.h"

namespace skinbake::cli {

namespace {

// Parses "0.01" or "1%". Throws UsageError.
double parse_sampling(const std::string& text) {
  std::string number = text;
  const bool is_percentage = number.ends_with('%');
  if (is_percentage) number.pop_back();
  const std::optional<double> value = finite_number(number);
  if (!value || !(*value > 0)) {
    throw UsageError("--sampling", "'" + text + "' is neither a number nor a percentage above 0");
  }
  return is_percentage ? *value / 100 : *value;
}

}  // namespace

void add_sampling_options(CLI::App& command, double& sampling, bool& overlap,
                          const std::string& group) {
  command
      .add_option_function<std::string>(
          "--sampling", [&sampling](const std::string& text) { sampling = parse_sampling(text); },
          "Largest spacing of compared surface points, relative to the bounding-box diagonal")
      ->type_name("PART[%]")
      ->default_str("0.5%")
      ->group(group);
  command
      .add_flag("--overlap", overlap,
                "Accept clips of unequal length: compare only the frames that both sides have")
      ->group(group);
}

}  // namespace skinbake::cli
