#include "metrics/position_error/error_totals.h"

#include <cmath>

namespace skinbake {

void ErrorTotals::fill(PositionErrorResult& result, std::int64_t vertices, std::int64_t frames,
                       double diagonal_m) const {
  const auto vertex_count = static_cast<double>(vertices);
  const auto frame_count = static_cast<double>(frames);
  result.rms = std::sqrt(square / (vertex_count * frame_count));
  result.mean = distance / (vertex_count * frame_count);
  // An error of 0 is a relative error of 0, even if the diagonal is 0.
  const auto relative = [](double error, double size) { return error == 0 ? 0 : error / size; };
  result.rms_relative = relative(result.rms, diagonal_m);
  result.max_relative = relative(result.max, diagonal_m);
  result.erms = relative(1000 * std::sqrt(square),
                         std::sqrt(3 * vertex_count * frame_count) * diagonal_m / 2);
  if (spread > 0) result.kg_percent = 100 * std::sqrt(square) / std::sqrt(spread);
}

double rms_of(const DigitSum& square, std::int64_t frames) {
  return std::sqrt(square.value() / static_cast<double>(frames));
}

PositionErrorSums::PerVertex sums_of(std::span<const DigitSum> squares) {
  PositionErrorSums::PerVertex sums;
  for (const DigitSum& square : squares) {
    sums.place.push_back(square.place);
    for (std::size_t p = 0; p < square.digits.size(); ++p) {
      sums.digits[p].push_back(static_cast<std::int64_t>(square.digits[p]));
    }
  }
  return sums;
}

}  // namespace skinbake
