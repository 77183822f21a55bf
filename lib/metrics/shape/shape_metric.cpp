#include "metrics/shape/shape_metric.h"

#include "rig/surface/triangles.h"

namespace skinbake {

std::vector<std::int64_t> file_triangles_of(const Rig& rig, const Topology& topology) {
  std::vector<std::int64_t> indices;
  indices.reserve(topology.triangles.size());
  for (std::size_t t = 0; t < rig.mesh->triangles.size(); ++t) {
    if (is_degenerate(rig.mesh->triangles[t], topology.welded)) continue;
    indices.push_back(static_cast<std::int64_t>(t));
  }
  return indices;
}

}  // namespace skinbake
