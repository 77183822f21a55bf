#include "thresholds/threshold_text.h"

#include <string>

#include "json/text.h"
#include "report/report_text.h"
#include "report/surface_report.h"
#include "terminal/console.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

std::string text_of(const Check& check) {
  const std::string place = printable(place_text(check));
  if (check.key == kMissingClip) {
    return "clip '" + printable(check.clip) + "' has no partner in " + printable(check.mesh) +
           ", and is not compared; if this is meant, --allow CLIP_UNPAIRED";
  }
  if (check.key == kFramesLeftOut) {
    return "clip '" + printable(check.clip) + "' has another length in " + printable(check.mesh) +
           ", which leaves " + value_text(check, kTerminalDigits) + "; if this is meant, --overlap";
  }
  if (check.key == kMissingArea) {
    const bool is_facing = check.limit != kLeastArea;
    return printable(check.mesh) + " has " + value_text(check) + " of the other file's area" +
           (is_facing ? ", facing the same way" : "") + ", less than " +
           with_unit(check.limit, check.unit) + "; if this is meant, --allow TRIANGLES_DIFFER";
  }
  const std::string limit = limit_text(check, kTerminalDigits);
  const std::string value = value_text(check, kTerminalDigits);
  if (check.mesh.empty()) return limit + ": " + value + ": " + place;
  const std::string times = exceeded_text(check, printable, kTerminalDigits);
  return limit + " " +
         (check.passed    ? "kept"
          : times.empty() ? "exceeded"
                          : times + "; worst") +
         ": " + value + " in " + place;
}

std::string passed_text(const Report& report) {
  std::string text;
  for (const Check& c : report.checks) {
    if (c.passed) text += text_of(c) + "\n";
  }
  return text;
}

void log_checks(const Report& report) {
  for (const Check& c : report.checks) {
    if (c.passed) continue;
    const std::string line = text_of(c);
    c.severity == CheckSeverity::kFail ? log_error(line) : log_warning(line);
  }
}

}  // namespace skinbake::cli
