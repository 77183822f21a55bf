// The list of metrics, in the order of reports. To add one: a file that defines its MetricInfo, and
// its name here.

#include "skinbake/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace skinbake {

extern const MetricInfo kError, kVolume, kEdgeStretch, kTriangleDistortion, kDihedral,
    kNormalDeviation, kInversions, kCandyWrapper, kBulge, kSelfIntersection, kInBetween;

std::vector<MetricInfo> metrics() {
  return {kError,    kVolume,           kEdgeStretch, kTriangleDistortion,
          kDihedral, kNormalDeviation,  kInversions,  kCandyWrapper,
          kBulge,    kSelfIntersection, kInBetween};
}

std::optional<MetricField> metric_field(std::string_view path) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  for (const MetricInfo& metric : metrics()) {
    if (metric.id != path.substr(0, dot)) continue;
    for (const MetricField& field : metric.fields) {
      if (dot < path.size() && field.key == path.substr(dot + 1)) return field;
    }
  }
  return {};
}

std::string_view to_string(Unit unit) {
  constexpr std::array<std::string_view, 5> kUnits{"1", "m", "m3", "rad", ""};
  return kUnits[static_cast<std::size_t>(unit)];
}

namespace {

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
