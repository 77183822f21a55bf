#include "rig/bone_maps.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <vector>

namespace skinbake {

namespace {

// A section that no triangle has fitted into for long is full for all purposes. The bound keeps a
// mesh of thousands of sections from taking time that is quadratic in them.
constexpr std::size_t kOpenSections = 64;

using BoneMap = std::vector<JointIndex>;  // ascending

// Into a list that keeps its memory: meshes have millions of triangles.
void collect_joints(const Rig& rig, const std::array<VertexIndex, 3>& triangle, BoneMap& joints) {
  joints.clear();
  for (const VertexIndex v : triangle) {
    for (const Influence& i : rig.influences_of(v)) joints.push_back(i.joint);
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
}

// Adds the joints if the map then has no more than `limit`.
bool fit(const BoneMap& joints, std::size_t limit, BoneMap& map) {
  if (std::includes(map.begin(), map.end(), joints.begin(), joints.end())) return true;
  BoneMap both;
  std::set_union(map.begin(), map.end(), joints.begin(), joints.end(), std::back_inserter(both));
  if (both.size() > limit) return false;
  map = std::move(both);
  return true;
}

}  // namespace

std::optional<std::int64_t> count_sections(const Rig& rig, std::size_t limit) {
  std::int64_t count = 0;
  std::deque<BoneMap> open;
  BoneMap joints;
  std::size_t primitive = 0;
  const std::vector<Primitive>& primitives = rig.mesh->primitives;
  const auto is_in = [&](VertexIndex v) {
    return v - primitives[primitive].first_vertex < primitives[primitive].vertex_count;
  };
  for (const std::array<VertexIndex, 3>& triangle : rig.mesh->triangles) {
    if (!is_in(triangle[0])) {
      open.clear();
      while (primitive + 1 < primitives.size() && !is_in(triangle[0])) ++primitive;
    }
    collect_joints(rig, triangle, joints);
    if (joints.size() > limit) return {};
    if (std::any_of(open.begin(), open.end(),
                    [&](BoneMap& map) { return fit(joints, limit, map); })) {
      continue;
    }
    ++count;
    open.push_back(joints);
    if (open.size() > kOpenSections) open.pop_front();
  }
  return count;
}

}  // namespace skinbake
