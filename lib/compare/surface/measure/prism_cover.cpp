#include "compare/surface/measure/prism_cover.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "compare/surface/closest_point.h"

namespace skinbake {

namespace {

double distance(const Vec3<double>& p, const PrismCover::Corners& triangle) {
  return std::sqrt(closest_point(p, triangle).squared_distance);
}

}  // namespace

// Cuts a polygon by a plane. Returns false if a side would have too many corners.
bool PrismCover::split(const Polygon& polygon, const Plane& plane, Polygon& inside,
                       Polygon& outside) {
  inside.count = outside.count = 0;
  if (polygon.count + 1 >= kMostCorners) return false;
  const auto height = [&](const Vec3<double>& p) { return dot(plane.normal, p) - plane.offset; };
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Vec3<double>&p = polygon.corners[i], &q = polygon.corners[(i + 1) % polygon.count];
    const double from = height(p), to = height(q);
    if (from >= 0) inside.add(p);
    if (from <= 0) outside.add(p);
    if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
      const Vec3<double> crossing = p + (from / (from - to)) * (q - p);
      inside.add(crossing);
      outside.add(crossing);
    }
  }
  return true;
}

// Sets inside_ to the polygon inside the prism, and pieces_ to the rest. Returns false if nothing
// is inside.
bool PrismCover::cut(const Polygon& polygon, const Prism& prism) {
  pieces_.clear();
  inside_ = polygon;
  for (const Plane& plane : prism) {
    Polygon inside, outside;
    if (!split(inside_, plane, inside, outside) || inside.count < 3) return false;
    if (outside.count >= 3) pieces_.push_back(outside);
    inside_ = inside;
  }
  return true;
}

double PrismCover::bound(const Corners& part, std::span<const Corners> triangles, double limit,
                         double slack) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const Vec3<double> normal = cross(part[1] - part[0], part[2] - part[0]);
  if (!(norm(normal) > 0)) return kNone;
  const auto prism_over = [&](const Corners& triangle) -> std::optional<Prism> {
    const double side = dot(normal, cross(triangle[1] - triangle[0], triangle[2] - triangle[0]));
    Prism prism;
    for (std::size_t i = 0; i < 3; ++i) {
      Vec3<double> inward = cross(normal, triangle[(i + 1) % 3] - triangle[i]);
      const double length = norm(inward);
      if (!(length > 0) || side == 0) return {};
      inward = ((side > 0 ? 1 : -1) / length) * inward;
      prism[i] = {inward, dot(inward, triangle[i]) - slack};
    }
    return prism;
  };
  double largest = 0;
  left_.assign(1, {});
  for (const Vec3<double>& corner : part) left_.front().add(corner);
  for (const Corners& triangle : triangles) {
    const std::optional<Prism> prism = prism_over(triangle);
    if (!prism) continue;
    next_.clear();
    for (const Polygon& polygon : left_) {
      double farthest = kNone;
      if (cut(polygon, *prism)) {
        farthest = 0;
        for (std::size_t i = 0; i < inside_.count; ++i) {
          farthest = std::max(farthest, distance(inside_.corners[i], triangle));
        }
      }
      if (farthest <= limit) {
        largest = std::max(largest, farthest);
        next_.insert(next_.end(), pieces_.begin(), pieces_.end());
      } else {
        next_.push_back(polygon);
      }
    }
    std::swap(left_, next_);
    if (left_.empty()) return largest;
    if (left_.size() > kMostPolygons) return kNone;
  }
  return kNone;
}

}  // namespace skinbake
