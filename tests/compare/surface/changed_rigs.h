// Copies of a rig as optimisers make them: the same character with other vertices.

#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "metrics/shapes.h"
#include "skinbake/rig.h"
#include "support/random.h"

namespace skinbake::test {

// The rig with the vertices `kept` [new vertex] of the old ones, and with these triangles.
inline Rig with_vertices(const Rig& rig, const std::vector<VertexIndex>& kept,
                         Triangles triangles) {
  Rig changed = rig;
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->positions.clear();
  mesh->normals.clear();
  mesh->triangles = std::move(triangles);
  changed.first_influence = {0};
  changed.influences.clear();
  changed.first_listed.clear();
  for (const VertexIndex v : kept) {
    const auto append = [v](const std::vector<float>& from, std::vector<float>& to) {
      if (!from.empty()) to.insert(to.end(), from.begin() + 3 * v, from.begin() + 3 * v + 3);
    };
    append(rig.mesh->positions, mesh->positions);
    append(rig.mesh->normals, mesh->normals);
    const auto influences = rig.influences_of(v);
    changed.influences.insert(changed.influences.end(), influences.begin(), influences.end());
    changed.first_influence.push_back(static_cast<std::uint32_t>(changed.influences.size()));
  }
  for (MorphTarget& target : mesh->morph_targets) {
    const std::vector<float> old = std::exchange(target.positions, {});
    for (const VertexIndex v : kept) {
      target.positions.insert(target.positions.end(), old.begin() + 3 * v, old.begin() + 3 * v + 3);
    }
  }
  mesh->primitives = {{0, static_cast<VertexIndex>(kept.size())}};
  changed.mesh = mesh;
  return changed;
}

// The vertices and the triangles in another order; triangles start at another corner.
inline Rig permuted(const Rig& rig, std::uint64_t seed) {
  Random random(seed);
  std::vector<VertexIndex> kept(rig.mesh->vertex_count());
  std::iota(kept.begin(), kept.end(), VertexIndex{0});
  const auto shuffle = [&](auto& list) {
    for (std::size_t i = list.size(); i > 1; --i) {
      std::swap(list[i - 1], list[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    }
  };
  shuffle(kept);
  std::vector<VertexIndex> new_of(kept.size());
  for (VertexIndex v = 0; v < kept.size(); ++v) new_of[kept[v]] = v;
  Triangles triangles = rig.mesh->triangles;
  for (auto& t : triangles) {
    const int turn = random.below(3);
    std::rotate(t.begin(), t.begin() + turn, t.end());
    for (VertexIndex& v : t) v = new_of[v];
  }
  shuffle(triangles);
  return with_vertices(rig, kept, triangles);
}

// Every triangle has vertices of its own.
inline Rig split(const Rig& rig) {
  std::vector<VertexIndex> kept;
  Triangles triangles;
  for (const auto& t : rig.mesh->triangles) {
    const auto first = static_cast<VertexIndex>(kept.size());
    kept.insert(kept.end(), t.begin(), t.end());
    triangles.push_back({first, first + 1, first + 2});
  }
  return with_vertices(rig, kept, triangles);
}

// The inverse bind matrices undo the scale of the positions, as after quantisation.
inline Rig scaled_at_bind(const Rig& rig, double scale) {
  Rig changed = rig;
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  for (float& x : mesh->positions) x = static_cast<float>(x * scale);
  for (Joint& joint : changed.joints) {
    for (Vec3<double>* column :
         {&joint.joint_from_model.x, &joint.joint_from_model.y, &joint.joint_from_model.z}) {
      *column = {column->x / scale, column->y / scale, column->z / scale};
    }
  }
  changed.mesh = mesh;
  return changed;
}

// A closed sphere around the origin; its greatest distance inside the true sphere is `sagitta`.
struct Sphere {
  Surface surface;
  double sagitta = 0;
};
inline Sphere sphere(double radius, int segments) {
  const int rings = segments / 2;
  Sphere sphere;
  Surface& s = sphere.surface;
  s.points.push_back({0, radius, 0});
  for (int r = 1; r < rings; ++r) {
    const double polar = std::numbers::pi * r / rings;
    for (int k = 0; k < segments; ++k) {
      const double around = 2 * std::numbers::pi * k / segments;
      s.points.push_back({radius * std::sin(polar) * std::cos(around), radius * std::cos(polar),
                          radius * std::sin(polar) * std::sin(around)});
    }
  }
  s.points.push_back({0, -radius, 0});
  const auto at = [&](int r, int k) {
    return static_cast<VertexIndex>(1 + (r - 1) * segments + k % segments);
  };
  const auto bottom = static_cast<VertexIndex>(s.points.size() - 1);
  for (int k = 0; k < segments; ++k) {
    s.triangles.push_back({0, at(1, k + 1), at(1, k)});
    for (int r = 1; r + 1 < rings; ++r) {
      s.triangles.push_back({at(r, k), at(r, k + 1), at(r + 1, k + 1)});
      s.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r + 1, k)});
    }
    s.triangles.push_back({at(rings - 1, k), at(rings - 1, k + 1), bottom});
  }
  // A triangle with edges up to e lies inside the sphere by r - sqrt(r^2 - e^2 / 3) at most.
  double longest = 0;
  for (const auto& t : s.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto &p = s.points[t[i]], &q = s.points[t[(i + 1) % 3]];
      longest = std::max(longest, std::hypot(p.x - q.x, p.y - q.y, p.z - q.z));
    }
  }
  sphere.sagitta = radius - std::sqrt(radius * radius - longest * longest / 3);
  return sphere;
}

}  // namespace skinbake::test
