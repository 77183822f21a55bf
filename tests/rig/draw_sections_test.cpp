#include "rig/surface/triangles.h"

#include <doctest/doctest.h>

namespace skinbake {
namespace {

// One triangle per list of joints, whose corners are moved by all of them. `primitives`: the number
// of triangles of each primitive.
Rig triangles_of(const std::vector<std::vector<JointIndex>>& joints,
                 const std::vector<VertexIndex>& primitives) {
  Rig rig;
  auto mesh = std::make_shared<Mesh>();
  rig.first_influence = {0};
  for (const std::vector<JointIndex>& of_triangle : joints) {
    const VertexIndex first = mesh->vertex_count();
    mesh->triangles.push_back({first, first + 1, first + 2});
    mesh->positions.resize(mesh->positions.size() + 9);
    for (int corner = 0; corner < 3; ++corner) {
      for (const JointIndex j : of_triangle) {
        rig.influences.push_back({j, 1.0 / static_cast<double>(of_triangle.size())});
      }
      rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
    }
  }
  VertexIndex first = 0;
  for (const VertexIndex count : primitives) {
    mesh->primitives.push_back({first, 3 * count});
    first += 3 * count;
  }
  rig.mesh = mesh;
  return rig;
}

}  // namespace

TEST_CASE("draw sections: a primitive whose joints fit is one section") {
  CHECK(count_draw_sections(triangles_of({{0, 1}, {1, 2}, {0, 2}}, {3}), 3) == 1);
  CHECK(count_draw_sections(triangles_of({{0, 1}, {1, 2}, {0, 2}}, {1, 2}), 3) == 2);
  CHECK(count_draw_sections(triangles_of({{0}, {0}, {0}}, {1, 1, 1}), 75) == 3);
}

TEST_CASE("draw sections: a triangle is added to the first section with room, else to a new one") {
  CHECK(count_draw_sections(triangles_of({{0, 1}, {2, 3}, {0, 1}, {2, 3}}, {4}), 2) == 2);
  CHECK(count_draw_sections(triangles_of({{0, 1}, {2, 3}, {0}, {3}, {0, 2}}, {5}), 2) == 3);
  CHECK(count_draw_sections(triangles_of({{0, 1}, {2, 3}, {0}, {3}, {0, 2}}, {5}), 4) == 1);
}

TEST_CASE("draw sections: too many joints in a triangle give no count, an empty mesh gives zero") {
  CHECK_FALSE(count_draw_sections(triangles_of({{0}, {0, 1, 2}}, {2}), 2));
  CHECK(count_draw_sections(triangles_of({}, {}), 75) == 0);
}

TEST_CASE("draw sections: many triangles of one joint each fill sections up to the limit") {
  std::vector<std::vector<JointIndex>> joints;
  for (JointIndex j = 0; j < 200; ++j) joints.push_back({j});
  const Rig rig = triangles_of(joints, {200});
  CHECK(count_draw_sections(rig, 75) == 3);
  CHECK(count_draw_sections(rig, 256) == 1);
  CHECK(count_draw_sections(rig, 1) == 200);
}

}  // namespace skinbake
