#include "fit/quantized.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "rig/influences.h"

namespace skinbake::fit {

namespace {

constexpr double kMaxInt16 = 32767;
constexpr int kMaxWeight = 65535;

// The numbers of a grid: n steps of 2^(16 - bits).
struct Grid {
  explicit Grid(int bits) : count((1 << (bits - 1)) - 1), step(1 << (16 - bits)) {}
  double greatest() const { return count * step; }
  double count, step;
};

double largest(const std::vector<float>& values) {
  double max = 0;
  for (const float value : values) max = std::max(max, std::abs(double{value}));
  return max;
}

// Returns s; 1: the values are not rounded.
double quantize(const Grid& grid, std::vector<float>& values) {
  const double max = largest(values);
  const double unit = max <= 1 ? 1 / kMaxInt16 : 1;
  if (!(max > 0) || max > grid.greatest() * unit) return 1;
  for (float& value : values) {
    const double number = std::round(double{value} / max * grid.count) * grid.step;
    value = static_cast<float>(unit == 1 ? number : number / kMaxInt16);
  }
  return grid.greatest() * unit / max;
}

std::vector<float> base_of(const std::vector<float>& positions, const AddedMorphs& morphs) {
  std::vector<double> base(positions.begin(), positions.end());
  for (std::size_t k = 0; k < morphs.targets.size(); ++k) {
    const std::vector<float>& target = morphs.targets[k].positions;
    const double rest = double{morphs.rest_weights[k]};
    for (std::size_t i = 0; i < base.size(); ++i) base[i] -= rest * double{target[i]};
  }
  return {base.begin(), base.end()};
}

}  // namespace

void quantize_correctives(const std::vector<float>& positions, int bits,
                          CorrectiveSearch::Result& correctives) {
  AddedMorphs& morphs = correctives.morphs;
  const std::size_t count = morphs.targets.size();
  if (count == 0) return;
  const Grid grid(bits);
  for (std::size_t k = 0; k < count; ++k) {
    const double scale = quantize(grid, morphs.targets[k].positions);
    const auto divide = [scale](float& weight) {
      weight = static_cast<float>(double{weight} / scale);
    };
    divide(morphs.rest_weights[k]);
    for (std::size_t i = k; i < correctives.keys.size(); i += count) divide(correctives.keys[i]);
  }
  morphs.base_positions = base_of(positions, morphs);
}

void quantize_normals(int bits, AddedMorphs& morphs) {
  const double step = Grid(bits).step;
  for (MorphTarget& target : morphs.targets) {
    if (largest(target.normals) > Grid(bits).greatest() / kMaxInt16) continue;
    for (float& value : target.normals) {
      const double number = std::round(double{value} * kMaxInt16 / step) * step;
      value = static_cast<float>(number / kMaxInt16);
    }
  }
}

void quantize_influences(RigChanges& changes) {
  if (changes.first_influence.empty()) return;
  std::vector<Influence> rounded, mine;
  std::vector<std::uint32_t> first{0};
  for (std::size_t v = 0; v + 1 < changes.first_influence.size(); ++v) {
    const auto begin = changes.influences.begin();
    mine.assign(begin + changes.first_influence[v], begin + changes.first_influence[v + 1]);
    quantize_weights(kMaxWeight, mine);
    rounded.insert(rounded.end(), mine.begin(), mine.end());
    first.push_back(static_cast<std::uint32_t>(rounded.size()));
  }
  changes.influences = std::move(rounded);
  changes.first_influence = std::move(first);
}

}  // namespace skinbake::fit
