#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>

#include "bake/block_loop.h"
#include "compare/surface/closest_partner.h"
#include "compare/surface/sampling.h"
#include "math/scalar.h"
#include "skinbake/error.h"
#include "skinbake/memory.h"
#include "skinbake/tool/surfaces.h"

namespace skinbake {
namespace {

constexpr double kSameIndex = 1e-4;  // of the diagonal: vertices with equal indices are the same
constexpr double kMostApart = 0.1;   // of the diagonal: farther apart, nothing is comparable
// Another order: by index the root mean square is above this part of the diagonal, and the vertices
// are on the other surface within this part of it. Edits of a mesh move its surface too.
constexpr double kOtherOrder = 0.01, kOnSurface = 0.1;
constexpr std::size_t kPointsPerTask = 512;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::kNotComparable, "NOT_COMPARABLE", "not comparable: " + message);
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

PointPairs closest_pairs(const BindSurface& of, const BindSurface& other, double spacing_m,
                         int threads) {
  PointPairs pairs;
  pairs.points = sample_surface(of, spacing_m);
  pairs.partners.resize(pairs.points.size());
  const PartnerSearch search(other);
  const PointNormals normals(of);
  std::atomic<std::int64_t> facing_away{0};
  in_arena(threads, [&](int) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, pairs.points.size(), kPointsPerTask),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        PartnerSearch::Scratch scratch(search);
                        for (std::size_t i = range.begin(); i < range.end(); ++i) {
                          const SurfacePoint& point = pairs.points[i];
                          const auto partner =
                              search.partner_of(of, point, normals.of(point), scratch);
                          pairs.partners[i] = partner.point;
                          if (partner.faces_away) ++facing_away;
                        }
                      });
  });
  pairs.facing_away = facing_away;
  return pairs;
}

void require_memory(const BindSurfaces& surfaces, double spacing_m, const MatchPlan& plan) {
  const std::uint64_t points =
      saturated_sum(sample_count(surfaces.a, spacing_m), sample_count(surfaces.b, spacing_m));
  // A point, its partner, and the numbers that a comparison keeps for it.
  constexpr std::uint64_t kPerPoint = 2 * sizeof(SurfacePoint) + 64;
  const std::uint64_t bytes = saturated_product(points, kPerPoint);
  if (bytes <= plan.max_memory) return;
  throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
              std::to_string(points) + " points of the surfaces need " + memory_text(bytes) +
                  " of memory, more than the limit of " + memory_text(plan.max_memory) + "; " +
                  raised_limit(bytes) + ", or sample more coarsely with --sampling");
}

void require_near(const BindSurfaces& surfaces, const MatchedSurfaces& matched) {
  const double apart = std::max(bind_distance(matched.a_to_b, surfaces.a, surfaces.b).rms,
                                bind_distance(*matched.b_to_a, surfaces.b, surfaces.a).rms);
  if (apart <= kMostApart * surfaces.a.diagonal_m) return;
  const std::string percent = std::to_string(apart / surfaces.a.diagonal_m * 100);
  refuse("the bind poses are " + percent.substr(0, percent.find('.') + 2) +
         " % of the diagonal apart (root mean square over the surfaces); the limit is 10 %");
}

MatchedSurfaces match_by_surface(const BindSurfaces& surfaces, const MatchPlan& plan) {
  if (surfaces.a.triangles.empty() || surfaces.b.triangles.empty()) {
    refuse(std::string(surfaces.a.triangles.empty() ? "A" : "B") + " has no triangles");
  }
  const double spacing_m = plan.sampling * surfaces.a.diagonal_m;
  if (!(spacing_m > 0)) refuse("all vertices of A are at one point");
  require_memory(surfaces, spacing_m, plan);
  MatchedSurfaces matched;
  matched.match = Match::kSurface;
  matched.a_to_b = closest_pairs(surfaces.a, surfaces.b, spacing_m, plan.threads);
  matched.b_to_a = closest_pairs(surfaces.b, surfaces.a, spacing_m, plan.threads);
  require_near(surfaces, matched);
  return matched;
}

MatchedSurfaces match_by_index(const BindSurfaces& surfaces) {
  const VertexIndex a = surfaces.a.vertex_count(), b = surfaces.b.vertex_count();
  if (a != b) {
    refuse("A has " + std::to_string(a) + " vertices, B has " + std::to_string(b) +
           "; --match surface compares the surfaces");
  }
  return {Match::kIndex, "", vertex_pairs(ascending(a)), {}, {}};
}

MatchedSurfaces match_by_order(const BindSurfaces& surfaces) {
  const auto order = match_order(surfaces.a, surfaces.b);
  if (!order) {
    refuse(
        "A and B do not have the same vertices in another order; --match surface compares the "
        "surfaces");
  }
  return {Match::kOrder, "", vertex_pairs(*order), {}, {}};
}

std::string counts_text(const BindSurfaces& surfaces) {
  return std::to_string(surfaces.a.vertex_count()) + " and " +
         std::to_string(surfaces.b.vertex_count()) + " vertices";
}

MatchedSurfaces match_automatically(const BindSurfaces& surfaces, const MatchPlan& plan) {
  const std::optional<double> by_index = index_distance(surfaces.a, surfaces.b);
  if (by_index && *by_index <= kSameIndex * surfaces.a.diagonal_m) {
    MatchedSurfaces matched = match_by_index(surfaces);
    matched.reason =
        "the counts are equal, and vertices with equal indices are at the same place "
        "in the bind pose";
    return matched;
  }
  if (const auto order = match_order(surfaces.a, surfaces.b)) {
    return {
        Match::kOrder, "the vertices are the same in another order", vertex_pairs(*order), {}, {}};
  }
  MatchedSurfaces matched = match_by_surface(surfaces, plan);
  matched.reason = "there are " + counts_text(surfaces) + ", which do not pair";
  return matched;
}

}  // namespace

bool have_another_order(const BindSurfaces& surfaces) {
  const BindSurface &a = surfaces.a, &b = surfaces.b;
  if (a.vertex_count() != b.vertex_count() || b.triangles.empty()) return false;
  PointPairs pairs = vertex_pairs(ascending(a.vertex_count()));
  const double by_index = bind_distance(pairs, a, b).rms;
  if (by_index <= kOtherOrder * a.diagonal_m) return false;
  const PartnerSearch search(b);
  const PointNormals normals(a);
  PartnerSearch::Scratch scratch(search);
  for (std::size_t i = 0; i < pairs.points.size(); ++i) {
    pairs.partners[i] =
        search.partner_of(a, pairs.points[i], normals.of(pairs.points[i]), scratch).point;
  }
  return bind_distance(pairs, a, b).rms <= kOnSurface * by_index;
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

MatchedSurfaces match_surfaces(const BindSurfaces& surfaces, const MatchPlan& plan) {
  MatchedSurfaces matched;
  switch (plan.match) {
    case Match::kIndex:
      matched = match_by_index(surfaces);
      break;
    case Match::kOrder:
      matched = match_by_order(surfaces);
      break;
    case Match::kSurface:
      matched = match_by_surface(surfaces, plan);
      break;
    case Match::kAuto:
      matched = match_automatically(surfaces, plan);
      break;
  }
  matched.index_distance_m = index_distance(surfaces.a, surfaces.b);
  return matched;
}

}  // namespace skinbake
