// Reports: the numbers of a section by their paths, and the JSON Schemas.

#pragma once

#include <optional>
#include <string_view>

#include "skinbake/metrics.h"

namespace skinbake {

// The number at a path such as "max" or "bind.max"; NaN if it is not finite or not measured; none
// if the section does not have it.
std::optional<double> number_at(const MetricResult& section, std::string_view path);
// The place of this number: the value of "max_at"; none if the section does not have one.
std::optional<Place> place_of(const MetricResult& section, std::string_view path);

// The JSON Schema (2020-12) of every report.
std::string_view report_schema();

// The JSON Schema of the report of `fit`.
std::string_view fit_schema();

}  // namespace skinbake
