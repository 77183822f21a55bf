// Edges, joints and draw sections of triangles.

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "rig/surface/triangles.h"

namespace skinbake {

// ---- A counting sort of the half-edges by their lower vertex, followed by a sort of the few
// half-edges of each vertex by the higher vertex. The time is linear in the number of triangles,
// and the order is the same on every platform.

namespace {

struct Entry {
  VertexIndex high;
  HalfEdge half_edge;
};

bool operator<(const Entry& a, const Entry& b) {
  return a.high != b.high ? a.high < b.high : a.half_edge < b.half_edge;
}

// Entries arrive in the order of half-edges. Most vertices have about six edges, but the centre of
// a fan can have thousands.
void sort_entries(Entry* first, Entry* last) {
  constexpr std::ptrdiff_t kFew = 24;  // above it std::sort is faster
  if (last - first > kFew) return std::sort(first, last);
  for (Entry* i = first; i < last; ++i) {
    const Entry entry = *i;
    Entry* at = i;
    for (; at > first && entry.high < at[-1].high; --at) *at = at[-1];
    *at = entry;
  }
}

template <class Visit>
void for_each_half_edge(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
                        const Visit& visit) {
  HalfEdge h = 0;
  for (const Triangle& t : triangles) {
    const VertexIndex a = welded[t[0]], b = welded[t[1]], c = welded[t[2]];
    visit(std::min(a, b), std::max(a, b), h);
    visit(std::min(b, c), std::max(b, c), h + 1);
    visit(std::min(c, a), std::max(c, a), h + 2);
    h += 3;
  }
}

}  // namespace

Edges build_edges(std::span<const Triangle> triangles, std::span<const VertexIndex> welded) {
  std::vector<std::uint32_t> start(welded.size() + 2, 0);  // [vertex + 1]; shifted while filling
  for_each_half_edge(triangles, welded,
                     [&](VertexIndex low, VertexIndex, HalfEdge) { ++start[low + 2]; });
  for (std::size_t v = 2; v < start.size(); ++v) start[v] += start[v - 1];
  std::vector<Entry> entries(triangles.size() * 3);
  for_each_half_edge(triangles, welded, [&](VertexIndex low, VertexIndex high, HalfEdge h) {
    entries[start[low + 1]++] = {high, h};
  });

  Edges edges;
  edges.edge_of.resize(entries.size());
  edges.uses.reserve(entries.size() / 2);
  edges.sides.reserve(entries.size() / 2);
  for (std::size_t v = 0; v < welded.size(); ++v) {
    Entry* const first = entries.data() + start[v];
    Entry* const last = entries.data() + start[v + 1];
    sort_entries(first, last);
    for (Entry* entry = first; entry < last; ++entry) {
      if (entry == first || entry->high != entry[-1].high) {
        edges.uses.push_back(0);
        edges.sides.push_back({entry->half_edge, entry->half_edge});
      }
      if (++edges.uses.back() == 2) edges.sides.back()[1] = entry->half_edge;
      edges.edge_of[entry->half_edge] = static_cast<std::uint32_t>(edges.uses.size() - 1);
    }
  }
  return edges;
}

std::uint64_t count_triangle_joints(const Rig& rig, std::span<const Triangle> triangles) {
  std::vector<std::size_t> last_of(
      rig.joints.size());  // [joint] the last triangle that has it, + 1
  std::uint64_t joints = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const VertexIndex v : triangles[t]) {
      for (const Influence& i : rig.influences_of(v)) {
        if (std::exchange(last_of[i.joint], t + 1) != t + 1) ++joints;
      }
    }
  }
  return joints;
}

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
