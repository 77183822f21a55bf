#include "report/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "skinbake/report.h"

namespace skinbake {

namespace {

std::string_view section_of(std::string_view path) {
  return path.substr(0, path.find('.'));
}

// The metric's field of a number, of a part's number or of a series; none: a metric is not judged
// by it.
std::optional<MetricField> judged_field(std::string_view path) {
  const std::string section(section_of(path));
  const std::string key(path.substr(path.find_last_of('.') + 1));
  for (const std::string& name : {key, "max_" + key}) {
    if (const auto field = metric_field(section + "." + name)) return field;
  }
  return {};
}

bool is_of_metric(std::string_view path) {
  const std::vector<MetricInfo> all = metrics();
  return std::any_of(all.begin(), all.end(),
                     [&](const MetricInfo& metric) { return metric.id == section_of(path); });
}

const SectionField* find(const std::vector<SectionField>& fields, std::string_view path) {
  const std::size_t dot = path.find('.');
  for (const SectionField& field : fields) {
    if (field.key != path.substr(0, dot)) continue;
    if (dot == std::string_view::npos) return &field;
    const auto* object = std::get_if<std::vector<SectionField>>(&field.value);
    return object == nullptr ? nullptr : find(*object, path.substr(dot + 1));
  }
  return nullptr;
}

}  // namespace

Field field_of(std::string_view path, std::string_view section_unit, bool has_place) {
  if (const std::optional<MetricField> field = judged_field(path)) {
    return {to_string(field->unit), field->worse};
  }
  Field field{section_unit, {}};
  if (has_place && !is_of_metric(path)) field.worse = Worse::kMore;
  const std::string_view key = path.substr(path.find_last_of('.') + 1);
  for (const std::string_view carried : {"_m", "_m2", "_rad", "_s"}) {
    if (key.ends_with(carried)) field.unit = carried.substr(1);
  }
  for (const std::string_view counted : {"vertices", "points", "facing_away", "left_out", "vertex",
                                         "frame", "count", "index", "component", "primitive"}) {
    if (key.ends_with(counted)) field.unit = "";
  }
  if (key.ends_with("_relative") || key.ends_with("loss")) field.unit = "1";
  return field;
}

double badness(const Field& field, double value) {
  if (!field.worse) return 0;
  if (*field.worse == Worse::kMore) return std::max(value, 0.0);
  if (!(value > 0)) return std::numeric_limits<double>::max();
  return std::max(value, 1 / value) - 1;
}

std::optional<double> number_at(const MetricResult& section, std::string_view path) {
  const SectionField* const field = find(section.fields, path);
  if (field == nullptr) return {};
  if (const auto* count = std::get_if<std::int64_t>(&field->value)) {
    return static_cast<double>(*count);
  }
  const auto* const number = std::get_if<double>(&field->value);
  if (number == nullptr) return {};
  return std::isfinite(*number) ? *number : std::numeric_limits<double>::quiet_NaN();
}

std::optional<Place> place_of(const MetricResult& section, std::string_view path) {
  const SectionField* const field = find(section.fields, std::string(path) + "_at");
  const auto* const place = field == nullptr ? nullptr : std::get_if<Place>(&field->value);
  if (place == nullptr || place->frame < 0) return {};
  return *place;
}

}  // namespace skinbake
