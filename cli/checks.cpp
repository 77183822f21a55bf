#include "checks.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

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

std::string value_text(const Check& c) {
  return c.value ? with_unit(*c.value, c.unit) : "not a number";
}

// ", by lbs (5 %), cor (0.99 %) and 3 more": the methods that exceed it, the worst first.
std::string methods_text(const Check& c) {
  constexpr std::size_t kMostNames = 8;
  std::vector<std::string> names;
  for (const Check& method : c.methods) {
    if (!method.passed) names.push_back(fmt::format("{} ({})", method.method, value_text(method)));
  }
  if (names.empty()) return "";
  const std::size_t more = names.size() - std::min(names.size(), kMostNames);
  names.resize(names.size() - more);
  return fmt::format(", by {}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

std::string text_of(const Check& c) {
  if (c.limit == kAnyNumber) return "a position is not a number, or no finite one, " + place_of(c);
  if (c.mesh.empty()) {
    const bool is_volume = c.metric.starts_with("volume.");
    return fmt::format("{} {}: not measured: {}", c.option, with_unit(c.limit, c.unit),
                       is_volume ? "no part of a selected mesh is closed or nearly so"
                                 : "no selected mesh has this measurement");
  }
  std::string times;
  if (c.failures > 1) times = fmt::format(" {} times{}; worst", c.failures, methods_text(c));
  const std::string over =
      c.vertex_limit_m ? fmt::format(" of the vertices over {:.6g} m", *c.vertex_limit_m) : "";
  return fmt::format("{} {} {}{}: {}{} {}", c.option, with_unit(c.limit, c.unit),
                     c.passed ? "kept" : "exceeded", times, value_text(c), over, place_of(c));
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
