// Weights as they are written, and the error that functions of a basis leave.

#include <algorithm>
#include <cmath>

#include "fit/correctives/search.h"

namespace skinbake::fit {

std::vector<double> WrittenWeights::factors() const {
  std::vector<double> factors(keys.size());
  for (std::size_t f = 0; f < keys.size(); ++f) factors[f] = double{keys[f]} - double{rest};
  return factors;
}

WrittenWeights write_weights(const Basis& basis, std::size_t function) {
  const double* const v = basis.weights_of(function);
  const double least = std::min(0.0, *std::min_element(v, v + basis.frame_count));
  const double greatest = std::max(0.0, *std::max_element(v, v + basis.frame_count));
  WrittenWeights written;
  written.range = greatest - least;
  if (!(written.range > 0)) return {0, 0, std::vector<float>(basis.frame_count)};
  written.rest = static_cast<float>(-least / written.range);
  for (std::size_t f = 0; f < basis.frame_count; ++f) {
    written.keys.push_back(static_cast<float>((v[f] - least) / written.range));
  }
  return written;
}

namespace {

// Counts of targets whose errors one pass over the vertices computes. A pass computes the residuals
// again, which costs as much as some eight targets.
constexpr std::size_t kGroup = 8;
constexpr std::size_t kGrain = 64;  // vertices

// The displacement of one vertex by targets, and the error that it leaves.
class Displacement {
 public:
  explicit Displacement(std::size_t frames) : frames_(frames), values_(3 * frames) {}

  void reset() { std::fill(values_.begin(), values_.end(), 0.0); }

  void add(const float* target, const std::vector<double>& factors) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double t = target[axis];
      double* const to = values_.data() + axis * frames_;
      for (std::size_t f = 0; f < frames_; ++f) to[f] += t * factors[f];
    }
  }

  // The square of the largest |d - A D|.
  double largest_error2(const VertexResiduals& of) {
    const double *const x = values_.data(), *const y = x + frames_, *const z = y + frames_;
    squares_.assign(frames_, 0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double* const a = of.map.data() + axis * frames_;
      const double *const b = a + 3 * frames_, *const c = b + 3 * frames_;
      const double* const d = of.posed.data() + axis * frames_;
      for (std::size_t f = 0; f < frames_; ++f) {
        const double e = d[f] - (a[f] * x[f] + b[f] * y[f] + c[f] * z[f]);
        squares_[f] += e * e;
      }
    }
    return *std::max_element(squares_.begin(), squares_.end());
  }

 private:
  std::size_t frames_;
  std::vector<double> values_;   // [axis][frame]
  std::vector<double> squares_;  // [frame]
};

// Sums the axes side by side, because a sum waits for its last addition.
void project(const VertexResiduals& residuals, const double* projection, double scale,
             float* target) {
  const std::size_t frames = residuals.frame_count;
  const double *const x = residuals.rest.data(), *const y = x + frames, *const z = y + frames;
  double sum_x = 0, sum_y = 0, sum_z = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    sum_x += projection[f] * x[f], sum_y += projection[f] * y[f], sum_z += projection[f] * z[f];
  }
  target[0] = static_cast<float>(scale * sum_x);
  target[1] = static_cast<float>(scale * sum_y);
  target[2] = static_cast<float>(scale * sum_z);
}

}  // namespace

CorrectiveSearch::CorrectiveSearch(const Residuals& residuals, const Basis& basis,
                                   const Workers& workers)
    : residuals_(residuals), problem_(residuals.problem()), basis_(basis), workers_(workers) {}

bool CorrectiveSearch::moves(const VertexResiduals& residuals) const {
  return residuals.largest > kRounding * problem_.bbox_diagonal_m;
}

// Targets that move nothing yet.
void CorrectiveSearch::append_targets(std::size_t count) {
  for (std::size_t k = targets_.size(); k < count; ++k) {
    weights_.push_back(write_weights(basis_, k));
    targets_.emplace_back(3 * problem_.vertex_count());
  }
}

void CorrectiveSearch::compute_targets(std::size_t count) {
  const std::size_t first = targets_.size();
  if (first >= count) return;
  append_targets(count);
  workers_.run(problem_.vertex_count(), kGrain, [&](std::size_t begin, std::size_t end) {
    VertexResiduals scratch(problem_.frame_count());
    for (std::size_t v = begin; v < end; ++v) {
      const VertexResiduals& residuals = residuals_.of(static_cast<VertexIndex>(v), scratch);
      if (!moves(residuals)) continue;
      for (std::size_t k = first; k < count; ++k) {
        project(residuals, basis_.projection_of(k), weights_[k].range, targets_[k].data() + 3 * v);
      }
    }
  });
}

void CorrectiveSearch::compute_next_errors() {
  const std::size_t known = targets_.size();
  const std::size_t first = errors_.empty() ? 0 : errors_.size() - 1;
  const std::size_t count = std::min(basis_.count, first + kGroup);
  append_targets(count);
  const std::vector<std::vector<double>> factors = factors_of(count);
  const std::size_t tiles = (problem_.vertex_count() + kGrain - 1) / kGrain;
  std::vector<std::vector<double>> largest(tiles, std::vector<double>(count - first + 1));
  workers_.run(tiles, 1, [&](std::size_t tile, std::size_t) {
    VertexResiduals scratch(problem_.frame_count());
    Displacement displacement(problem_.frame_count());
    const std::size_t end = std::min(problem_.vertex_count(), (tile + 1) * kGrain);
    for (std::size_t v = tile * kGrain; v < end; ++v) {
      const VertexResiduals& residuals = residuals_.of(static_cast<VertexIndex>(v), scratch);
      displacement.reset();
      for (std::size_t k = 0; k < first; ++k) {
        displacement.add(targets_[k].data() + 3 * v, factors[k]);
      }
      double error2 = displacement.largest_error2(residuals);
      largest[tile][0] = std::max(largest[tile][0], error2);
      for (std::size_t k = first; k < count; ++k) {
        float* const target = targets_[k].data() + 3 * v;
        if (moves(residuals)) {
          if (k >= known) project(residuals, basis_.projection_of(k), weights_[k].range, target);
          displacement.add(target, factors[k]);
          error2 = displacement.largest_error2(residuals);
        }
        largest[tile][k - first + 1] = std::max(largest[tile][k - first + 1], error2);
      }
    }
  });
  for (std::size_t i = errors_.empty() ? 0 : 1; i <= count - first; ++i) {
    double worst = 0;
    for (const std::vector<double>& of_tile : largest) worst = std::max(worst, of_tile[i]);
    errors_.push_back(std::sqrt(worst));
  }
}

std::vector<std::vector<double>> CorrectiveSearch::factors_of(std::size_t count) const {
  std::vector<std::vector<double>> factors;
  for (std::size_t k = 0; k < count; ++k) factors.push_back(weights_[k].factors());
  return factors;
}

double CorrectiveSearch::largest_error(std::size_t count) {
  while (errors_.size() <= count) compute_next_errors();
  return errors_[count];
}

std::vector<double> CorrectiveSearch::vertex_errors(std::size_t count) {
  compute_targets(count);
  const std::vector<std::vector<double>> factors = factors_of(count);
  std::vector<double> errors(problem_.vertex_count());
  workers_.run(errors.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    VertexResiduals scratch(problem_.frame_count());
    Displacement displacement(problem_.frame_count());
    for (std::size_t v = begin; v < end; ++v) {
      const VertexResiduals& residuals = residuals_.of(static_cast<VertexIndex>(v), scratch);
      displacement.reset();
      for (std::size_t k = 0; k < count; ++k) {
        displacement.add(targets_[k].data() + 3 * v, factors[k]);
      }
      errors[v] = std::sqrt(displacement.largest_error2(residuals));
    }
  });
  return errors;
}

std::optional<std::size_t> CorrectiveSearch::find_count(double limit_m, std::size_t least) {
  for (std::size_t count = least; count <= basis_.count; ++count) {
    if (largest_error(count) <= limit_m) return count;
  }
  return std::nullopt;
}

CorrectiveSearch::Result CorrectiveSearch::result(std::size_t count, const std::string& name) {
  compute_targets(count);
  Result result;
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < count; ++k) {
    const bool moves = std::any_of(targets_[k].begin(), targets_[k].end(),
                                   [](float number) { return number != 0; });
    if (moves) used.push_back(k);
  }
  if (used.empty()) return result;
  AddedMorphs& morphs = result.morphs;
  const std::vector<float>& positions = problem_.rig->mesh->positions;
  std::vector<double> base(positions.begin(), positions.end());
  for (const std::size_t k : used) {
    for (std::size_t i = 0; i < base.size(); ++i) {
      base[i] -= double{weights_[k].rest} * double{targets_[k][i]};
    }
    morphs.targets.push_back({targets_[k], {}, {}});
    morphs.names.push_back(name + "." + std::to_string(morphs.names.size()));
    morphs.rest_weights.push_back(weights_[k].rest);
  }
  morphs.base_positions.assign(base.begin(), base.end());
  for (std::size_t f = 0; f < basis_.frame_count; ++f) {
    for (const std::size_t k : used) result.keys.push_back(weights_[k].keys[f]);
  }
  return result;
}

}  // namespace skinbake::fit
