// Residuals, their Gram matrix, and the basis of functions of time.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "fit/correctives/residuals.h"
#include "math/scalar.h"

namespace skinbake::fit {

namespace {

using Matrix = Affine<double>;  // its linear part

// A displacement before skinning of so many diagonals of the mesh is damped, unless the target is
// as far.
constexpr double kLongest = 10;

double squared(const Vec3<double>& a) {
  return a.x * a.x + a.y * a.y + a.z * a.z;
}

double frobenius2_of(const Matrix& a) {
  return squared(a.x) + squared(a.y) + squared(a.z);
}

Vec3<double> transposed_times(const Matrix& m, const Vec3<double>& d) {
  return {dot(m.x, d), dot(m.y, d), dot(m.z, d)};
}

// The solution of a symmetric positive system with the columns of `m`, by cofactors.
Vec3<double> solve(const Matrix& m, const Vec3<double>& b) {
  return rotate(inverse(m), b);
}

Vec3<double> damped(const Matrix& a, const Vec3<double>& d) {
  constexpr double kRatio = 0.05;
  const double ridge = kRatio * kRatio * frobenius2_of(a) / 2;
  if (!(ridge > 0)) return {0, 0, 0};
  Matrix normal{transposed_times(a, a.x), transposed_times(a, a.y), transposed_times(a, a.z), {}};
  normal.x.x += ridge, normal.y.y += ridge, normal.z.z += ridge;
  return solve(normal, transposed_times(a, d));
}

// With the singular values s1 >= s2 >= s3 of A and its Frobenius norm F: s3 / s1 >= 2 |det A| /
// F^3, because s1 s2 <= F^2 / 2 and s1 <= F.
bool is_nearly_singular(const Matrix& a) {
  constexpr double kLeastRatio = 0.05;
  const double frobenius2 = frobenius2_of(a);
  const double bound = 2 * std::abs(determinant(a));
  return !(bound > 0 && bound >= kLeastRatio * frobenius2 * std::sqrt(frobenius2));
}

// The square of the longest displacement before skinning that is not damped. A small mesh far from
// its joints, as a button on a sleeve, moves by many of its diagonals.
double longest2_of(const Matrix& a, const Vec3<double>& d, double longest) {
  const double of_target2 = kLongest * kLongest * 3 * squared(d) / frobenius2_of(a);
  return std::max(longest * longest, of_target2);
}

}  // namespace

// A scale S of an ancestor of all joints makes S R S^-1 of a rotation R: its singular values differ
// as the scales in S do, but its determinant equals the determinant of R.
bool is_flattened(const Problem& problem, const ClipFrames& clip, std::size_t frame, VertexIndex v,
                  const Affine<double>& map) {
  if (!is_nearly_singular(map)) return false;
  // In a twist by half a turn, this begins at the same weights as is_nearly_singular does.
  constexpr double kLeastDeterminant = 0.025;
  const std::span<const Affine<double>> joints = problem.joints(clip, frame);
  double blended = 0;
  for (const Influence& i : problem.rig->influences_of(v)) {
    blended += i.weight * std::abs(determinant(joints[i.joint]));
  }
  const double own = std::abs(determinant(map));
  return !(own > 0 && own >= kLeastDeterminant * blended);
}

VertexResiduals::VertexResiduals(std::size_t frames)
    : frame_count(frames), map(9 * frames), posed(3 * frames), rest(3 * frames) {}

void compute_residuals(const Problem& problem, VertexIndex v, double longest,
                       VertexResiduals& out) {
  const std::size_t count = out.frame_count;
  double largest2 = 0, posed2 = 0, rest2 = 0;
  std::size_t f = 0;
  for (const ClipFrames& clip : problem.clips) {
    for (std::size_t frame = 0; frame < clip.frame_count(); ++frame, ++f) {
      const Matrix a = problem.linear_map(clip, frame, v);
      const Vec3<double> d =
          problem.target(clip, frame, v) - a * problem.rest_position(clip, frame, v);
      const bool is_flat = is_flattened(problem, clip, frame, v, a);
      Vec3<double> r = is_flat ? damped(a, d) : solve(a, d);
      if (!is_flat && !(squared(r) <= longest2_of(a, d, longest))) r = damped(a, d);
      const double columns[]{a.x.x, a.x.y, a.x.z, a.y.x, a.y.y, a.y.z, a.z.x, a.z.y, a.z.z};
      for (std::size_t i = 0; i < 9; ++i) out.map[i * count + f] = columns[i];
      const double posed[]{d.x, d.y, d.z}, rest[]{r.x, r.y, r.z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        out.posed[axis * count + f] = posed[axis];
        out.rest[axis * count + f] = rest[axis];
      }
      largest2 = std::max(largest2, squared(d));
      posed2 += squared(d);
      rest2 += squared(r);
    }
  }
  out.largest = std::sqrt(largest2);
  out.posed_per_rest = rest2 > 0 ? posed2 / rest2 : 0;
}

namespace {

// Of the bounding box of points.
double diagonal_of(const std::vector<float>& positions) {
  double square = 0;
  for (std::size_t axis = 0; axis < 3 && axis < positions.size(); ++axis) {
    double low = positions[axis], high = low;
    for (std::size_t i = axis; i < positions.size(); i += 3) {
      low = std::min(low, double{positions[i]}), high = std::max(high, double{positions[i]});
    }
    square += (high - low) * (high - low);
  }
  return std::sqrt(square);
}

constexpr double kMostKeptBytes = 64 << 20;

}  // namespace

Residuals::Residuals(const Problem& problem, const Workers& workers)
    : problem_(problem), longest_(kLongest * diagonal_of(problem.rig->mesh->positions)) {
  const std::size_t vertices = problem.vertex_count(), frames = problem.frame_count();
  const double bytes =
      static_cast<double>(vertices) *
      (sizeof(VertexResiduals) + 15.0 * sizeof(double) * static_cast<double>(frames));
  if (bytes > kMostKeptBytes) return;
  kept_.assign(vertices, VertexResiduals(frames));
  workers.run(vertices, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      compute_residuals(problem, static_cast<VertexIndex>(v), longest_, kept_[v]);
    }
  });
}

const VertexResiduals& Residuals::of(VertexIndex v, VertexResiduals& scratch) const {
  if (!kept_.empty()) return kept_[v];
  compute_residuals(problem_, v, longest_, scratch);
  return scratch;
}

// A thread sums a block of rows of the product.
void Gram::add(const double* rows, std::size_t row_count, const Workers& workers) {
  constexpr std::size_t kBlock = 16;
  workers.run(size_, kBlock,
              [&](std::size_t begin, std::size_t end) { add_block(rows, row_count, begin, end); });
}

// Four rows at a time, so that an element of the product is loaded once for four products.
void Gram::add_block(const double* rows, std::size_t row_count, std::size_t begin,
                     std::size_t end) {
  std::size_t row = 0;
  for (; row + 4 <= row_count; row += 4) {
    const double* const a = rows + row * size_;
    const double* const b = a + size_;
    const double* const c = b + size_;
    const double* const d = c + size_;
    for (std::size_t i = begin; i < end; ++i) {
      double* const sum = lower_.data() + i * size_;
      const double ai = a[i], bi = b[i], ci = c[i], di = d[i];
      for (std::size_t j = 0; j <= i; ++j) {
        sum[j] += (ai * a[j] + bi * b[j]) + (ci * c[j] + di * d[j]);
      }
    }
  }
  for (; row < row_count; ++row) {
    const double* const a = rows + row * size_;
    for (std::size_t i = begin; i < end; ++i) {
      double* const sum = lower_.data() + i * size_;
      for (std::size_t j = 0; j <= i; ++j) sum[j] += a[i] * a[j];
    }
  }
}

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
