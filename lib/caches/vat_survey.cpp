#include "caches/vat_survey.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;

}  // namespace

VatSurvey::VatSurvey(std::string path, std::int64_t vertices)
    : RangeSurvey(vertices), path_(std::move(path)) {}

// To take a number off and to round keeps the order: the shortest way is that of the least number.
void VatSurvey::end() {
  for (std::size_t i = 0; i < base().size(); i += kAxes) {
    std::array<float, kAxes> least, most;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      least[axis] = low()[i + axis] - base()[i + axis];
      most[axis] = high()[i + axis] - base()[i + axis];
    }
    box_.add(least.data());
    box_.add(most.data());
  }
  drop_range();
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    box_.min[axis] += 0.0F;  // no -0, which is neither less than 0 nor more
    box_.max[axis] += 0.0F;
    if (std::isfinite(extent(axis))) continue;
    throw Error(ErrorKind::kUsage, "CACHE_UNSUITABLE",
                "a vertex moves farther than a float can say; bake another format", {path_, ""});
  }
}

float VatSurvey::largest() const {
  float largest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    largest = std::max({largest, std::abs(box_.min[axis]), std::abs(box_.max[axis])});
  }
  for (std::size_t i = 0; i < base().size(); ++i) {
    largest = std::max(largest, std::abs(base()[i]));
  }
  return largest;
}

}  // namespace skinbake
