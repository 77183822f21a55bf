#include "fit/correctives/basis.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "fit/correctives/gram.h"

namespace skinbake::fit {

namespace {

// The eigenvalues of more frames would take minutes. Of longer clips, so many frames, evenly
// spaced, determine the targets; the weights are then fitted in all frames.
constexpr std::size_t kMostFrames = 1024;

// Bytes of residual rows that are computed before they are summed.
constexpr std::size_t kRowBytes = std::size_t{16} << 20;

std::vector<std::size_t> chosen_frames(std::size_t count) {
  const std::size_t chosen = basis_frames(count);
  std::vector<std::size_t> frames(chosen);
  for (std::size_t i = 0; i < chosen; ++i) frames[i] = i * count / chosen;
  return frames;
}

// The residuals before skinning of all vertices, three rows each. Vertices that have nothing but
// rounding errors have rows of zeros.
class Rows {
 public:
  Rows(const Residuals& residuals, const Workers& workers, const std::vector<double>& weights,
       std::vector<std::size_t> frames)
      : residuals_(residuals),
        problem_(residuals.problem()),
        workers_(workers),
        weights_(weights),
        frames_(std::move(frames)) {}

  // Calls use(rows, row_count) with the rows of successive vertices.
  template <class Use>
  void for_each_chunk(const Use& use) {
    const std::size_t width = 3 * frames_.size();
    const std::size_t chunk = std::max<std::size_t>(1, kRowBytes / (width * sizeof(double)));
    std::vector<double> rows(std::min(chunk, problem_.vertex_count()) * width);
    for (std::size_t first = 0; first < problem_.vertex_count(); first += chunk) {
      const std::size_t count = std::min(chunk, problem_.vertex_count() - first);
      workers_.run(count, 64, [&](std::size_t begin, std::size_t end) {
        fill(first, begin, end, rows.data());
      });
      use(rows.data(), 3 * count);
    }
  }

 private:
  void fill(std::size_t first, std::size_t begin, std::size_t end, double* rows) const {
    VertexResiduals scratch(problem_.frame_count());
    for (std::size_t i = begin; i < end; ++i) {
      const VertexResiduals& residuals =
          residuals_.of(static_cast<VertexIndex>(first + i), scratch);
      double* to = rows + i * 3 * frames_.size();
      if (residuals.largest <= kRounding * problem_.bbox_diagonal_m) {
        std::fill_n(to, 3 * frames_.size(), 0.0);
        continue;
      }
      // Distances after skinning count: below a thin scale, displacements before it are long.
      const double weight = weights_.empty() ? 1 : weights_[first + i];
      const double factor = std::sqrt(weight * residuals.posed_per_rest);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double* from = residuals.rest.data() + axis * residuals.frame_count;
        for (const std::size_t frame : frames_) *to++ = factor * from[frame];
      }
    }
  }

  const Residuals& residuals_;
  const Problem& problem_;
  const Workers& workers_;
  const std::vector<double>& weights_;
  std::vector<std::size_t> frames_;
};

double dot_product(const double* a, const double* b, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// The signs of eigenvectors are arbitrary.
void fix_sign(double* values, std::size_t count) {
  std::size_t largest = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (std::abs(values[i]) > std::abs(values[largest])) largest = i;
  }
  if (!(values[largest] < 0)) return;
  for (std::size_t i = 0; i < count; ++i) values[i] = -values[i];
}

struct Eigenvectors {
  std::vector<double> values;   // [function] above 0, the greatest first
  std::vector<double> vectors;  // [function][chosen frame] of unit length
};

Eigenvectors find_eigenvectors(const Gram& gram, std::size_t size, std::size_t most) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(size);
  const Eigen::MatrixXd symmetric = Eigen::Map<const RowMajor>(gram.lower().data(), n, n);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);  // reads the lower half
  Eigenvectors found;
  for (Eigen::Index k = n - 1; k >= 0 && found.values.size() < most; --k) {
    if (!(solver.eigenvalues()[k] > 0)) break;
    const Eigen::VectorXd vector = solver.eigenvectors().col(k);
    found.values.push_back(solver.eigenvalues()[k]);
    found.vectors.insert(found.vectors.end(), vector.data(), vector.data() + n);
    fix_sign(found.vectors.data() + found.vectors.size() - size, size);
  }
  return found;
}

// The weights of the targets in all frames, by least squares. The targets are orthogonal, and the
// square of their length is the eigenvalue:  w_k(f) = U_k . r(f) / |U_k|^2
void fit_weights(const Residuals& residuals, const std::vector<double>& values,
                 const std::vector<double>& vertex_weights, const Workers& workers, Basis& basis) {
  std::vector<std::size_t> all(basis.frame_count);
  for (std::size_t f = 0; f < all.size(); ++f) all[f] = f;
  std::fill(basis.weights.begin(), basis.weights.end(), 0.0);
  std::vector<double> targets;  // [row][function]
  Rows(residuals, workers, vertex_weights, all)
      .for_each_chunk([&](const double* rows, std::size_t row_count) {
        targets.assign(row_count * basis.count, 0);
        workers.run(row_count, 16, [&](std::size_t begin, std::size_t end) {
          for (std::size_t row = begin; row < end; ++row) {
            for (std::size_t k = 0; k < basis.count; ++k) {
              targets[row * basis.count + k] = dot_product(
                  rows + row * basis.frame_count, basis.projection_of(k), basis.frame_count);
            }
          }
        });
        workers.run(basis.count, 1, [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            double* sum = basis.weights.data() + k * basis.frame_count;
            for (std::size_t row = 0; row < row_count; ++row) {
              const double factor = targets[row * basis.count + k] / values[k];
              const double* r = rows + row * basis.frame_count;
              for (std::size_t f = 0; f < basis.frame_count; ++f) sum[f] += factor * r[f];
            }
          }
        });
      });
}

}  // namespace

std::size_t basis_frames(std::size_t frames) {
  return std::min(frames, kMostFrames);
}

Basis find_basis(const Residuals& residuals, std::size_t most, const Workers& workers,
                 const std::vector<double>& weights) {
  const Problem& problem = residuals.problem();
  const std::vector<std::size_t> frames = chosen_frames(problem.frame_count());
  Gram gram(frames.size());
  Rows(residuals, workers, weights, frames)
      .for_each_chunk(
          [&](const double* rows, std::size_t row_count) { gram.add(rows, row_count, workers); });
  const Eigenvectors found = find_eigenvectors(gram, frames.size(), most);
  Basis basis;
  basis.frame_count = problem.frame_count();
  basis.count = found.values.size();
  basis.weights.resize(basis.count * basis.frame_count);
  basis.projection.resize(basis.count * basis.frame_count);
  for (std::size_t k = 0; k < basis.count; ++k) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      basis.projection[k * basis.frame_count + frames[i]] = found.vectors[k * frames.size() + i];
    }
  }
  basis.weights = basis.projection;
  if (frames.size() < basis.frame_count)
    fit_weights(residuals, found.values, weights, workers, basis);
  return basis;
}

}  // namespace skinbake::fit
