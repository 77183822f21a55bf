#include "rig/draw_sections.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <vector>

namespace skinbake {

namespace {

// Only the newest sections stay open: older ones rarely have room. The bound keeps the time linear
// for a mesh of thousands of sections.
constexpr std::size_t kOpenSections = 64;

using JointSet = std::vector<JointIndex>;  // ascending

// `joints` is an output whose memory is reused: meshes have millions of triangles.
void collect_joints(const Rig& rig, const std::array<VertexIndex, 3>& triangle, JointSet& joints) {
  joints.clear();
  for (const VertexIndex v : triangle) {
    for (const Influence& i : rig.influences_of(v)) joints.push_back(i.joint);
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
}

// Adds the joints to the section if it then has at most `limit`.
bool fits(const JointSet& joints, std::size_t limit, JointSet& section) {
  if (std::includes(section.begin(), section.end(), joints.begin(), joints.end())) return true;
  JointSet both;
  std::set_union(section.begin(), section.end(), joints.begin(), joints.end(),
                 std::back_inserter(both));
  if (both.size() > limit) return false;
  section = std::move(both);
  return true;
}

}  // namespace

std::optional<std::int64_t> count_draw_sections(const Rig& rig, std::size_t joint_limit) {
  std::int64_t count = 0;
  std::deque<JointSet> open;
  JointSet joints;
  std::size_t primitive = 0;
  const std::vector<Primitive>& primitives = rig.mesh->primitives;
  const auto is_in_primitive = [&](VertexIndex v) {
    return primitives.empty() ||
           v - primitives[primitive].first_vertex < primitives[primitive].vertex_count;
  };
  for (const std::array<VertexIndex, 3>& triangle : rig.mesh->triangles) {
    if (!is_in_primitive(triangle[0])) {
      open.clear();
      while (primitive + 1 < primitives.size() && !is_in_primitive(triangle[0])) ++primitive;
    }
    collect_joints(rig, triangle, joints);
    if (joints.size() > joint_limit) return {};
    if (std::any_of(open.begin(), open.end(),
                    [&](JointSet& section) { return fits(joints, joint_limit, section); })) {
      continue;
    }
    ++count;
    open.push_back(joints);
    if (open.size() > kOpenSections) open.pop_front();
  }
  return count;
}

}  // namespace skinbake
