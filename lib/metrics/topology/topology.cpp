// Builds the topology of a rig's surface: welding, orientation, components, boundaries, joint
// regions, and their volumes at the baseline. lib/metrics/README.md defines the terms.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "metrics/kernels.h"
#include "metrics/topology/surface_parts.h"
#include "rig/surface/triangles.h"
#include "rig/surface/weld.h"
#include "skinbake/metrics.h"

namespace skinbake {
namespace {

// Greatest fraction of caps in the area of a solid component. Above it, the caps and not the
// surface determine the volume: capes, hair cards.
constexpr double kMostCapArea = 0.4;
// Least volume, as a fraction of area^1.5. A sphere has 0.094; smaller volumes are flat surfaces.
constexpr double kLeastVolume = 1e-6;

// Volume and areas of a part at the baseline.
struct Measure {
  double volume_m3 = 0, surface_m2 = 0, cap_m2 = 0;

  void add_surface(const PatchMeasure& m) {
    volume_m3 += m.six_volume / 6;
    surface_m2 += m.twice_area / 2;
  }
  void add_cap(const PatchMeasure& m) {
    volume_m3 += m.six_volume / 6;
    cap_m2 += m.twice_area / 2;
  }
  double cap_fraction() const { return cap_m2 > 0 ? cap_m2 / (surface_m2 + cap_m2) : 0; }
  bool has_volume() const {
    return std::abs(volume_m3) > kLeastVolume * surface_m2 * std::sqrt(surface_m2);
  }
};

void drop_degenerate(const Mesh& mesh, Topology& topology) {
  topology.triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    if (is_degenerate(t, topology.welded)) {
      ++topology.degenerate_triangles;
    } else {
      topology.triangles.push_back(t);
    }
  }
}

void count_edges(const Edges& edges, const Orientation& orientation, Topology& topology) {
  topology.nonmanifold_edges = std::count_if(edges.uses.begin(), edges.uses.end(),
                                             [](std::uint32_t uses) { return uses > 2; });
  topology.flipped_edges = orientation.flipped_edges;
  topology.flipped_triangles = orientation.flipped_triangles;
  topology.non_orientable_patches = orientation.non_orientable_patches;
}

// Finds the sets of triangles that are connected by welded vertices. Returns [triangle] ->
// component.
std::vector<std::uint32_t> find_components(Topology& topology) {
  constexpr std::uint32_t kNone = ~0u;
  const std::vector<VertexIndex>& welded = topology.welded;
  UnionFind sets(welded.size());
  for (const auto& [a, b, c] : topology.triangles) {
    sets.join(welded[a], welded[b]);
    sets.join(welded[a], welded[c]);
  }
  // Components are numbered by their first file vertex that a triangle uses.
  std::vector<bool> used(welded.size());
  for (const Triangle& t : topology.triangles) {
    for (const VertexIndex v : t) used[v] = true;
  }
  std::vector<std::uint32_t> component_of_root(welded.size(), kNone);
  for (VertexIndex v = 0; v < welded.size(); ++v) {
    if (!used[v]) continue;
    std::uint32_t& component = component_of_root[sets.root(welded[v])];
    if (component != kNone) continue;
    component = static_cast<std::uint32_t>(topology.components.size());
    topology.components.emplace_back().first_vertex = v;
  }
  std::vector<std::uint32_t> component_of(topology.triangles.size());
  for (std::uint32_t t = 0; t < component_of.size(); ++t) {
    component_of[t] = component_of_root[sets.root(welded[topology.triangles[t][0]])];
    topology.components[component_of[t]].triangles.push_back(t);
    ++topology.components[component_of[t]].triangle_count;
  }
  return component_of;
}

Measure measure_caps(const Component& part, const BaselinePose& baseline) {
  Measure measure;
  for (const Cap& cap : part.caps) {
    const auto edges = std::span(part.boundary).subspan(cap.first_edge, cap.edge_count);
    measure.add_cap(measure_patch(baseline.positions.data(), CapEdges{edges, cap.origin}));
  }
  return measure;
}

// Adds the caps of a part to the measure of its surface and stores volume and cap fraction.
Measure close_part(Measure measure, const BaselinePose& baseline, Component& part) {
  const Measure caps = measure_caps(part, baseline);
  measure.volume_m3 += caps.volume_m3;
  measure.cap_m2 = caps.cap_m2;
  part.baseline_volume_m3 = measure.volume_m3;
  part.cap_area_fraction = measure.cap_fraction();
  return measure;
}

// [patch]
std::vector<PatchMeasure> measure_patches(const Topology& topology, const BaselinePose& baseline) {
  std::vector<PatchMeasure> measures;
  std::vector<Triangle> corners;
  for (const SurfacePatch& patch : topology.patches) {
    corners.clear();
    for (const std::uint32_t t : patch.triangles) corners.push_back(topology.triangles[t]);
    const VertexIndex origin = topology.components[patch.component].first_vertex;
    const std::vector<TrianglePair> pairs =
        pair_triangles(topology.triangles, patch.triangles, origin);
    measures.push_back(measure_patch(baseline.positions.data(), {pairs, origin}, corners));
  }
  return measures;
}

void classify_components(const std::vector<PatchMeasure>& measures, const BaselinePose& baseline,
                         Topology& topology) {
  std::vector<Measure> surfaces(topology.components.size());
  for (std::size_t p = 0; p < measures.size(); ++p) {
    surfaces[topology.patches[p].component].add_surface(measures[p]);
  }
  double surface_m2 = 0, cap_m2 = 0;
  topology.closed = true;
  for (std::size_t c = 0; c < surfaces.size(); ++c) {
    Component& component = topology.components[c];
    const Measure measure = close_part(surfaces[c], baseline, component);
    component.solid = component.cap_area_fraction <= kMostCapArea && measure.has_volume();
    topology.closed = topology.closed && component.closed;
    topology.boundary_edges += static_cast<std::int64_t>(component.boundary.size());
    topology.boundary_components += static_cast<std::int64_t>(component.caps.size());
    surface_m2 += measure.surface_m2;
    cap_m2 += measure.cap_m2;
  }
  topology.cap_area_fraction = Measure{0, surface_m2, cap_m2}.cap_fraction();
}

// Creates a region for each joint that is a hinge in a solid component, and replaces the joints of
// the patches by regions.
void create_regions(std::size_t joint_count, Topology& topology) {
  constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> region_of(joint_count, kNone);
  for (SurfacePatch& patch : topology.patches) {
    if (!topology.components[patch.component].solid) patch.regions.clear();
    for (const JointIndex j : patch.regions) region_of[j] = 0;
  }
  for (JointIndex j = 0; j < joint_count; ++j) {
    if (region_of[j] == kNone) continue;
    region_of[j] = static_cast<std::uint32_t>(topology.joint_regions.size());
    topology.joint_regions.emplace_back().joint = j;
  }
  for (SurfacePatch& patch : topology.patches) {
    for (std::uint32_t& region : patch.regions) region = region_of[region];
  }
}

void fill_regions(const std::vector<std::uint32_t>& patch_of, Topology& topology) {
  for (JointRegion& region : topology.joint_regions) region.surface.first_vertex = ~VertexIndex{0};
  for (std::uint32_t t = 0; t < patch_of.size(); ++t) {
    for (const std::uint32_t r : topology.patches[patch_of[t]].regions) {
      Component& surface = topology.joint_regions[r].surface;
      surface.triangles.push_back(t);
      for (const VertexIndex v : topology.triangles[t]) {
        surface.first_vertex = std::min(surface.first_vertex, v);
      }
    }
  }
}

void classify_regions(const std::vector<PatchMeasure>& measures, const BaselinePose& baseline,
                      Topology& topology) {
  std::vector<Measure> surfaces(topology.joint_regions.size());
  for (std::size_t p = 0; p < measures.size(); ++p) {
    for (const std::uint32_t r : topology.patches[p].regions) surfaces[r].add_surface(measures[p]);
  }
  for (std::size_t r = 0; r < surfaces.size(); ++r) {
    Component& surface = topology.joint_regions[r].surface;
    surface.solid = close_part(surfaces[r], baseline, surface).has_volume();
  }
}

}  // namespace

void keep_counts(Topology& topology) {
  const auto release = []<class List>(List& list) { List().swap(list); };
  release(topology.welded);
  release(topology.triangles);
  release(topology.joint_regions);
  release(topology.patches);
  for (Component& component : topology.components) {
    release(component.triangles);
    release(component.boundary);
  }
}

Topology build_topology(const Rig& rig, const BaselinePose& baseline) {
  Topology topology;
  Weld weld = weld_vertices(rig, WeldBy::kFile);
  topology.welded = std::move(weld.welded);
  topology.welded_vertex_count = weld.count;
  topology.cracked_positions = weld.cracked_positions;
  drop_degenerate(*rig.mesh, topology);

  Edges edges = build_edges(topology.triangles, topology.welded);
  count_edges(edges, orient(topology.welded, topology.triangles, edges), topology);
  const std::vector<std::uint32_t> component_of = find_components(topology);
  std::vector<VertexIndex> origins(component_of.size());
  for (std::size_t t = 0; t < origins.size(); ++t) {
    origins[t] = topology.components[component_of[t]].first_vertex;
  }
  BoundaryFinder boundaries(topology.triangles, topology.welded, edges, origins);
  for (Component& component : topology.components) boundaries.find(component);

  Patches patches = group_triangles(rig, topology.triangles, component_of);
  topology.patches = std::move(patches.patches);
  const std::vector<PatchMeasure> measures = measure_patches(topology, baseline);
  classify_components(measures, baseline, topology);

  create_regions(rig.joints.size(), topology);
  fill_regions(patches.patch_of, topology);
  for (JointRegion& region : topology.joint_regions) boundaries.find(region.surface);
  classify_regions(measures, baseline, topology);
  return topology;
}

}  // namespace skinbake
