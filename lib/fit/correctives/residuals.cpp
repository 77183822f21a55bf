#include "fit/correctives/residuals.h"

#include <algorithm>
#include <cmath>

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
// as those of S do, but its determinant is that of R.
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

}  // namespace skinbake::fit
