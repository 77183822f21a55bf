// The list of metrics, in the order of reports. To add one: a file, a line at the end of
// shape_metric.h and a line here.

#include "skinbake/metrics.h"
#include "metrics/shape/shape_metric.h"

namespace skinbake {

std::vector<MetricInfo> metrics() {
  return {
      {"error", MetricUnit::kMetres,
       "distance of every vertex from the reference's: rms, mean, max, percentiles"},
      {"volume", MetricUnit::kCubicMetres,
       "enclosed volume and its loss, of solid components and joint regions", true},
      {"edge_stretch", MetricUnit::kRatio, "length of every edge over its length at the baseline",
       true, make_edge_stretch, memory_of_edge_stretch},
      {"triangle_distortion", MetricUnit::kRatio,
       "as-rigid-as-possible and symmetric Dirichlet energy, conformal distortion and area ratio "
       "of every triangle",
       true, make_triangle_distortion, memory_of_triangle_distortion},
      {"dihedral", MetricUnit::kRadians,
       "change of the angle between triangles at every edge, and folds", true, make_dihedral,
       memory_of_dihedral},
      {"normal_deviation", MetricUnit::kRadians,
       "angle between the skinned normals and those of the skinned surface", true,
       make_normal_deviation, memory_of_normal_deviation},
      {"inversions", MetricUnit::kRatio,
       "triangles that face away from the direction into which their joints rotate them", true,
       make_inversions, memory_of_inversions},
      {"candy_wrapper", MetricUnit::kRatio,
       "share of its cross-section that each joint segment loses, at 16 stations", true,
       make_candy_wrapper, memory_of_candy_wrapper},
      {"bulge", MetricUnit::kRatio,
       "growth and collapse of every vertex's distance from its joint segment", false, make_bulge,
       memory_of_bulge},
      {"self_intersection", MetricUnit::kRatio,
       "pairs of triangles that cross now and did not cross at the baseline", true,
       make_self_intersection, memory_of_self_intersection},
      {"in_between", MetricUnit::kMetres,
       "error of interpolating frames linearly, halfway between them", false, make_in_between,
       memory_of_in_between},
  };
}

}  // namespace skinbake
