// The list of metrics, in the order of reports. To add one: a file that defines its MetricInfo, and
// its name here.

#include "skinbake/metrics.h"

#include <algorithm>
#include <array>

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

}  // namespace skinbake
