#include "rig/surface/corner_groups.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace skinbake {

namespace {

// The key of a group: the welded point and the bits of the normal.
using Key = std::array<std::uint32_t, 4>;

Key key_of(const Mesh& mesh, std::span<const VertexIndex> welded, VertexIndex v) {
  Key key{welded[v]};
  if (mesh.normals.empty()) return key;
  const float* n = mesh.normals.data() + std::size_t{v} * 3;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    key[axis + 1] = std::bit_cast<std::uint32_t>(n[axis] + 0.0f);  // -0 is 0
  }
  return key;
}

}  // namespace

CornerGroups group_corners(const Rig& rig, std::span<const VertexIndex> welded,
                           std::span<const std::array<VertexIndex, 3>> triangles) {
  CornerGroups groups;
  std::vector<VertexIndex> order(welded.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<Key> keys;
  for (const VertexIndex v : order) keys.push_back(key_of(*rig.mesh, welded, v));
  std::sort(order.begin(), order.end(), [&](VertexIndex a, VertexIndex b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  std::vector<std::uint32_t> group(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || keys[order[i]] != keys[order[i - 1]]) ++groups.count;
    group[order[i]] = static_cast<std::uint32_t>(groups.count - 1);
  }
  std::vector<bool> used(groups.count);
  for (const auto& corners : triangles) {
    groups.triangles.push_back(
        {corners, {group[corners[0]], group[corners[1]], group[corners[2]]}});
    for (const VertexIndex v : corners) used[group[v]] = true;
  }
  for (VertexIndex v = 0; v < group.size(); ++v) {
    if (!used[group[v]]) continue;
    groups.vertices.push_back({v, group[v], rig.influences_of(v).front().joint});
  }
  return groups;
}

}  // namespace skinbake
