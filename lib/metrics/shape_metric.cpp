#include "metrics/shape_metric.h"

namespace skinbake {

std::vector<std::int64_t> file_triangles_of(const Rig& rig, const Topology& topology) {
  std::vector<std::int64_t> places;
  places.reserve(topology.triangles.size());
  for (std::size_t t = 0; t < rig.mesh->triangles.size(); ++t) {
    const auto& corners = rig.mesh->triangles[t];
    const VertexIndex a = topology.welded[corners[0]], b = topology.welded[corners[1]];
    const VertexIndex c = topology.welded[corners[2]];
    if (a != b && b != c && c != a) places.push_back(static_cast<std::int64_t>(t));
  }
  return places;
}

}  // namespace skinbake
