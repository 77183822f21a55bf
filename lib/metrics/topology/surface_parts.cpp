// Orientation, boundaries, patches and joint regions of surfaces.

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "metrics/topology/surface_parts.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

enum Action : std::uint8_t { kUnknown, kKeep, kReverse };

struct Surface {
  std::span<const VertexIndex> welded;
  std::span<const Triangle> triangles;
  const Edges& edges;

  bool is_flipped(std::size_t edge) const {
    const auto [a, b] = edges.sides[edge];
    return edges.uses[edge] == 2 &&
           runs_forward(triangles, welded, a) == runs_forward(triangles, welded, b);
  }
};

// Finds the triangles of the patch of `first` and sets the action that makes each agree with
// `first`. Returns false if the patch is not orientable.
bool orient_patch(const Surface& surface, std::uint32_t first, std::vector<Action>& action,
                  std::vector<std::uint32_t>& patch) {
  bool consistent = true;
  patch.assign(1, first);
  action[first] = kKeep;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    const std::uint32_t t = patch[i];
    for (HalfEdge h = 3 * t; h < 3 * t + 3; ++h) {
      const std::uint32_t edge = surface.edges.edge_of[h];
      if (surface.edges.uses[edge] != 2) continue;
      const auto [a, b] = surface.edges.sides[edge];
      const std::uint32_t other = (a == h ? b : a) / 3;
      const Action opposite = action[t] == kKeep ? kReverse : kKeep;
      const Action required = surface.is_flipped(edge) ? opposite : action[t];
      if (action[other] == kUnknown) {
        action[other] = required;
        patch.push_back(other);
      } else if (action[other] != required) {
        consistent = false;
      }
    }
  }
  return consistent;
}

// Swaps the last two corners of a triangle, which exchanges its sides 0 and 2.
void reverse_triangle(std::uint32_t t, std::vector<Triangle>& triangles, Edges& edges) {
  std::swap(triangles[t][1], triangles[t][2]);
  std::swap(edges.edge_of[3 * t], edges.edge_of[3 * t + 2]);
  for (const HalfEdge h : {3 * t, 3 * t + 2}) {
    for (HalfEdge& side : edges.sides[edges.edge_of[h]]) {
      // An edge has only one of the sides 0 and 2 of the triangle.
      if (side / 3 == t) side = h;
    }
  }
}

}  // namespace

Orientation orient(std::span<const VertexIndex> welded, std::vector<Triangle>& triangles,
                   Edges& edges) {
  Orientation result;
  const Surface surface{welded, triangles, edges};
  for (std::size_t e = 0; e < edges.uses.size(); ++e) result.flipped_edges += surface.is_flipped(e);
  if (result.flipped_edges == 0) return result;

  std::vector<Action> action(triangles.size(), kUnknown);
  std::vector<std::uint32_t> patch, reversed;
  for (std::uint32_t first = 0; first < triangles.size(); ++first) {
    if (action[first] != kUnknown) continue;
    if (!orient_patch(surface, first, action, patch)) {
      ++result.non_orientable_patches;
      continue;
    }
    const auto reversals = std::count_if(patch.begin(), patch.end(),
                                         [&](std::uint32_t t) { return action[t] == kReverse; });
    const bool keep_majority = 2 * static_cast<std::size_t>(reversals) > patch.size();
    for (const std::uint32_t t : patch) {
      if (action[t] == (keep_majority ? kKeep : kReverse)) reversed.push_back(t);
    }
  }
  // Reversed at the end, because orient_patch uses the original directions.
  for (const std::uint32_t t : reversed) reverse_triangle(t, triangles, edges);
  result.flipped_triangles = static_cast<std::int64_t>(reversed.size());
  return result;
}

namespace {

constexpr std::uint32_t kNoCap = ~0u;

}  // namespace

BoundaryFinder::BoundaryFinder(std::span<const Triangle> triangles,
                               std::span<const VertexIndex> welded, const Edges& edges,
                               std::span<const VertexIndex> origins)
    : triangles_(triangles),
      welded_(welded),
      edges_(edges),
      origins_(origins),
      forward_(triangles.size(), 0),
      net_(edges.uses.size(), 0),
      groups_(welded.size()),
      cap_of_(welded.size(), kNoCap) {
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const VertexIndex a = welded[triangles[t][0]], b = welded[triangles[t][1]];
    const VertexIndex c = welded[triangles[t][2]];
    forward_[t] = static_cast<std::uint8_t>((a < b) | (b < c) << 1 | (c < a) << 2);
  }
}

void BoundaryFinder::find(Component& part) {
  const std::vector<HalfEdge> boundary = boundary_of(part.triangles);
  join(boundary);
  sort_into_caps(boundary, part);
  part.closed = boundary.empty();
  for (const HalfEdge h : boundary) cap_of_[root(h)] = kNoCap;
  for (const HalfEdge h : boundary) {
    for (const VertexIndex v : ends(triangles_, h)) groups_.reset(welded_[v]);
  }
}

// Returns |net| half-edges of each edge, in the direction of its net. Resets net_ to zero.
std::vector<HalfEdge> BoundaryFinder::boundary_of(std::span<const std::uint32_t> members) {
  for (const std::uint32_t t : members) {
    for (std::uint32_t side = 0; side < 3; ++side) {
      net_[edges_.edge_of[3 * t + side]] += direction(t, side);
    }
  }
  std::vector<HalfEdge> found;
  for (const std::uint32_t t : members) {
    for (std::uint32_t side = 0; side < 3; ++side) {
      const HalfEdge h = 3 * t + side;
      std::int32_t& net = net_[edges_.edge_of[h]];
      if (net == 0 || (net > 0) != (direction(t, side) > 0)) continue;
      net -= direction(t, side);
      found.push_back(h);
    }
  }
  return found;
}

void BoundaryFinder::join(std::span<const HalfEdge> boundary) {
  for (const HalfEdge h : boundary) {
    const auto [from, to] = ends(triangles_, h);
    groups_.join(welded_[from], welded_[to]);
  }
}

// A stable counting sort by group. Groups are in the order of their first edges.
void BoundaryFinder::sort_into_caps(std::span<const HalfEdge> boundary, Component& part) {
  for (const HalfEdge h : boundary) {
    std::uint32_t& cap = cap_of_[root(h)];
    if (cap == kNoCap) {
      cap = static_cast<std::uint32_t>(part.caps.size());
      part.caps.push_back({0, 0, origins_[h / 3]});
    }
    ++part.caps[cap].edge_count;
  }
  std::vector<std::uint32_t> next;
  std::uint32_t first = 0;
  for (Cap& cap : part.caps) {
    next.push_back(cap.first_edge = first);
    first += cap.edge_count;
  }
  part.boundary.resize(boundary.size());
  for (const HalfEdge h : boundary) part.boundary[next[cap_of_[root(h)]]++] = ends(triangles_, h);
}

namespace {

// A hash table of patches by component and joints: open addressing, at most half full.
class PatchTable {
 public:
  explicit PatchTable(std::vector<SurfacePatch>& patches) : patches_(patches), entries_(64, 0) {}

  std::uint32_t find_or_add(std::uint32_t component, const std::vector<std::uint32_t>& joints) {
    if (!patches_.empty() && equals(last_, component, joints)) return last_;
    if (2 * patches_.size() >= entries_.size()) grow();
    std::size_t at = hash(component, joints) & (entries_.size() - 1);
    while (entries_[at] != 0 && !equals(entries_[at] - 1, component, joints)) {
      at = (at + 1) & (entries_.size() - 1);
    }
    if (entries_[at] == 0) {
      patches_.push_back({component, {}, joints});
      entries_[at] = static_cast<std::uint32_t>(patches_.size());
    }
    return last_ = entries_[at] - 1;
  }

 private:
  bool equals(std::uint32_t patch, std::uint32_t component,
              const std::vector<std::uint32_t>& joints) const {
    return patches_[patch].component == component && patches_[patch].regions == joints;
  }

  static std::size_t hash(std::uint32_t component, const std::vector<std::uint32_t>& joints) {
    std::uint64_t h = component;
    for (const std::uint32_t j : joints) h = (h ^ j) * 0x9E3779B97F4A7C15u + (h >> 31);
    h *= 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio
    return static_cast<std::size_t>(h ^ (h >> 32));
  }

  void grow() {
    entries_.assign(2 * entries_.size(), 0);
    for (std::uint32_t p = 0; p < patches_.size(); ++p) {
      std::size_t at = hash(patches_[p].component, patches_[p].regions) & (entries_.size() - 1);
      while (entries_[at] != 0) at = (at + 1) & (entries_.size() - 1);
      entries_[at] = p + 1;
    }
  }

  std::vector<SurfacePatch>& patches_;
  std::vector<std::uint32_t> entries_;  // patch + 1; 0: free
  std::uint32_t last_ = 0;              // successive triangles often belong to one patch
};

// The pair of two triangles that share an edge and run along it in opposite directions.
std::optional<TrianglePair> pair_of(const Triangle& first, const Triangle& second) {
  for (std::size_t i = 0; i < 3; ++i) {
    const VertexIndex b = first[(i + 1) % 3], c = first[(i + 2) % 3];
    for (std::size_t j = 0; j < 3; ++j) {
      if (second[(j + 1) % 3] == c && second[(j + 2) % 3] == b) {
        return TrianglePair{first[i], b, c, second[j]};
      }
    }
  }
  return {};
}

}  // namespace

Patches group_triangles(const Rig& rig, std::span<const Triangle> triangles,
                        std::span<const std::uint32_t> component_of) {
  Patches result;
  result.patch_of.resize(triangles.size());
  PatchTable table(result.patches);
  HingeFinder hinges(rig);
  std::vector<std::uint32_t> joints;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const auto found = hinges.hinges_of(triangles[t]);
    joints.assign(found.begin(), found.end());
    std::sort(joints.begin(), joints.end());
    result.patch_of[t] = table.find_or_add(component_of[t], joints);
    result.patches[result.patch_of[t]].triangles.push_back(t);
  }
  return result;
}

std::vector<TrianglePair> pair_triangles(std::span<const Triangle> triangles,
                                         std::span<const std::uint32_t> members,
                                         VertexIndex origin) {
  std::vector<TrianglePair> pairs;
  pairs.reserve(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Triangle& t = triangles[members[i]];
    const auto pair = i + 1 < members.size() ? pair_of(t, triangles[members[i + 1]]) : std::nullopt;
    pairs.push_back(pair.value_or(TrianglePair{t[0], t[1], t[2], origin}));
    if (pair) ++i;
  }
  return pairs;
}

// ---- Weights are added from the joints of a triangle to their ancestors, deepest first, until an
// ancestor has almost all of the weight. The cost depends on the influences, not on the skeleton.

namespace {

// Bounds of the part of a triangle that a hinge moves.
constexpr double kLeast = 0.02, kMost = 0.98;

constexpr int kBits = 64;

}  // namespace

SkinTree build_skin_tree(const Rig& rig) {
  const std::vector<int> parents = parent_joints(rig);
  SkinTree tree;
  tree.joint = joints_parents_first(rig);
  const auto count = static_cast<std::uint32_t>(tree.joint.size());
  tree.rank.resize(count);
  for (std::uint32_t r = 0; r < count; ++r) tree.rank[tree.joint[r]] = r;
  tree.parent.assign(count, SkinTree::kNone);
  for (JointIndex j = 0; j < count; ++j) {
    if (parents[j] < 0) continue;
    tree.parent[tree.rank[j]] = tree.rank[static_cast<std::size_t>(parents[j])];
  }
  return tree;
}

HingeFinder::HingeFinder(const Rig& rig)
    : rig_(rig),
      tree_(build_skin_tree(rig)),
      waiting_(rig.joints.size() / kBits + 1, 0),
      weight_(rig.joints.size(), 0) {}

void HingeFinder::add(std::uint32_t rank, double weight) {
  const std::uint64_t bit = std::uint64_t{1} << (rank % kBits);
  std::uint64_t& word = waiting_[rank / kBits];
  weight_[rank] = (word & bit) ? weight_[rank] + weight : weight;
  word |= bit;
}

std::span<const JointIndex> HingeFinder::hinges_of(const Triangle& triangle) {
  hinges_.clear();
  std::uint32_t highest = 0;
  for (const VertexIndex v : triangle) {
    for (const Influence& i : rig_.influences_of(v)) {
      const std::uint32_t rank = tree_.rank[i.joint];
      add(rank, i.weight);
      highest = std::max(highest, rank / kBits);
    }
  }
  // True if a joint has all weight: then its ancestors do too, and no other joint has any.
  bool done = false;
  for (std::uint32_t w = highest + 1; w-- > 0;) {
    while (waiting_[w] != 0 && !done) {
      const auto rank = w * kBits + static_cast<std::uint32_t>(std::bit_width(waiting_[w])) - 1;
      waiting_[w] &= ~(std::uint64_t{1} << (rank % kBits));
      const double mean = weight_[rank] / 3;
      done = mean >= kMost;
      if (mean > kLeast && mean < kMost) hinges_.push_back(tree_.joint[rank]);
      if (tree_.parent[rank] != SkinTree::kNone) add(tree_.parent[rank], weight_[rank]);
    }
    waiting_[w] = 0;
  }
  return hinges_;
}

}  // namespace skinbake
