// Welding of file vertices, groups of corners, and the welded surface.

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "rig/influences.h"
#include "rig/surface/cracks.h"
#include "rig/surface/triangles.h"
#include "rig/surface/weld.h"

namespace skinbake {

namespace {

// Greatest difference of weights that count as equal: the rounding of float weights and of their
// division by their sum.
constexpr double kSameWeight = 1e-7;
// Number of different motions at one position with which a vertex is compared up to rounding.
// Comparing all of them would let a crafted file take very long.
constexpr std::size_t kMostKinds = 16;

// Multiplicative hashing with 2^64 divided by the golden ratio. Donald E. Knuth. The Art of
// Computer Programming, volume 3, section 6.4. 1998.
struct Hash {
  std::uint64_t state = 0;

  void add(std::uint64_t bits) { state = (std::rotl(state, 23) ^ bits) * 0x9E3779B97F4A7C15u; }
  void add(float number) { add(std::uint64_t{std::bit_cast<std::uint32_t>(number + 0.0f)}); }  // -0
  void add(double number) { add(std::bit_cast<std::uint64_t>(number + 0.0)); }
  std::uint64_t value() const { return state ^ (state >> 29); }
};

// Entries of a table that are examined for an item, on average, before it is given up: a crafted
// file can make all hashes equal.
constexpr std::size_t kMostProbes = 16;

// [item] The first item that equals it, by sorting. `less` is an order in which equal items are
// neighbours. Precondition: the items ascend.
template <class Less, class Equal>
std::vector<VertexIndex> first_equal_sorted(const std::vector<VertexIndex>& items, const Less& less,
                                            const Equal& equal) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return less(items[a], items[b]); });
  std::vector<VertexIndex> first(items.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const VertexIndex item = items[order[i]];
    const bool is_same = i > 0 && equal(first[order[i - 1]], item);
    first[order[i]] = is_same ? first[order[i - 1]] : item;
  }
  return first;
}

// [item] The first item that equals it. `hash` takes an item; `less` and `equal` take two items.
// Precondition: the items ascend.
template <class HashOf, class Less, class Equal>
std::vector<VertexIndex> first_equal(const std::vector<VertexIndex>& items, const HashOf& hash,
                                     const Less& less, const Equal& equal) {
  struct Slot {
    std::uint32_t tag, item_plus_one;  // item_plus_one 0: free
  };
  // A table that is at most half full: linear probing examines 1.5 entries on average.
  const std::size_t size = std::bit_ceil(2 * items.size() + 1);
  std::vector<Slot> table(size, Slot{0, 0});
  std::vector<VertexIndex> first(items.size());
  std::size_t probes_left = kMostProbes * (items.size() + 1);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::uint64_t h = hash(items[i]);
    const auto tag = static_cast<std::uint32_t>(h >> 32);
    std::size_t at = h & (size - 1);
    while (table[at].item_plus_one != 0 &&
           !(table[at].tag == tag && equal(table[at].item_plus_one - 1, items[i]))) {
      if (--probes_left == 0) return first_equal_sorted(items, less, equal);
      at = (at + 1) & (size - 1);
    }
    if (table[at].item_plus_one == 0) table[at] = {tag, items[i] + 1};
    first[i] = table[at].item_plus_one - 1;
  }
  return first;
}

// An order of all floats, also of NaN. 0 and -0 are equal.
bool is_before(float a, float b) {
  return std::bit_cast<std::uint32_t>(a + 0.0f) < std::bit_cast<std::uint32_t>(b + 0.0f);
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
        return std::lexicographical_compare(p + std::size_t{a} * 3, p + std::size_t{a} * 3 + 3,
                                            p + std::size_t{b} * 3, p + std::size_t{b} * 3 + 3,
                                            is_before);
      },
      [&](VertexIndex a, VertexIndex b) {
        return std::equal(p + std::size_t{a} * 3, p + std::size_t{a} * 3 + 3,
                          p + std::size_t{b} * 3);
      });
}

// Returns the weight of a joint, or 0.
double weight_of(JointIndex joint, std::span<const Influence> influences) {
  const auto found = std::ranges::find(influences, joint, &Influence::joint);
  return found == influences.end() ? 0 : found->weight;
}

std::vector<Influence> sorted_by_joint(std::span<const Influence> influences) {
  std::vector<Influence> sorted(influences.begin(), influences.end());
  std::ranges::sort(sorted, {}, &Influence::joint);
  return sorted;
}

bool differ(double a, double b) {
  return std::abs(a - b) > kSameWeight;
}

// Whether the weight of every joint is the same up to kSameWeight.
bool move_alike(std::span<const Influence> a, std::span<const Influence> b) {
  if (differ(a[0].weight, weight_of(a[0].joint, b))) return false;  // nearly always
  const std::vector<Influence> left = sorted_by_joint(a), right = sorted_by_joint(b);
  auto r = right.begin();
  for (const Influence& l : left) {
    for (; r != right.end() && r->joint < l.joint; ++r) {
      if (differ(r->weight, 0)) return false;
    }
    const bool is_shared = r != right.end() && r->joint == l.joint;
    if (differ(l.weight, is_shared ? r->weight : 0)) return false;
    if (is_shared) ++r;
  }
  return std::all_of(r, right.end(), [](const Influence& rest) { return !differ(rest.weight, 0); });
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

std::uint64_t hash_of_motion(const Rig& rig, VertexIndex v, VertexIndex at_position) {
  Hash hash;
  hash.add(std::uint64_t{at_position});
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

// An order in which vertices of equal positions, influences and morph deltas are neighbours.
bool moves_before(const Rig& rig, VertexIndex a, VertexIndex b) {
  const auto of = [](const Influence& i) { return std::pair(i.joint, i.weight); };
  const std::span<const Influence> mine = rig.influences_of(a), other = rig.influences_of(b);
  if (mine.size() != other.size()) return mine.size() < other.size();
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (of(mine[i]) != of(other[i])) return of(mine[i]) < of(other[i]);
  }
  for (const MorphTarget& target : rig.mesh->morph_targets) {
    for (std::size_t k = 0; k < 3 && !target.positions.empty(); ++k) {
      const float x = target.positions[std::size_t{a} * 3 + k];
      const float y = target.positions[std::size_t{b} * 3 + k];
      if (is_before(x, y)) return true;
      if (is_before(y, x)) return false;
    }
  }
  return false;
}

class Welder {
 public:
  explicit Welder(const Rig& rig)
      : rig_(rig), position_(first_at_position(*rig.mesh)), weld_{position_, 0, 0} {}

  // Call once.
  Weld weld() {
    weld_alike(weld_equal());
    for (VertexIndex v = 0; v < position_.size(); ++v) {
      weld_.welded[v] = weld_.welded[weld_.welded[v]];
      weld_.count += weld_.welded[v] == v;
    }
    return std::move(weld_);
  }

  // Pairs of vertices at one position with different influences; after weld().
  const std::vector<std::array<VertexIndex, 2>>& pairs() const { return pairs_; }

 private:
  // Welds vertices whose influences and morph deltas are equal to the last bit. Returns the
  // representatives that are not the first vertex at their position, ascending.
  std::vector<VertexIndex> weld_equal() {
    std::vector<VertexIndex> apart;  // vertices that differ from the first one at their position
    for (VertexIndex v = 0; v < position_.size(); ++v) {
      if (position_[v] != v && !are_same(position_[v], v)) apart.push_back(v);
    }
    const std::vector<VertexIndex> first = first_equal(
        apart, [&](VertexIndex v) { return hash_of_motion(rig_, v, position_[v]); },
        [&](VertexIndex a, VertexIndex b) {
          return position_[a] != position_[b] ? position_[a] < position_[b]
                                              : moves_before(rig_, a, b);
        },
        [&](VertexIndex a, VertexIndex b) {
          return position_[a] == position_[b] && are_same(a, b);
        });
    for (std::size_t i = 0; i < apart.size(); ++i) weld_.welded[apart[i]] = first[i];
    std::erase_if(apart, [&](VertexIndex v) { return weld_.welded[v] != v; });
    return apart;
  }

  // Welds representatives whose weights differ by rounding only, and counts cracked positions.
  void weld_alike(std::vector<VertexIndex> kinds) {
    std::ranges::stable_sort(kinds, {}, [&](VertexIndex v) { return position_[v]; });
    for (auto next = kinds.begin(); next != kinds.end();) {
      const VertexIndex first = position_[*next];
      std::vector<VertexIndex> kept{first};
      bool is_cracked = false;
      for (; next != kinds.end() && position_[*next] == first; ++next) {
        is_cracked = is_cracked || !move_alike(of(first), of(*next));
        const auto same = std::ranges::find_if(kept, [&](VertexIndex k) {
          return move_alike(of(k), of(*next)) && same_morphs(*rig_.mesh, k, *next);
        });
        if (same != kept.end()) {
          weld_.welded[*next] = *same;
          continue;
        }
        for (const VertexIndex k : kept) {
          if (!move_alike(of(k), of(*next))) pairs_.push_back({k, *next});
        }
        if (kept.size() < kMostKinds) kept.push_back(*next);
      }
      weld_.cracked_positions += is_cracked;
    }
  }

  std::span<const Influence> of(VertexIndex v) const { return rig_.influences_of(v); }

  bool are_same(VertexIndex a, VertexIndex b) const {
    return are_equal(of(a), of(b)) && same_morphs(*rig_.mesh, a, b);
  }

  const Rig& rig_;
  std::vector<VertexIndex> position_;  // [vertex] the first vertex at its position
  Weld weld_;
  std::vector<std::array<VertexIndex, 2>> pairs_;
};

}  // namespace

Weld weld_vertices(const Rig& rig, WeldBy by) {
  if (by == WeldBy::kFile && rig.weld_before_modifiers) return *rig.weld_before_modifiers;
  return Welder(rig).weld();
}

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

// ---- Points are numbered breadth first, the neighbours of a point in the order of their degrees:
// E. Cuthill, J. McKee. Reducing the Bandwidth of Sparse Symmetric Matrices. 1969. The first point
// of each connected part is the last point of an earlier search, which is far from the middle:
// Alan George, Joseph W. H. Liu. An Implementation of a Pseudoperipheral Node Finder. 1979.

namespace {

// The graph of welded vertices, from which points are numbered.
struct Graph {
  std::vector<std::uint32_t> first;    // [vertex + 1]
  std::vector<VertexIndex> neighbour;  // ascending

  std::size_t degree(VertexIndex v) const { return first[v + 1] - first[v]; }
  std::span<const VertexIndex> of(VertexIndex v) const {
    return {neighbour.data() + first[v], neighbour.data() + first[v + 1]};
  }
};

std::vector<Triangle> proper_triangles(const Mesh& mesh, std::span<const VertexIndex> welded) {
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    if (!is_degenerate(t, welded)) triangles.push_back({welded[t[0]], welded[t[1]], welded[t[2]]});
  }
  return triangles;
}

Graph graph_of(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
               const Edges& edges) {
  Graph graph;
  graph.first.assign(welded.size() + 1, 0);
  const auto for_each_edge = [&](const auto& visit) {
    for (const auto& sides : edges.sides) {
      const auto [a, b] = ends(triangles, sides[0]);
      visit(a, b);
      visit(b, a);
    }
  };
  for_each_edge([&](VertexIndex a, VertexIndex) { ++graph.first[a + 1]; });
  for (std::size_t v = 1; v < graph.first.size(); ++v) graph.first[v] += graph.first[v - 1];
  graph.neighbour.resize(graph.first.back());
  std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
  for_each_edge([&](VertexIndex a, VertexIndex b) { graph.neighbour[next[a]++] = b; });
  for (VertexIndex v = 0; v < welded.size(); ++v) {
    std::sort(graph.neighbour.begin() + graph.first[v],
              graph.neighbour.begin() + graph.first[v + 1]);
  }
  return graph;
}

// Appends the connected part of the graph that contains `start`, breadth first, and sets the marks
// of its vertices to `mark`.
void append_part(const Graph& graph, VertexIndex start, std::uint32_t mark,
                 std::vector<std::uint32_t>& marks, std::vector<VertexIndex>& order) {
  std::size_t at = order.size();
  order.push_back(start);
  marks[start] = mark;
  for (; at < order.size(); ++at) {
    const std::size_t begin = order.size();
    for (const VertexIndex n : graph.of(order[at])) {
      if (marks[n] == mark) continue;
      marks[n] = mark;
      order.push_back(n);
    }
    std::stable_sort(
        order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(),
        [&](VertexIndex a, VertexIndex b) { return graph.degree(a) < graph.degree(b); });
  }
}

// Returns every welded vertex once, with neighbours close to each other.
std::vector<VertexIndex> bandwidth_order(const Graph& graph, std::span<const VertexIndex> welded) {
  constexpr std::uint32_t kSearches = 3;  // two find an end of the part, the last gives the order
  std::vector<std::uint32_t> marks(welded.size(), 0);
  std::vector<VertexIndex> order;
  for (VertexIndex v = 0; v < welded.size(); ++v) {
    if (welded[v] != v || marks[v] != 0) continue;
    const std::size_t begin = order.size();
    VertexIndex start = v;
    for (std::uint32_t search = 1; search <= kSearches; ++search) {
      order.resize(begin);
      append_part(graph, start, search, marks, order);
      start = order.back();
    }
  }
  return order;
}

// [vertex] Whether an edge of one triangle ends at the vertex's point.
std::vector<bool> on_open_edges(const Mesh& mesh, std::span<const VertexIndex> welded) {
  const std::vector<Triangle> triangles = proper_triangles(mesh, welded);
  const Edges edges = build_edges(triangles, welded);
  std::vector<bool> is_open(welded.size());
  for (std::size_t e = 0; e < edges.uses.size(); ++e) {
    if (edges.uses[e] != 1) continue;
    for (const VertexIndex v : ends(triangles, edges.sides[e][0])) is_open[v] = true;
  }
  for (VertexIndex v = 0; v < welded.size(); ++v) is_open[v] = is_open[welded[v]];
  return is_open;
}

}  // namespace

std::vector<std::array<VertexIndex, 2>> cracked_pairs(const Rig& rig) {
  Welder welder(rig);
  const Weld weld = welder.weld();
  std::vector<std::array<VertexIndex, 2>> pairs = welder.pairs();
  if (pairs.empty()) return pairs;
  const std::vector<bool> is_open = on_open_edges(*rig.mesh, weld.welded);
  std::erase_if(pairs, [&](const std::array<VertexIndex, 2>& pair) {
    return !is_open[pair[0]] || !is_open[pair[1]];
  });
  return pairs;
}

WeldedSurface build_surface(const Rig& rig) {
  const std::vector<VertexIndex> welded = weld_vertices(rig, WeldBy::kFinal).welded;
  std::vector<Triangle> triangles = proper_triangles(*rig.mesh, welded);
  const Edges edges = build_edges(triangles, welded);
  const Graph graph = graph_of(triangles, welded, edges);

  WeldedSurface surface;
  surface.vertex_of = bandwidth_order(graph, welded);
  surface.point_of.resize(welded.size());
  for (PointIndex p = 0; p < surface.point_count(); ++p) {
    surface.point_of[surface.vertex_of[p]] = p;
  }
  for (VertexIndex v = 0; v < welded.size(); ++v) {
    surface.point_of[v] = surface.point_of[welded[v]];
  }
  for (Triangle& t : triangles) {
    for (VertexIndex& corner : t) corner = surface.point_of[corner];
  }
  surface.on_border.assign(surface.point_count(), 0);
  for (std::size_t e = 0; e < edges.uses.size(); ++e) {
    if (edges.uses[e] != 1) continue;
    for (const PointIndex p : ends(triangles, edges.sides[e][0])) surface.on_border[p] = 1;
  }
  surface.triangles = std::move(triangles);
  surface.first_neighbour.push_back(0);
  for (const VertexIndex v : surface.vertex_of) {
    for (const VertexIndex n : graph.of(v)) surface.neighbours.push_back(surface.point_of[n]);
    std::sort(surface.neighbours.begin() + surface.first_neighbour.back(),
              surface.neighbours.end());
    surface.first_neighbour.push_back(static_cast<std::uint32_t>(surface.neighbours.size()));
  }
  return surface;
}

}  // namespace skinbake
