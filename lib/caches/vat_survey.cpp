#include "caches/vat_survey.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "caches/vat_kernels.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;

}  // namespace

struct VatSurvey::State : BlockState {
  explicit State(std::size_t size) : ranges(size) {}
  Ranges ranges;  // of one block
};

VatSurvey::VatSurvey(std::string path, std::size_t vertices)
    : path_(std::move(path)), base_(vertices * kAxes), ranges_(vertices * kAxes) {
  std::fill_n(ranges_.least.data(), base_.size(), Box::kNothing);
  std::fill_n(ranges_.largest.data(), base_.size(), -Box::kNothing);
}

std::unique_ptr<BlockState> VatSurvey::new_state() const {
  return std::make_unique<State>(base_.size());
}

void VatSurvey::consume(const FrameBlock& tile, BlockState& state) {
  const std::size_t first = std::size_t{tile.vertices.first} * kAxes;
  const std::size_t count = std::size_t{tile.vertices.count} * kAxes;
  Ranges& ranges = static_cast<State&>(state).ranges;
  find_ranges(tile.positions, count, ranges.least.data() + first, ranges.largest.data() + first);
  if (tile.first_frame != 0) return;
  for (std::size_t i = 0; i < count; ++i) base_[first + i] = tile.positions[i * kFramesPerBlock];
}

void VatSurvey::merge(const FrameBlock&, BlockState& state) {
  const Ranges& block = static_cast<const State&>(state).ranges;
  keep_least(block.least.data(), base_.size(), ranges_.least.data());
  keep_largest(block.largest.data(), base_.size(), ranges_.largest.data());
}

// To take a number off and to round keeps the order: the shortest way is that of the least number.
void VatSurvey::end() {
  for (std::size_t i = 0; i < base_.size(); i += kAxes) {
    std::array<float, kAxes> least, largest;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      least[axis] = ranges_.least[i + axis] - base_[i + axis];
      largest[axis] = ranges_.largest[i + axis] - base_[i + axis];
    }
    box_.add(least.data());
    box_.add(largest.data());
  }
  ranges_ = Ranges(0);
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
  for (std::size_t i = 0; i < base_.size(); ++i) largest = std::max(largest, std::abs(base_[i]));
  return largest;
}

}  // namespace skinbake
