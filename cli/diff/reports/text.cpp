#include "diff/reports/text.h"

#include <algorithm>
#include <vector>

#include "json/text.h"
#include "report/report_text.h"
#include "terminal/format.h"
#include "terminal/table.h"

namespace skinbake::cli {

namespace {

constexpr std::size_t kChangesShown = 20;

std::string measurements_text(const std::vector<MeasurementChange>& changes, std::size_t top) {
  if (changes.empty() || top == 0) return "";
  std::vector<std::vector<std::string>> rows{
      {"mesh", "clip", "method", "measurement", "a", "b", "change", ""}};
  const std::size_t shown = std::min(top, changes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const MeasurementChange& c = changes[i];
    rows.push_back({printable(c.mesh), c.clip.empty() ? "-" : printable(c.clip),
                    c.method.empty() ? "-" : printable(c.method), printable(c.metric),
                    short_number(c.a), short_number(c.b),
                    fmt::format("{}{}", c.b > c.a ? "+" : "", short_number(c.b - c.a)),
                    !c.is_judged() ? ""
                    : c.is_worse() ? "worse"
                                   : "better"});
  }
  std::string text = table_text(rows, "llllrrrl");
  if (shown < changes.size()) {
    text += fmt::format("… and {} more measurements that moved\n", changes.size() - shown);
  }
  return text;
}

bool is_number(const std::string& json) {
  return !json.empty() && (json[0] == '-' || (json[0] >= '0' && json[0] <= '9'));
}

// Whether the table has the change.
bool is_measurement(const Change& change) {
  std::size_t slashes = 0;
  for (const char c : change.pointer) slashes += c == '/';
  return slashes == 6 && change.pointer.starts_with("/meshes/") &&
         change.pointer.find("/runs/") != std::string::npos && is_number(change.a) &&
         is_number(change.b);
}

}  // namespace

std::string report_changes_text(const ReportChanges& all, int top) {
  std::string text =
      measurements_text(all.measurements, static_cast<std::size_t>(top)) + changes_text(all) + "\n";
  ReportChanges changes = all;
  std::erase_if(changes.changes, [](const Change& change) {
    return is_measurement(change) || is_per_element(change.pointer);
  });
  changes.count -= static_cast<std::int64_t>(all.measurements.size());
  const std::size_t shown = std::min(kChangesShown, changes.changes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Change& change = changes.changes[i];
    const auto value = [](const std::string& side) {
      return side.empty() ? std::string("nothing") : printable(side);
    };
    text +=
        fmt::format("{}: {} -> {}\n", printable(change.pointer), value(change.a), value(change.b));
  }
  if (changes.count > static_cast<std::int64_t>(shown)) {
    text += fmt::format("… and {} more\n", changes.count - static_cast<std::int64_t>(shown));
  }
  return text;
}

}  // namespace skinbake::cli
