#include "bake/normals/tangents.h"

#include <cmath>

#include "math/scalar.h"
#include "skinbake/frames.h"

namespace skinbake {

namespace {

// The part of d that is perpendicular to n, whose length is 1 up to rounding.
Vec3<double> perpendicular_part(const Vec3<double>& d, const Vec3<double>& n) {
  return d - dot(n, d) / dot(n, n) * n;
}

Vec3<double> farthest_axis(const Vec3<double>& n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  if (x <= y && x <= z) return {1, 0, 0};
  return y <= z ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1};
}

Vec3<double> unit_tangent(const Vec3<double>& n, const Vec3<double>& t) {
  if (!(dot(n, n) > 0)) return {1, 0, 0};
  constexpr double kRounding2 = 1e-12;  // a smaller share of t's square is rounding error
  Vec3<double> d = perpendicular_part(t, n);
  const double length2 = dot(d, d);
  if (!std::isfinite(length2) || !(length2 > kRounding2 * dot(t, t)))
    d = perpendicular_part(farthest_axis(n), n);
  return 1 / std::sqrt(dot(d, d)) * d;
}

Vec3<double> vector_at(const float* numbers) {
  return {numbers[0], numbers[kFramesPerBlock], numbers[2 * kFramesPerBlock]};
}

}  // namespace

void finish_tangents(const TangentTask& task) {
  for (std::size_t v = 0; v < task.vertices; ++v) {
    const bool has_tangent = task.rest[4 * v + 3] != 0;
    const std::size_t first = v * 3 * kFramesPerBlock;
    for (std::size_t i = first; i < first + kFramesPerBlock; ++i) {
      const Vec3<double> t =
          has_tangent ? unit_tangent(vector_at(task.normals + i), vector_at(task.tangents + i))
                      : Vec3<double>{0, 0, 0};
      task.tangents[i] = static_cast<float>(t.x);
      task.tangents[i + kFramesPerBlock] = static_cast<float>(t.y);
      task.tangents[i + 2 * kFramesPerBlock] = static_cast<float>(t.z);
    }
  }
}

}  // namespace skinbake
