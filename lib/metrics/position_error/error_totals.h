// The statistics of a whole run from the sums of its frames and vertices: of a bake, and of parts
// that are put together.

#pragma once

#include <cstdint>
#include <span>

#include "metrics/position_error/digit_sum.h"
#include "skinbake/metrics.h"

namespace skinbake {

// Sums over the frames, which are added in their order.
struct ErrorTotals {
  double square = 0, distance = 0;  // ‖d‖², ‖d‖
  double spread = 0;                // ‖x − mean‖² of the reference

  void add(const ErrorTotals& frame) {
    square += frame.square;
    distance += frame.distance;
    spread += frame.spread;
  }

  // Fills every number of the run but `max`, on which max_relative depends.
  void fill(PositionErrorResult& result, std::int64_t vertices, std::int64_t frames,
            double diagonal_m) const;
};

double rms_of(const DigitSum& square, std::int64_t frames);

PositionErrorSums::PerVertex sums_of(std::span<const DigitSum> squares);

}  // namespace skinbake
