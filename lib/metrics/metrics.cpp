// The list of metrics, in the order of reports. Adding one: a file, its line in shape_metrics.h and
// its line here.

#include "skinbake/metrics.h"
#include "metrics/shape_metrics.h"

namespace skinbake {

std::vector<MetricInfo> metrics() {
  return {
      {"error", "m", "distance of every vertex from the reference's: rms, mean, max, percentiles"},
      {"volume", "m3", "enclosed volume and its loss, of solid components and joint regions", true},
      {"edge_stretch", "1", "length of every edge over its length at the baseline", true,
       make_edge_stretch},
      {"triangle_distortion", "1",
       "as-rigid-as-possible and symmetric Dirichlet energy, conformal distortion and area ratio "
       "of every triangle",
       true, make_triangle_distortion},
      {"dihedral", "rad", "change of the angle between triangles at every edge, and folds", true,
       make_dihedral},
      {"normal_deviation", "rad",
       "angle between the skinned normals and those of the skinned surface", true,
       make_normal_deviation},
      {"inversions", "1", "triangles that face away from where their joints turn them", true,
       make_inversions},
      {"candy_wrapper", "1", "how much of its cross-section each bone loses, at 16 stations", true,
       make_candy_wrapper},
      {"bulge", "1", "growth and collapse of every vertex's distance from its bone", false,
       make_bulge},
      {"self_intersection", "1", "pairs of triangles that cross and do not at the baseline", true,
       make_self_intersection},
      {"in_between", "m", "error of interpolating frames linearly, halfway between them", false,
       make_in_between},
  };
}

}  // namespace skinbake
