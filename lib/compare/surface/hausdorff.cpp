// The Hausdorff distance of surfaces, and the prisms that bound it.

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <utility>

#include "bake/block/block_loop.h"
#include "compare/surface/closest_point.h"
#include "compare/surface/hausdorff.h"
#include "math/scalar.h"
#include "metrics/shape/triangle_tree.h"
#include "skinbake/error.h"

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

// ---- Min Tang, Minkyoung Lee, Young J. Kim. Interactive Hausdorff Distance Computation for
// General Polygonal Models. 2009. Parts of triangles are bounded from above and halved, the highest
// bound first, until no bound exceeds the largest distance of a corner by more than the tolerance.
//
// The distance to one triangle is a convex function, so on a part of a triangle it is largest at a
// corner: the part is no farther from the surface than its corners from any one of its triangles.
// A part across edges of the surface is cut into polygons, one for each triangle
// (compare/surface/hausdorff.h); without cuts, the parts along an edge would shrink to the
// tolerance.

namespace {

using Points = std::span<const Vec3<double>>;
using Triangles = std::span<const std::array<VertexIndex, 3>>;

constexpr std::size_t kPartsPerTriangle = 64, kPartsOfSurface = 100'000;  // the sum of both

// The parts of a surface that are in memory at a time.
std::size_t most_undecided(std::size_t triangles) {
  return kPartsOfSurface + triangles;
}

// A surface that distances are measured to.
class Target {
 public:
  Target(Points points, Triangles triangles) : tree_(triangles, {}, points), triangles_(triangles) {
    pose(points);
  }

  void pose(Points points) {
    points_ = points;
    tree_.fit(points, boxes_);
  }

  double squared_distance(const Vec3<double>& p, std::uint32_t triangle) const {
    const auto& t = triangles_[triangle];
    return closest_point(p, {points_[t[0]], points_[t[1]], points_[t[2]]}).squared_distance;
  }

  // The triangles near a ball, some that are farther away among them; none if there are many.
  void near_triangles(const Vec3<double>& centre, double radius,
                      std::vector<PrismCover::Corners>& found) const {
    constexpr std::size_t kMany = 64;
    const double squared = radius * radius;
    double searched = squared;
    std::size_t count = 0;
    found.clear();
    tree_.visit_near(centre, boxes_, searched, [&](std::uint32_t triangle) {
      if (++count > kMany) searched = -1;  // which ends the search
      if (count > kMany || squared_distance(centre, triangle) > squared) return;
      const auto& t = triangles_[triangle];
      found.push_back({points_[t[0]], points_[t[1]], points_[t[2]]});
    });
    if (count > kMany) found.clear();
  }

  struct Nearest {
    std::uint32_t triangle = 0;
    double distance = 0;
  };
  // `guess`: any triangle; a near one makes the search faster.
  Nearest nearest(const Vec3<double>& p, std::uint32_t guess) const {
    std::uint32_t best = guess;
    double squared = squared_distance(p, guess);
    tree_.visit_near(p, boxes_, squared, [&](std::uint32_t triangle) {
      const double other = squared_distance(p, triangle);
      if (other < squared || (other == squared && triangle < best)) {
        squared = other;
        best = triangle;
      }
    });
    return {best, std::sqrt(squared)};
  }

 private:
  TriangleTree tree_;
  Triangles triangles_;
  Points points_;
  std::vector<TriangleBox> boxes_;
};

struct Corner {
  Vec3<double> at;
  Target::Nearest nearest;
};

// A part of a triangle, and a bound of the distance of its points.
struct Part {
  std::array<Corner, 3> corners;
  double bound = 0;
  std::uint64_t number = 0;  // of equal bounds, the first part counts

  bool operator<(const Part& other) const {
    return bound != other.bound ? bound < other.bound : number > other.number;
  }
};

// The distance from all points of one surface to another.
class OneSided {
 public:
  OneSided(const Target& target, double tolerance) : target_(target), tolerance_(tolerance) {}

  HausdorffBounds measure(Points points, Triangles triangles) {
    const std::vector<Corner> corners = measured(points, triangles);
    const std::size_t most = most_undecided(triangles.size());
    std::vector<Part> reserved;  // a queue that grows would need up to 3 times the memory
    reserved.reserve(most);
    parts_ = std::priority_queue<Part>({}, std::move(reserved));
    for (const auto& t : triangles) add({corners[t[0]], corners[t[1]], corners[t[2]]});
    std::size_t parts_left = kPartsOfSurface + kPartsPerTriangle * triangles.size();
    while (!parts_.empty() && parts_.size() < most && parts_left-- > 0) {
      const Part part = parts_.top();
      if (part.bound <= lower_ + tolerance_) break;
      parts_.pop();
      halve(part);
    }
    const double undecided = parts_.empty() ? 0 : parts_.top().bound;
    return {lower_, std::max({lower_, dropped_, undecided})};
  }

 private:
  // Vertices that no triangle has are not part of the surface.
  std::vector<Corner> measured(Points points, Triangles triangles) {
    std::vector<Corner> corners(points.size());
    std::vector<bool> done(points.size(), false);
    std::uint32_t guess = 0;
    for (const auto& t : triangles) {
      for (const VertexIndex v : t) {
        if (done[v]) continue;
        done[v] = true;
        corners[v] = corner(points[v], guess);
        guess = corners[v].nearest.triangle;
      }
    }
    return corners;
  }

  Corner corner(const Vec3<double>& at, std::uint32_t guess) {
    const Corner corner{at, target_.nearest(at, guess)};
    lower_ = std::max(lower_, corner.nearest.distance);
    return corner;
  }

  void add(const std::array<Corner, 3>& corners) {
    Part part{corners, bound_of(corners), number_++};
    if (part.bound > lower_ + tolerance_) {
      // A corner is often as near to triangles beside the one that covers the part.
      const Corner centre = corner(centre_of(corners), corners[0].nearest.triangle);
      part.bound = std::min(part.bound, farthest(corners, centre.nearest.triangle));
    }
    if (part.bound > lower_ + tolerance_) {
      part.bound = std::min(part.bound, bound_by_cover(corners));
    }
    if (part.bound <= lower_ + tolerance_) {
      dropped_ = std::max(dropped_, part.bound);
    } else {
      parts_.push(part);
    }
  }

  // The largest distance of the corners from one triangle.
  double farthest(const std::array<Corner, 3>& corners, std::uint32_t triangle) const {
    double squared = 0;
    for (const Corner& corner : corners) {
      squared = std::max(squared, target_.squared_distance(corner.at, triangle));
    }
    return std::sqrt(squared);
  }

  double bound_of(const std::array<Corner, 3>& corners) const {
    double bound = std::numeric_limits<double>::infinity();
    for (const Corner& of : corners) {
      double size = 0;
      for (const Corner& corner : corners) size = std::max(size, norm(corner.at - of.at));
      bound = std::min({bound, farthest(corners, of.nearest.triangle), of.nearest.distance + size});
    }
    return bound;
  }

  Vec3<double> centre_of(const std::array<Corner, 3>& corners) const {
    return (1.0 / 3) * (corners[0].at + corners[1].at + corners[2].at);
  }

  // The bound of the part if the triangles around it cover it within the limit; else infinity.
  double bound_by_cover(const std::array<Corner, 3>& corners) {
    constexpr double kSlack = 1e-8;  // of the tolerance: more than rounding
    const Vec3<double> centre = centre_of(corners);
    const double limit = lower_ + tolerance_;
    double radius = 0;
    for (const Corner& corner : corners) radius = std::max(radius, norm(corner.at - centre));
    target_.near_triangles(centre, radius + limit, near_);
    return cover_.bound({corners[0].at, corners[1].at, corners[2].at}, near_, limit,
                        kSlack * tolerance_);
  }

  void halve(const Part& part) {
    std::size_t i = 0;
    double longest = -1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double length = norm(part.corners[(k + 1) % 3].at - part.corners[k].at);
      if (length > longest) longest = length, i = k;
    }
    const Corner &a = part.corners[i], &b = part.corners[(i + 1) % 3],
                 &c = part.corners[(i + 2) % 3];
    const Corner middle = corner(0.5 * (a.at + b.at), a.nearest.triangle);
    add({a, middle, c});
    add({middle, b, c});
  }

  const Target& target_;
  double tolerance_;
  double lower_ = 0, dropped_ = 0;
  std::uint64_t number_ = 0;
  std::priority_queue<Part> parts_;
  PrismCover cover_;
  std::vector<PrismCover::Corners> near_;
};

HausdorffBounds larger(const HausdorffBounds& a, const HausdorffBounds& b) {
  return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

HausdorffBounds between(const PosedSurface& a, const Target& a_target, const PosedSurface& b,
                        const Target& b_target, double tolerance_m) {
  return larger(OneSided(b_target, tolerance_m).measure(a.points, a.triangles),
                OneSided(a_target, tolerance_m).measure(b.points, b.triangles));
}

// Throws Error (kInput, NON_FINITE_POSITION): a distance to NaN bounds nothing.
std::vector<Vec3<double>> points_of(const FrameSource& source, std::int64_t frame) {
  std::vector<float> row(static_cast<std::size_t>(source.vertex_count()) * 3);
  source.read(frame, 1, row.data());
  std::vector<Vec3<double>> points;
  points.reserve(row.size() / 3);
  for (std::size_t i = 0; i < row.size(); i += 3) {
    points.push_back({row[i], row[i + 1], row[i + 2]});
    if (std::isfinite(row[i]) && std::isfinite(row[i + 1]) && std::isfinite(row[i + 2])) continue;
    throw Error("NON_FINITE_POSITION", "frame " + std::to_string(frame) + ", vertex " +
                                           std::to_string(i / 3) +
                                           " is not a finite number; bake the cache again");
  }
  return points;
}

}  // namespace

HausdorffBounds hausdorff_distance(const PosedSurface& a, const PosedSurface& b,
                                   double tolerance_m) {
  const Target a_target(a.points, a.triangles), b_target(b.points, b.triangles);
  return between(a, a_target, b, b_target, tolerance_m);
}

std::vector<HausdorffBounds> hausdorff_distances(const HausdorffPlan& plan) {
  const BindSurface &a = *plan.a, &b = *plan.b;
  const Target a_bind(a.positions, a.triangles), b_bind(b.positions, b.triangles);
  std::vector<HausdorffBounds> all(static_cast<std::size_t>(plan.frame_count));
  std::mutex mutex;
  std::int64_t frames_done = 0;
  in_arena(plan.threads, [&](int) {
    tbb::parallel_for(std::int64_t{0}, plan.frame_count, [&](std::int64_t frame) {
      const auto a_points = points_of(*plan.a_frames, frame);
      const auto b_points = points_of(*plan.b_frames, frame);
      // The trees of the bind pose, with the boxes of this frame.
      Target a_target = a_bind, b_target = b_bind;
      a_target.pose(a_points);
      b_target.pose(b_points);
      all[static_cast<std::size_t>(frame)] = between(
          {a_points, a.triangles}, a_target, {b_points, b.triangles}, b_target, plan.tolerance_m);
      const std::lock_guard lock(mutex);
      if (plan.progress) plan.progress(++frames_done);
    });
  });
  return all;
}

MetricResult hausdorff_section(const HausdorffBounds& at_rest,
                               const std::vector<HausdorffBounds>& frames, double tolerance_m,
                               double diagonal_m) {
  std::vector<double> lower, upper;
  for (const HausdorffBounds& bounds : frames) {
    lower.push_back(bounds.lower);
    upper.push_back(bounds.upper);
  }
  const auto worst = std::max_element(upper.begin(), upper.end());
  const std::int64_t at = worst - upper.begin();
  return {"hausdorff",
          {{"unit", std::string("m")},
           {"tolerance", tolerance_m},
           {"at_rest_lower", at_rest.lower},
           {"at_rest", at_rest.upper},
           {"at_rest_relative", at_rest.upper / diagonal_m},
           {"max_lower", lower[static_cast<std::size_t>(at)]},
           {"max", *worst},
           {"max_relative", *worst / diagonal_m},
           {"max_at", Place{.frame = at}},
           {"per_frame", std::vector<SectionField>{{"lower", lower}, {"upper", upper}}}}};
}

}  // namespace skinbake
