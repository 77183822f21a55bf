// The memory of bind surfaces and of the search for their pairs, from counts.

#include <algorithm>
#include <cstdint>

#include "compare/surface/bind/joint_pairs.h"
#include "compare/surface/surfaces.h"

namespace skinbake {
namespace {

struct SurfaceCounts {
  std::uint64_t vertices = 0, largest_mesh = 0, triangles = 0, influences = 0, joints = 0;
};

SurfaceCounts counts_of(std::span<const Rig* const> rigs) {
  SurfaceCounts counts;
  for (const Rig* rig : rigs) {
    counts.vertices += rig->mesh->vertex_count();
    counts.largest_mesh = std::max<std::uint64_t>(counts.largest_mesh, rig->mesh->vertex_count());
    counts.triangles += rig->mesh->triangles.size();
    counts.influences += rig->influences.size();
    counts.joints += rig->joints.size();
  }
  return counts;
}

std::uint64_t surface_bytes(const SurfaceCounts& counts) {
  constexpr std::uint64_t kOfVertex = 3 * sizeof(Vec3<double>) + sizeof(std::uint32_t);
  constexpr std::uint64_t kOfJoint = sizeof(SurfaceJoint) + 128;  // the name, the centre, the map
  return counts.vertices * kOfVertex + counts.triangles * sizeof(std::array<VertexIndex, 3>) +
         counts.influences * sizeof(Influence) + counts.joints * kOfJoint;
}

}  // namespace

SurfaceMemory surface_memory(std::span<const Rig* const> a, std::span<const Rig* const> b) {
  const SurfaceCounts of_a = counts_of(a), of_b = counts_of(b);
  const std::uint64_t vertices = std::max(of_a.vertices, of_b.vertices),
                      triangles = std::max(of_a.triangles, of_b.triangles);
  // A cell of a grid with its vertex, the order of the vertices of both sides, and the pairs by
  // index, which are rejected when another order is sought.
  constexpr std::uint64_t kOfVertex = 180;
  // The tree of the triangles with its boxes, while it is built, and their normals.
  constexpr std::uint64_t kOfTriangle = 128;
  // Three edges that are longer than the sampling, while they are sorted.
  constexpr std::uint64_t kOfEdges = 300;
  const std::uint64_t influences = of_a.influences + of_b.influences;
  // Positions and normals of a mesh, in double.
  const std::uint64_t made =
      2 * sizeof(Vec3<double>) * std::max(of_a.largest_mesh, of_b.largest_mesh);
  const std::uint64_t sought = vertices * kOfVertex + influences * sizeof(Influence);
  SurfaceMemory memory;
  memory.surfaces = surface_bytes(of_a) + surface_bytes(of_b);
  memory.by_vertex = std::max(
      {made, joint_pair_memory(of_a.joints, of_b.joints), sought + triangles * kOfTriangle});
  memory.by_surface = std::max(memory.by_vertex, sought + triangles * kOfEdges);
  return memory;
}

}  // namespace skinbake
