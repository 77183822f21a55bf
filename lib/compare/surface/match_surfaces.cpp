//

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "bake/block/block_loop.h"
#include "compare/surface/bind_surface.h"
#include "compare/surface/closest_partner.h"
#include "compare/surface/placement.h"
#include "compare/surface/surfaces.h"
#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr double kSameIndex = 1e-4;  // of the diagonal: vertices with equal indices are the same
constexpr double kMostApart = 0.1;   // of the diagonal: farther apart, nothing is comparable
// Greater ratios mean other characters or other units: feet are 3.3 to a metre, which kMostApart
// refuses. Beyond this ratio, too many points would be needed to find that out.
constexpr double kMostLarger = 5;
// Another order: by index the root mean square is above this part of the diagonal, and the vertices
// are on the other surface within this part of it. Edits of a mesh move its surface too.
constexpr double kOtherOrder = 0.01, kOnSurface = 0.1;
constexpr std::size_t kPointsPerTask = 512;
// Partners are farther than the nearest point by at most this many times the median distance.
constexpr double kNoise = 4;

[[noreturn]] void refuse(const std::string& message) {
  throw Error("NOT_COMPARABLE", "not comparable: " + message);
}

std::vector<SurfacePoint> vertices_in(const std::vector<VertexIndex>& order) {
  std::vector<SurfacePoint> points;
  points.reserve(order.size());
  for (const VertexIndex v : order) points.push_back({{v, v, v}, {1, 0, 0}});
  return points;
}

std::vector<VertexIndex> ascending(VertexIndex count) {
  std::vector<VertexIndex> all(count);
  std::iota(all.begin(), all.end(), VertexIndex{0});
  return all;
}

PointPairs vertex_pairs(std::vector<VertexIndex> partners) {
  return {vertices_in(ascending(static_cast<VertexIndex>(partners.size()))), vertices_in(partners)};
}

// The distances of a search that only explains a difference: seconds.
constexpr std::uint64_t kMostVisitsToExplain = 100'000'000;

[[noreturn]] void throw_too_dense(const BindSurface& other, std::uint64_t most) {
  throw Error("SURFACES_TOO_DENSE", "the " + std::to_string(other.triangles.size()) +
                                        " triangles of a surface are so dense at some places that "
                                        "their closest points are not found within " +
                                        std::to_string(most) + " distances");
}

// Calls visit(i) for each point on several threads, while the search has distances left.
template <class Visit>
void for_each_point(std::size_t count, const PartnerSearch& search, const MatchPlan& plan,
                    const std::function<void(double part)>& progress, const Visit& visit) {
  std::mutex mutex;
  std::size_t done = 0;
  const auto report = [&](std::size_t some) {
    if (!progress) return;
    const std::lock_guard lock(mutex);
    done += some;
    progress(static_cast<double>(done) / static_cast<double>(count));
  };
  in_arena(plan.threads, [&](int) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kPointsPerTask),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        PartnerSearch::Scratch scratch(search);
                        for (std::size_t i = range.begin(); i < range.end(); ++i) {
                          visit(i, scratch);
                          if (search.visits() > plan.most_distances) {
                            throw_too_dense(search.surface(), plan.most_distances);
                          }
                        }
                        report(range.size());
                      });
  });
}

// [point] The first of the first `vertices` points at its place; itself for the others. The nearest
// triangles of thousands of vertices at one place are searched once.
std::vector<std::size_t> first_at_places(const BindSurface& surface,
                                         const std::vector<SurfacePoint>& points,
                                         std::size_t vertices) {
  std::vector<std::size_t> order(vertices), first(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::iota(first.begin(), first.end(), std::size_t{0});
  const auto place = [&](std::size_t v) {
    const Vec3<double>& p = surface.positions[points[v].corners[0]];
    return std::tuple{p.x, p.y, p.z};
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t v, std::size_t w) { return place(v) < place(w); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (place(order[i]) == place(order[i - 1])) first[order[i]] = first[order[i - 1]];
  }
  return first;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The partners of all points. The median distance is the noise of the files: of rounded positions,
// of another triangulation. A partner is not farther than the nearest point by more than some of
// it: a sheet that faces the right way beyond that is another part of the character.
PointPairs closest_pairs(const BindSurface& of, const BindSurface& other, double spacing_m,
                         const MatchPlan& plan, const std::function<void(double part)>& progress) {
  PointPairs pairs;
  pairs.points = sample_surface(of, spacing_m);
  const std::size_t count = pairs.points.size();
  pairs.partners.resize(count);
  const PartnerSearch search(other);
  const auto half = [&](double from) -> std::function<void(double)> {
    if (!progress) return {};
    return [&progress, from](double part) { progress(from + part / 2); };
  };
  const std::vector<std::size_t> first = first_at_places(of, pairs.points, of.positions.size());
  std::vector<double> distances(count);
  for_each_point(count, search, plan, half(0), [&](std::size_t i, PartnerSearch::Scratch&) {
    if (first[i] == i) distances[i] = search.distance_of(of.position(pairs.points[i]));
  });
  for (std::size_t i = 0; i < count; ++i) distances[i] = distances[first[i]];
  const double band_m = std::max(kNoise * median_of(distances), kEqualPart * other.diagonal_m);
  const PointNormals normals(of);
  std::atomic<std::int64_t> facing_away{0};
  for_each_point(
      count, search, plan, half(0.5), [&](std::size_t i, PartnerSearch::Scratch& scratch) {
        const SurfacePoint& point = pairs.points[i];
        const auto partner = search.partner_of(of, point, normals.of(point),
                                               {distances[i], distances[i] + band_m}, scratch);
        pairs.partners[i] = partner.point;
        if (partner.faces_away) ++facing_away;
      });
  pairs.facing_away = facing_away;
  return pairs;
}

bool have_several_meshes(const MatchPlan& plan) {
  return plan.mesh_counts[0] > 1 || plan.mesh_counts[1] > 1;
}

void require_near(const BindSurfaces& surfaces, const MatchedSurfaces& matched,
                  const std::array<SurfaceExtent, 2>& extents, const MatchPlan& plan) {
  const double apart = std::max(bind_distance(matched.a_to_b, surfaces.a, surfaces.b).rms,
                                bind_distance(*matched.b_to_a, surfaces.b, surfaces.a).rms);
  if (apart <= kMostApart * surfaces.a.diagonal_m) return;
  const std::string percent = std::to_string(apart / surfaces.a.diagonal_m * 100);
  refuse("the bind poses are " + percent.substr(0, percent.find('.') + 2) +
         " % of the diagonal apart (root mean square over the surfaces); the limit is 10 %" +
         cause_text(extents, plan.names, have_several_meshes(plan)));
}

// Precondition: both have triangles.
void require_like_size(const std::array<SurfaceExtent, 2>& extents, const MatchPlan& plan) {
  const double a = extents[0].diagonal_m, b = extents[1].diagonal_m;
  if (a <= kMostLarger * b && b <= kMostLarger * a) return;
  refuse("the sizes of the surfaces differ" +
         cause_text(extents, plan.names, have_several_meshes(plan)));
}

MatchedSurfaces match_by_surface(const BindSurfaces& surfaces, const MatchPlan& plan) {
  if (surfaces.a.triangles.empty() || surfaces.b.triangles.empty()) {
    refuse(plan.names[surfaces.a.triangles.empty() ? 0 : 1] + " has no triangles");
  }
  const std::array<SurfaceExtent, 2> extents{extent_of(surfaces.a), extent_of(surfaces.b)};
  require_like_size(extents, plan);
  const double spacing_m = plan.sampling * surfaces.a.diagonal_m;
  MatchedSurfaces matched;
  matched.match = Match::kSurface;
  const auto pairs_of = [&](const BindSurface& of, const BindSurface& other, double from) {
    std::function<void(double part)> half;
    if (plan.progress) half = [&plan, from](double part) { plan.progress(from + part / 2); };
    return closest_pairs(of, other, spacing_m, plan, half);
  };
  matched.a_to_b = pairs_of(surfaces.a, surfaces.b, 0);
  matched.b_to_a = pairs_of(surfaces.b, surfaces.a, 0.5);
  require_near(surfaces, matched, extents, plan);
  return matched;
}

MatchedSurfaces match_by_index(const BindSurfaces& surfaces, const MatchPlan& plan) {
  const VertexIndex a = surfaces.a.vertex_count(), b = surfaces.b.vertex_count();
  if (a != b) {
    refuse(plan.names[0] + " has " + std::to_string(a) + " vertices, " + plan.names[1] + " has " +
           std::to_string(b) + "; compare the surfaces");
  }
  const std::vector<VertexIndex> same = ascending(a);
  return {Match::kIndex,
          "",
          vertex_pairs(same),
          {},
          {},
          triangle_difference(surfaces.a, surfaces.b, same)};
}

MatchedSurfaces match_by_order(const BindSurfaces& surfaces, const MatchPlan& plan) {
  const auto order = match_order(surfaces.a, surfaces.b);
  if (!order) {
    refuse(plan.names[0] + " and " + plan.names[1] +
           " do not have the same vertices in another order; compare the surfaces");
  }
  return {Match::kOrder,
          "",
          vertex_pairs(*order),
          {},
          {},
          triangle_difference(surfaces.a, surfaces.b, *order)};
}

std::string unpaired_text(const BindSurfaces& surfaces) {
  const std::string a = std::to_string(surfaces.a.vertex_count()),
                    b = std::to_string(surfaces.b.vertex_count());
  return a == b ? "both files have " + a + " vertices, which are not at the same places"
                : "there are " + a + " and " + b + " vertices, which do not pair";
}

MatchedSurfaces match_automatically(const BindSurfaces& surfaces, const MatchPlan& plan) {
  TriangleDifference triangles;
  const std::optional<double> by_index = index_distance(surfaces.a, surfaces.b);
  if (by_index && *by_index <= kSameIndex * surfaces.a.diagonal_m) {
    MatchedSurfaces matched = match_by_index(surfaces, plan);
    matched.reason =
        "the counts and triangles are equal, and vertices with equal indices are at the same "
        "place in the bind pose";
    if (!matched.triangles.any()) return matched;
    triangles = matched.triangles;
  }
  if (auto order = match_order(surfaces.a, surfaces.b)) {
    triangles = triangle_difference(surfaces.a, surfaces.b, *order);
    if (!triangles.any()) {
      return {Match::kOrder,
              "the vertices are the same in another order",
              vertex_pairs(*order),
              {},
              {},
              {}};
    }
  }
  MatchedSurfaces matched = match_by_surface(surfaces, plan);
  matched.triangles = triangles;
  matched.reason =
      triangles.any() ? "the vertices pair, but the triangles differ" : unpaired_text(surfaces);
  return matched;
}

// The triangles that differ although vertices with equal indices are at the same place: a triangle
// that is smaller than the sampling has no points but its vertices, which others may share.
TriangleDifference difference_by_index(const BindSurfaces& surfaces) {
  const std::optional<double> by_index = index_distance(surfaces.a, surfaces.b);
  if (!by_index || *by_index > kSameIndex * surfaces.a.diagonal_m) return {};
  return triangle_difference(surfaces.a, surfaces.b, ascending(surfaces.a.vertex_count()));
}

// Precondition: the counts are equal.
double rms_by_index(const BindSurfaces& surfaces) {
  return bind_distance(vertex_pairs(ascending(surfaces.a.vertex_count())), surfaces.a, surfaces.b)
      .rms;
}

// The vertices of a frame as a surface that one joint moves.
BindSurface surface_of(const FrameVertices& frame) {
  BindSurface surface;
  for (std::size_t i = 0; i < frame.positions.size(); i += 3) {
    const float* p = frame.positions.data() + i;
    surface.positions.push_back({p[0], p[1], p[2]});
    surface.first_influence.push_back(static_cast<std::uint32_t>(i / 3));
    surface.influences.push_back({0, 1});
  }
  surface.first_influence.push_back(surface.vertex_count());
  surface.normals.resize(surface.positions.size(), Vec3<double>{0, 0, 0});
  surface.morphed = surface.positions;
  surface.triangles.assign(frame.triangles.begin(), frame.triangles.end());
  surface.joints.resize(1);
  surface.joint_ids = {0};
  surface.joint_id_count = 1;
  surface.diagonal_m = diagonal_of(surface.positions);
  return surface;
}

// Whether a few vertices are in another order, so that their distance by index is small on average:
// the triangles differ by index, and are the same between vertices of one place.
bool are_permuted(const BindSurface& a, const BindSurface& b) {
  if (!triangle_difference(a.triangles, b.triangles).any()) return false;
  const auto order = match_order(a, b);
  return order && !triangle_difference(a, b, *order).any();
}

}  // namespace

bool have_another_order(const BindSurfaces& surfaces) {
  const BindSurface &a = surfaces.a, &b = surfaces.b;
  if (a.vertex_count() != b.vertex_count() || b.triangles.empty()) return false;
  const double by_index = rms_by_index(surfaces);
  if (by_index <= kOtherOrder * a.diagonal_m) return by_index > 0 && are_permuted(a, b);
  const PartnerSearch search(b);
  double squares = 0;
  for (const Vec3<double>& p : a.positions) {
    const double distance = search.distance_of(p);
    squares += distance * distance;
    if (search.visits() > kMostVisitsToExplain) return false;
  }
  return std::sqrt(squares / a.vertex_count()) <= kOnSurface * by_index;
}

std::string_view to_string(Match match) {
  constexpr std::array<std::string_view, 4> kWords{"index", "order", "surface", "auto"};
  return kWords[static_cast<std::size_t>(match)];
}

PairDistance bind_distance(const PointPairs& pairs, const BindSurface& of,
                           const BindSurface& other) {
  PairDistance distance;
  double squares = 0;
  for (std::size_t i = 0; i < pairs.points.size(); ++i) {
    const double d = norm(of.position(pairs.points[i]) - other.position(pairs.partners[i]));
    squares += d * d;
    if (d > distance.max) distance.max = d, distance.worst = i;
  }
  if (!pairs.points.empty()) {
    distance.rms = std::sqrt(squares / static_cast<double>(pairs.points.size()));
  }
  return distance;
}

bool have_another_order(const FrameVertices& a, const FrameVertices& b) {
  if (a.positions.size() != b.positions.size() || a.positions.empty()) return false;
  const auto is_finite = [](float x) { return std::isfinite(x); };
  for (const FrameVertices* side : {&a, &b}) {
    if (!std::all_of(side->positions.begin(), side->positions.end(), is_finite)) return false;
  }
  BindSurfaces surfaces{surface_of(a), surface_of(b)};
  if (b.triangles.empty()) std::swap(surfaces.a, surfaces.b);
  if (!surfaces.b.triangles.empty()) return have_another_order(surfaces);
  return rms_by_index(surfaces) > kOtherOrder * surfaces.a.diagonal_m &&
         match_order(surfaces.a, surfaces.b).has_value();
}

MatchedSurfaces match_surfaces(const BindSurfaces& surfaces, const MatchPlan& plan) {
  if (plan.match != Match::kIndex && !(surfaces.a.diagonal_m > 0)) {
    refuse("all vertices of " + plan.names[0] + " are at one point");
  }
  MatchedSurfaces matched;
  switch (plan.match) {
    case Match::kIndex:
      matched = match_by_index(surfaces, plan);
      break;
    case Match::kOrder:
      matched = match_by_order(surfaces, plan);
      break;
    case Match::kSurface:
      matched = match_by_surface(surfaces, plan);
      matched.triangles = difference_by_index(surfaces);
      break;
    case Match::kAuto:
      matched = match_automatically(surfaces, plan);
      break;
  }
  matched.index_distance_m = index_distance(surfaces.a, surfaces.b);
  return matched;
}

}  // namespace skinbake
