#include "checks.h"

#include <spdlog/fmt/fmt.h>

#include "console.h"
#include "thresholds.h"

namespace skinbake::cli {

namespace {

std::string with_unit(double value, const std::string& unit) {
  return unit == "m" ? fmt::format("{:.6g} m", value) : fmt::format("{:.6g} %", value * 100);
}

// "in mesh 'arm', clip 'bend', dqs, frame 42, vertex 7".
std::string place_of(const Check& c) {
  return fmt::format("in mesh '{}'{}{}{}{}", one_line(c.mesh),
                     c.clip.empty() ? "" : fmt::format(", clip '{}'", one_line(c.clip)),
                     c.method.empty() ? "" : ", " + c.method,
                     c.frame ? fmt::format(", frame {}", *c.frame) : "",
                     c.vertex ? fmt::format(", vertex {}", *c.vertex) : "");
}

}  // namespace

std::string text_of(const Check& c) {
  if (c.mesh.empty()) return fmt::format("{}: no selected mesh has this measurement", c.option);
  if (c.limit == kAnyNumber) return "a position is not a number, or no finite one, " + place_of(c);
  const std::string times = c.failures > 1 ? fmt::format(" {} times; worst", c.failures) : "";
  const std::string over =
      c.vertex_limit_m ? fmt::format(" of the vertices over {:.6g} m", *c.vertex_limit_m) : "";
  return fmt::format("{} {} {}{}: {}{} {}", c.option, with_unit(c.limit, c.unit),
                     c.passed ? "kept" : "exceeded", times,
                     c.value ? with_unit(*c.value, c.unit) : "not a number", over, place_of(c));
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
    c.severity == "fail" ? log_error(line) : log_warning(line);
  }
}

}  // namespace skinbake::cli
