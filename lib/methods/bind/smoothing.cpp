// Implicit smoothing, and the bind of delta mush.

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "math/scalar.h"
#include "methods/bind/smoothing.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Limit of the factor's size. For a surface of a million points it has some 60 million numbers.
constexpr std::int64_t kMostNumbers = 500'000'000;
// Limit of the factorisation's multiplications, which take minutes. A surface of a million points
// needs some 1e10.
constexpr double kMostWork = 2e11;

// Triangles whose sine is below this share of the edges' lengths are treated as without area.
constexpr double kFlat = 1e-12;

// Values below this are taken as zero. Far from a joint its fields decay until they are subnormal,
// and arithmetic on subnormal numbers takes a hundred times as long. Shares are at least 1e-12 and
// their moments some 1e-12 of the mesh's squared size, so that no result depends on it.
constexpr double kNothing = 1e-100;

// 64-bit indices: the size of a factor is not known before it is counted.
using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;

class Factor : public Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<std::int64_t>> {
 public:
  // The factor's pattern after analyzePattern; matrixL() asserts that it is computed.
  const Matrix& numbers() const { return m_matrix; }
};

// The lower half of D + lambda L; a point that keeps its value has the row of the identity.
Matrix system_of(const WeldedSurface& surface, const Laplacian& laplacian, double lambda) {
  const auto n = static_cast<std::int64_t>(surface.point_count());
  Matrix matrix(n, n);
  std::vector<std::int64_t> sizes(surface.point_count(), 1);
  for (PointIndex p = 0; p < surface.point_count(); ++p) {
    for (const PointIndex q : surface.neighbours_of(p)) sizes[p] += q > p;
  }
  matrix.reserve(sizes);
  for (PointIndex p = 0; p < surface.point_count(); ++p) {
    const double d = laplacian.diagonal[p];
    matrix.insert(p, p) = d > 0 ? d + lambda * d : 1;
    for (std::uint32_t i = surface.first_neighbour[p]; i < surface.first_neighbour[p + 1]; ++i) {
      const PointIndex q = surface.neighbours[i];
      if (q > p && laplacian.weights[i] > 0) matrix.insert(q, p) = -lambda * laplacian.weights[i];
    }
  }
  matrix.makeCompressed();
  return matrix;
}

// Whether the factor exceeds a limit.
bool is_too_large(const Matrix& numbers) {
  const std::int64_t* first = numbers.outerIndexPtr();
  double work = 0;
  for (std::int64_t column = 0; column < numbers.cols(); ++column) {
    const auto count = static_cast<double>(first[column + 1] - first[column]);
    work += count * count / 2;
  }
  return work > kMostWork || first[numbers.cols()] > kMostNumbers;
}

std::uint32_t index_of(const WeldedSurface& surface, PointIndex p, PointIndex neighbour) {
  const auto begin = surface.neighbours.begin() + surface.first_neighbour[p];
  const auto end = surface.neighbours.begin() + surface.first_neighbour[p + 1];
  return static_cast<std::uint32_t>(std::lower_bound(begin, end, neighbour) -
                                    surface.neighbours.begin());
}

[[noreturn]] void fail(const WeldedSurface& surface, std::string_view mesh) {
  PointIndex worst = 0;
  for (PointIndex p = 0; p < surface.point_count(); ++p) {
    if (surface.neighbours_of(p).size() > surface.neighbours_of(worst).size()) worst = p;
  }
  throw Error("SURFACE_TANGLED",
              "mesh '" + std::string(mesh) + "': its " + std::to_string(surface.point_count()) +
                  " points are too tangled for method 'ddm': triangles connect points from all "
                  "over it, vertex " +
                  std::to_string(surface.vertex_of[worst]) + " to " +
                  std::to_string(surface.neighbours_of(worst).size()) + " others");
}

double flushed(double value) {
  return std::abs(value) < kNothing ? 0 : value;
}

void sum_diagonal(const WeldedSurface& surface, Laplacian& laplacian) {
  laplacian.diagonal.assign(surface.point_count(), 0);
  for (PointIndex p = 0; p < surface.point_count(); ++p) {
    for (std::uint32_t i = surface.first_neighbour[p]; i < surface.first_neighbour[p + 1]; ++i) {
      laplacian.diagonal[p] += laplacian.weights[i];
    }
  }
}

}  // namespace

Laplacian uniform_laplacian(const WeldedSurface& surface) {
  Laplacian laplacian;
  laplacian.weights.assign(surface.neighbours.size(), 1);
  sum_diagonal(surface, laplacian);
  return laplacian;
}

Laplacian cotangent_laplacian(const WeldedSurface& surface,
                              const std::vector<Vec3<double>>& positions) {
  Laplacian laplacian;
  laplacian.weights.assign(surface.neighbours.size(), 0);
  for (const auto& t : surface.triangles) {
    for (int corner = 0; corner < 3; ++corner) {
      const PointIndex a = t[corner], b = t[(corner + 1) % 3], c = t[(corner + 2) % 3];
      const Vec3<double> u = positions[b] - positions[a], v = positions[c] - positions[a];
      const double sine = norm(cross(u, v));
      if (!(sine > kFlat * norm(u) * norm(v))) continue;
      const double half = dot(u, v) / sine / 2;
      laplacian.weights[index_of(surface, b, c)] += half;
      laplacian.weights[index_of(surface, c, b)] += half;
    }
  }
  for (double& w : laplacian.weights) w = std::max(w, 0.0);
  sum_diagonal(surface, laplacian);
  return laplacian;
}

ImplicitSmoother::ImplicitSmoother(const WeldedSurface& surface, const Laplacian& laplacian,
                                   double lambda, std::string_view mesh) {
  const std::size_t n = surface.point_count();
  Factor factor;
  {
    const Matrix system = system_of(surface, laplacian, lambda);
    factor.analyzePattern(system);
    if (n > 0 && is_too_large(factor.numbers())) fail(surface, mesh);
    factor.factorize(system);
  }
  const auto& order = factor.permutationP().indices();
  row_of_.resize(n);
  diagonal_.assign(n, 1);
  for (std::size_t p = 0; p < n; ++p) {
    const std::size_t row =
        order.size() > 0 ? static_cast<std::size_t>(order[static_cast<std::int64_t>(p)]) : p;
    row_of_[p] = static_cast<std::uint32_t>(row);
    if (laplacian.diagonal[p] > 0) diagonal_[row] = laplacian.diagonal[p];
  }
  // The first entry of each column is its diagonal.
  const Matrix& numbers = factor.numbers();
  const std::int64_t* first = numbers.outerIndexPtr();
  const std::size_t count = n == 0 ? 0 : static_cast<std::size_t>(first[n]) - n;
  first_.reserve(n + 1);
  pivots_.reserve(n);
  rows_.reserve(count);  // exactly: vectors that grow would take several times the memory
  values_.reserve(count);
  for (std::size_t column = 0; column < n; ++column) {
    first_.push_back(rows_.size());
    pivots_.push_back(1 / numbers.valuePtr()[first[column]]);
    for (std::int64_t i = first[column] + 1; i < first[column + 1]; ++i) {
      rows_.push_back(static_cast<std::uint32_t>(numbers.innerIndexPtr()[i]));
      values_.push_back(numbers.valuePtr()[i]);
    }
  }
  first_.push_back(rows_.size());
}

void ImplicitSmoother::smooth(int steps, double* fields) const {
  for (int step = 0; step < steps; ++step) {
    for (std::size_t row = 0; row < diagonal_.size(); ++row) {
      for (std::size_t f = 0; f < kFields; ++f) fields[row * kFields + f] *= diagonal_[row];
    }
    solve(fields);
  }
}

// Solves L y = b forwards, then L^T x = y backwards.
void ImplicitSmoother::solve(double* fields) const {
  const std::size_t n = diagonal_.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::array<double, kFields> x;
    bool has_value = false;
    for (std::size_t f = 0; f < kFields; ++f) {
      x[f] = fields[column * kFields + f] = flushed(fields[column * kFields + f] * pivots_[column]);
      has_value |= x[f] != 0;
    }
    if (!has_value) continue;
    for (std::uint64_t i = first_[column]; i < first_[column + 1]; ++i) {
      double* below = fields + std::size_t{rows_[i]} * kFields;
      for (std::size_t f = 0; f < kFields; ++f) below[f] -= values_[i] * x[f];
    }
  }
  for (std::size_t column = n; column-- > 0;) {
    std::array<double, kFields> x;
    for (std::size_t f = 0; f < kFields; ++f) x[f] = fields[column * kFields + f];
    for (std::uint64_t i = first_[column]; i < first_[column + 1]; ++i) {
      const double* below = fields + std::size_t{rows_[i]} * kFields;
      for (std::size_t f = 0; f < kFields; ++f) x[f] -= values_[i] * below[f];
    }
    for (std::size_t f = 0; f < kFields; ++f) {
      fields[column * kFields + f] = flushed(x[f] * pivots_[column]);
    }
  }
}

namespace {

struct Corner {
  PointIndex second, third;  // the triangle's other points, in its order
  double angle;
  Vec3<double> delta;
};

struct MushParameters {
  int iterations;
  double step;
  bool pins_border;
};

class CornerBinder {
 public:
  CornerBinder(const BindInput& input, const MushParameters& parameters)
      : input_(input), parameters_(parameters), surface_(build_surface(input.rig)) {
    for (const VertexIndex v : surface_.vertex_of) rest_.push_back(input.position(v));
    smooth();
    find_corners();
  }

  BindData run() const {
    BindData bind_data;
    bind_data.numbers_per_entry = kNumbersPerCorner;
    bind_data.first_entry.push_back(0);
    std::uint64_t entries = 0;
    for (const PointIndex p : surface_.point_of) {
      entries += 1 + neighbour_count(p) + 2 * (first_corner_[p + 1] - first_corner_[p]);
      if (entries > 0xffffffffu) {
        throw Error("MESH_TOO_LARGE", "mesh '" + input_.rig.id + "': its " +
                                          std::to_string(surface_.triangles.size()) +
                                          " triangles are more than method 'dm' supports");
      }
      bind_data.first_entry.push_back(static_cast<std::uint32_t>(entries));
    }
    bind_data.indices.resize(entries);
    bind_data.numbers.resize(entries * kNumbersPerCorner);
    input_.in_parallel(surface_.point_of.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t v = first; v < last; ++v) {
        const std::size_t entry = bind_data.first_entry[v];
        put(surface_.point_of[v], bind_data.indices.data() + entry,
            bind_data.numbers.data() + entry * kNumbersPerCorner);
      }
    });
    return bind_data;
  }

 private:
  bool is_pinned(PointIndex p) const { return parameters_.pins_border && surface_.on_border[p]; }
  std::uint32_t neighbour_count(PointIndex p) const {
    return is_pinned(p) ? 0 : static_cast<std::uint32_t>(surface_.neighbours_of(p).size());
  }
  double share(PointIndex p) const {
    return neighbour_count(p) > 0 ? parameters_.step / neighbour_count(p) : 0;
  }

  void smooth() {
    smoothed_ = rest_;
    std::vector<Vec3<double>> next(smoothed_.size());
    for (int i = 0; i < parameters_.iterations; ++i) {
      input_.in_parallel(next.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) next[p] = smoothed(static_cast<PointIndex>(p));
      });
      smoothed_.swap(next);
    }
  }

  Vec3<double> smoothed(PointIndex p) const {
    if (neighbour_count(p) == 0) return smoothed_[p];
    Vec3<double> sum{0, 0, 0};
    for (const PointIndex n : surface_.neighbours_of(p)) sum = sum + smoothed_[n];
    return fma(share(p), sum, (1 - parameters_.step) * smoothed_[p]);
  }

  // Lists the corners of every point, in the order of the triangles.
  void find_corners() {
    first_corner_.assign(surface_.point_count() + 1, 0);
    const auto for_each_corner = [&](const auto& visit) {
      for (const auto& t : surface_.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
          const Corner c = corner(t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
          if (c.angle > 0) visit(t[k], c);
        }
      }
    };
    for_each_corner([&](PointIndex p, const Corner&) { ++first_corner_[p + 1]; });
    for (std::size_t p = 1; p < first_corner_.size(); ++p) first_corner_[p] += first_corner_[p - 1];
    corners_.resize(first_corner_.back());
    std::vector<std::uint32_t> next(first_corner_.begin(), first_corner_.end() - 1);
    for_each_corner([&](PointIndex p, const Corner& c) { corners_[next[p]++] = c; });
  }

  Corner corner(PointIndex p, PointIndex second, PointIndex third) const {
    const Vec3<double> a = smoothed_[second] - smoothed_[p], b = smoothed_[third] - smoothed_[p];
    const double lengths = norm(a) * norm(b);
    const Vec3<double> normal = cross(a, b);
    const double sine = norm(normal);  // multiplied with the lengths
    Corner c{second, third, 0, {0, 0, 0}};
    if (!(sine > kLeastSine * lengths)) return c;
    c.angle = atan2(sine, dot(a, b));
    const Vec3<double> x = norm(b) * a + norm(a) * b, y = norm(a) * b - norm(b) * a;
    const Vec3<double> delta = rest_[p] - smoothed_[p];
    c.delta = {dot(x, delta) / norm(x), dot(y, delta) / norm(y), dot(normal, delta) / sine};
    return c;
  }

  void put(PointIndex p, std::uint32_t* indices, double* numbers) const {
    *indices++ = neighbour_count(p);
    *numbers = share(p);
    numbers += kNumbersPerCorner;
    for (std::uint32_t i = 0; i < neighbour_count(p); ++i) {
      *indices++ = surface_.vertex_of[surface_.neighbours_of(p)[i]];
      numbers += kNumbersPerCorner;
    }
    for (std::uint32_t i = first_corner_[p]; i < first_corner_[p + 1]; ++i) {
      const Corner& c = corners_[i];
      *indices++ = surface_.vertex_of[c.second];
      *indices++ = surface_.vertex_of[c.third];
      const Vec3<double> delta = c.angle * c.delta;
      numbers[kAngle] = c.angle;
      numbers[kDelta] = delta.x, numbers[kDelta + 1] = delta.y, numbers[kDelta + 2] = delta.z;
      numbers += 2 * kNumbersPerCorner;
    }
  }

  const BindInput& input_;
  MushParameters parameters_;
  WeldedSurface surface_;
  std::vector<Vec3<double>> rest_, smoothed_;  // [point]
  std::vector<std::uint32_t> first_corner_;    // [point + 1]
  std::vector<Corner> corners_;
};

}  // namespace

BindData bind_corner_frames(const BindInput& input) {
  using Of = MushParameter;
  const Parameters& p = input.parameters;
  return CornerBinder(input, {static_cast<int>(p[Of::kIterations]), p[Of::kStep], p[Of::kPin] != 0})
      .run();
}

}  // namespace skinbake
