#include "rig/surface/weld.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

#include "rig/influences.h"

namespace skinbake {
namespace {

// Multiplicative hashing with 2^64 divided by the golden ratio. Donald E. Knuth. The Art of
// Computer Programming, volume 3, section 6.4. 1998.
struct Hash {
  std::uint64_t state = 0;

  void add(std::uint64_t bits) { state = (std::rotl(state, 23) ^ bits) * 0x9E3779B97F4A7C15u; }
  void add(float number) { add(std::uint64_t{std::bit_cast<std::uint32_t>(number + 0.0f)}); }  // -0
  void add(double number) { add(std::bit_cast<std::uint64_t>(number + 0.0)); }
  std::uint64_t value() const { return state ^ (state >> 29); }
};

// [item] The first item that equals it. `hash` takes an item; `equal` takes two items.
template <class HashOf, class Equal>
std::vector<VertexIndex> first_equal(const std::vector<VertexIndex>& items, const HashOf& hash,
                                     const Equal& equal) {
  struct Slot {
    std::uint32_t tag, item_plus_one;  // item_plus_one 0: free
  };
  // A table that is at most half full: linear probing examines 1.5 entries on average.
  const std::size_t size = std::bit_ceil(2 * items.size() + 1);
  std::vector<Slot> table(size, Slot{0, 0});
  std::vector<VertexIndex> first(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::uint64_t h = hash(items[i]);
    const auto tag = static_cast<std::uint32_t>(h >> 32);
    std::size_t at = h & (size - 1);
    while (table[at].item_plus_one != 0 &&
           !(table[at].tag == tag && equal(table[at].item_plus_one - 1, items[i]))) {
      at = (at + 1) & (size - 1);
    }
    if (table[at].item_plus_one == 0) table[at] = {tag, items[i] + 1};
    first[i] = table[at].item_plus_one - 1;
  }
  return first;
}

std::vector<VertexIndex> first_at_position(const Mesh& mesh) {
  const float* p = mesh.positions.data();
  std::vector<VertexIndex> all(mesh.vertex_count());
  for (VertexIndex v = 0; v < all.size(); ++v) all[v] = v;
  return first_equal(
      all,
      [&](VertexIndex v) {
        Hash hash;
        for (int axis = 0; axis < 3; ++axis) hash.add(p[std::size_t{v} * 3 + axis]);
        return hash.value();
      },
      [&](VertexIndex a, VertexIndex b) {
        return std::equal(p + std::size_t{a} * 3, p + std::size_t{a} * 3 + 3,
                          p + std::size_t{b} * 3);
      });
}

// [vertex] The sums by which the file's weights were divided, or empty. Two vertices have equal
// weights in the file if their normalised weights and these sums are equal.
std::span<const double> sums_of(const Rig& rig, WeldBy by) {
  if (by == WeldBy::kFinal) return {};
  return rig.weight_sums;
}

bool same_influences(const Rig& rig, std::span<const double> sums, VertexIndex a, VertexIndex b) {
  if (!sums.empty() && sums[a] != sums[b]) return false;
  return are_equal(rig.influences_of(a), rig.influences_of(b));
}

bool same_morphs(const Mesh& mesh, VertexIndex a, VertexIndex b) {
  return std::all_of(mesh.morph_targets.begin(), mesh.morph_targets.end(),
                     [&](const MorphTarget& target) {
                       if (target.positions.empty()) return true;
                       const float* p = target.positions.data();
                       return std::equal(p + std::size_t{a} * 3, p + std::size_t{a} * 3 + 3,
                                         p + std::size_t{b} * 3);
                     });
}

std::uint64_t hash_of_motion(const Rig& rig, std::span<const double> sums, VertexIndex v,
                             VertexIndex at_position) {
  Hash hash;
  hash.add(std::uint64_t{at_position});
  if (!sums.empty()) hash.add(sums[v]);
  for (const Influence& i : rig.influences_of(v)) {
    hash.add(std::uint64_t{i.joint});
    hash.add(i.weight);
  }
  for (const MorphTarget& target : rig.mesh->morph_targets) {
    for (std::size_t k = 0; k < 3 && !target.positions.empty(); ++k) {
      hash.add(target.positions[std::size_t{v} * 3 + k]);
    }
  }
  return hash.value();
}

}  // namespace

Weld weld_vertices(const Rig& rig, WeldBy by) {
  const std::span<const double> sums = sums_of(rig, by);
  const Mesh& mesh = *rig.mesh;
  const std::vector<VertexIndex> position = first_at_position(mesh);
  Weld weld{position, 0, 0};
  std::vector<VertexIndex> apart;  // vertices that differ from the first one at their position
  std::vector<bool> cracked(position.size());
  for (VertexIndex v = 0; v < position.size(); ++v) {
    const VertexIndex first = position[v];
    if (first == v) continue;
    const bool influences_equal = same_influences(rig, sums, first, v);
    if (influences_equal && same_morphs(mesh, first, v)) continue;
    apart.push_back(v);
    if (influences_equal || cracked[first]) continue;
    cracked[first] = true;
    ++weld.cracked_positions;
  }
  const std::vector<VertexIndex> first_apart = first_equal(
      apart, [&](VertexIndex v) { return hash_of_motion(rig, sums, v, position[v]); },
      [&](VertexIndex a, VertexIndex b) {
        return position[a] == position[b] && same_influences(rig, sums, a, b) &&
               same_morphs(mesh, a, b);
      });
  for (std::size_t i = 0; i < apart.size(); ++i) weld.welded[apart[i]] = first_apart[i];
  for (VertexIndex v = 0; v < weld.welded.size(); ++v) weld.count += weld.welded[v] == v;
  return weld;
}

}  // namespace skinbake
