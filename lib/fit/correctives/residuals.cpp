#include "fit/correctives/residuals.h"

#include <algorithm>
#include <cmath>

#include "math/scalar.h"
#include "skinbake/memory.h"

namespace skinbake::fit {

namespace {

using Matrix = Affine<double>;  // its linear part

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

Vec3<double> damped(const Matrix& a, double frobenius2, const Vec3<double>& d) {
  constexpr double kRatio = 0.05;
  const double ridge = kRatio * kRatio * frobenius2 / 2;
  if (!(ridge > 0)) return {0, 0, 0};
  Matrix normal{transposed_times(a, a.x), transposed_times(a, a.y), transposed_times(a, a.z), {}};
  normal.x.x += ridge, normal.y.y += ridge, normal.z.z += ridge;
  return solve(normal, transposed_times(a, d));
}

bool is_nearly_singular(double determinant, double frobenius2) {
  constexpr double kLeastRatio = 0.05;
  const double bound = 2 * std::abs(determinant);
  return !(bound > 0 && bound >= kLeastRatio * frobenius2 * std::sqrt(frobenius2));
}

Vec3<double> before_skinning(const Matrix& a, const Vec3<double>& d) {
  const double frobenius2 = frobenius2_of(a);
  const bool is_singular = is_nearly_singular(determinant(a), frobenius2);
  return is_singular ? damped(a, frobenius2, d) : solve(a, d);
}

}  // namespace

// With the singular values s1 >= s2 >= s3 of A and its Frobenius norm F: s3 / s1 >= 2 |det A| /
// F^3, because s1 s2 <= F^2 / 2 and s1 <= F.
bool is_nearly_singular(const Affine<double>& map) {
  return is_nearly_singular(determinant(map), frobenius2_of(map));
}

VertexResiduals::VertexResiduals(std::size_t frames)
    : frame_count(frames), map(9 * frames), posed(3 * frames), rest(3 * frames) {}

void compute_residuals(const Problem& problem, VertexIndex v, VertexResiduals& out) {
  const std::size_t count = out.frame_count;
  double largest2 = 0;
  std::size_t f = 0;
  for (const ClipFrames& clip : problem.clips) {
    for (std::size_t frame = 0; frame < clip.frame_count(); ++frame, ++f) {
      const Matrix a = problem.linear_map(clip, frame, v);
      const Vec3<double> d =
          problem.target(clip, frame, v) - a * problem.rest_position(clip, frame, v);
      const Vec3<double> r = before_skinning(a, d);
      const double columns[]{a.x.x, a.x.y, a.x.z, a.y.x, a.y.y, a.y.z, a.z.x, a.z.y, a.z.z};
      for (std::size_t i = 0; i < 9; ++i) out.map[i * count + f] = columns[i];
      const double posed[]{d.x, d.y, d.z}, rest[]{r.x, r.y, r.z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        out.posed[axis * count + f] = posed[axis];
        out.rest[axis * count + f] = rest[axis];
      }
      largest2 = std::max(largest2, squared(d));
    }
  }
  out.largest = std::sqrt(largest2);
}

namespace {

constexpr std::uint64_t kMostKeptBytes = std::uint64_t{64} << 20;

constexpr std::uint64_t bytes_of(std::uint64_t vertices, std::uint64_t frames) {
  return saturated_product(vertices,
                           saturated_sum(sizeof(VertexResiduals), 15 * sizeof(double) * frames));
}

}  // namespace

Residuals::Residuals(const Problem& problem, const Workers& workers) : problem_(problem) {
  const std::size_t vertices = problem.vertex_count(), frames = problem.frame_count();
  if (bytes_of(vertices, frames) > kMostKeptBytes) return;
  kept_.assign(vertices, VertexResiduals(frames));
  workers.run(vertices, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      compute_residuals(problem, static_cast<VertexIndex>(v), kept_[v]);
    }
  });
}

const VertexResiduals& Residuals::of(VertexIndex v, VertexResiduals& scratch) const {
  if (!kept_.empty()) return kept_[v];
  compute_residuals(problem_, v, scratch);
  return scratch;
}

std::uint64_t Residuals::memory(std::uint64_t vertices, std::uint64_t frames) {
  const std::uint64_t bytes = bytes_of(vertices, frames);
  return bytes <= kMostKeptBytes ? bytes : 0;
}

}  // namespace skinbake::fit
