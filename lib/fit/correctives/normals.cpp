#include "fit/correctives/normals.h"

#include <cmath>

#include "math/scalar.h"
#include "rig/surface/weld.h"
#include "skinbake/metrics.h"

namespace skinbake::fit {

namespace {

Vec3<double> at(const std::vector<float>& values, VertexIndex v) {
  const float* p = values.data() + std::size_t{v} * 3;
  return {p[0], p[1], p[2]};
}

void put(const Vec3<double>& value, VertexIndex v, std::vector<float>& values) {
  float* p = values.data() + std::size_t{v} * 3;
  p[0] = static_cast<float>(value.x);
  p[1] = static_cast<float>(value.y);
  p[2] = static_cast<float>(value.z);
}

// The points of the surface, with the direction of their normals in the mesh's own shape.
class Surface {
 public:
  explicit Surface(const Rig& rig) : mesh_(*rig.mesh), normals_(0) {
    const Topology topology = build_topology(rig, bind_baseline(rig));
    groups_ = group_corners(rig, topology.welded, topology.triangles);
    normals_.assign(groups_.count, {0, 0, 0});
    for (const CornerTriangle& triangle : groups_.triangles) {
      const auto [a, b, c] = corners(mesh_.positions, triangle);
      add(cross(b - a, c - a), triangle, normals_);
    }
  }

  // The displacements of the mesh's normals by a target, [vertex][axis].
  std::vector<float> turned_by(const std::vector<float>& target) const {
    std::vector<Vec3<double>> changes(groups_.count, {0, 0, 0});
    for (const CornerTriangle& triangle : groups_.triangles) {
      const auto [a, b, c] = corners(mesh_.positions, triangle);
      const auto [u, v, w] = corners(target, triangle);
      add(cross(v - u, c - a) + cross(b - a, w - u), triangle, changes);
    }
    std::vector<float> turned(mesh_.normals.size());
    for (const CornerVertex& corner : groups_.vertices) {
      const Vec3<double>& normal = normals_[corner.group];
      const double square = dot(normal, normal);
      if (!(square > 0)) continue;
      const Vec3<double> turn = (1 / square) * cross(normal, changes[corner.group]);
      put(cross(turn, at(mesh_.normals, corner.vertex)), corner.vertex, turned);
    }
    return turned;
  }

 private:
  struct Corners {
    Vec3<double> a, b, c;
  };

  static Corners corners(const std::vector<float>& values, const CornerTriangle& triangle) {
    return {at(values, triangle.corners[0]), at(values, triangle.corners[1]),
            at(values, triangle.corners[2])};
  }

  static void add(const Vec3<double>& normal, const CornerTriangle& triangle,
                  std::vector<Vec3<double>>& sums) {
    for (const std::uint32_t group : triangle.groups) sums[group] = sums[group] + normal;
  }

  const Mesh& mesh_;
  CornerGroups groups_;
  std::vector<Vec3<double>> normals_;  // [group] not of unit length
};

}  // namespace

void add_normals(const Rig& rig, AddedMorphs& morphs) {
  const Mesh& mesh = *rig.mesh;
  if (mesh.normals.empty() || mesh.triangles.empty()) return;
  const Surface surface(rig);
  for (MorphTarget& target : morphs.targets) target.normals = surface.turned_by(target.positions);
  morphs.base_normals = mesh.normals;
  for (VertexIndex v = 0; v < mesh.vertex_count(); ++v) {
    Vec3<double> base = at(mesh.normals, v);
    for (std::size_t m = 0; m < morphs.targets.size(); ++m) {
      base = base - double{morphs.rest_weights[m]} * at(morphs.targets[m].normals, v);
    }
    const double length = norm(base);
    if (!(length > 0)) continue;
    put((1 / length) * base, v, morphs.base_normals);
    for (MorphTarget& target : morphs.targets) {
      put((1 / length) * at(target.normals, v), v, target.normals);
    }
  }
}

}  // namespace skinbake::fit
