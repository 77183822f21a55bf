// The unit of a number of a run, and whether more of it is worse.

#pragma once

#include <optional>
#include <string_view>

#include "skinbake/metrics.h"

namespace skinbake {

struct Field {
  std::string_view unit;            // "m", "1" of a ratio; empty: a count, an energy or a factor
  std::optional<Worse> worse = {};  // none: the number only describes
};

// `path`: in a run, "error.max", "volume.joints.max_loss", or of a series, "volume.loss".
// `section_unit`: the `unit` of its section. `has_place`: of the number, by which a section of no
// known metric is judged.
Field field_of(std::string_view path, std::string_view section_unit, bool has_place);

// How bad a value is, for comparisons of one field: 0 is not bad.
double badness(const Field& field, double value);

}  // namespace skinbake
