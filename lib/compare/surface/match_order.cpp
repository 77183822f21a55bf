// Pairs vertices that are the same in another order. Texture coordinates are not compared: vertices
// that they alone distinguish are at one place in every frame, so their order changes no distance.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "compare/surface/closest_partner.h"
#include "compare/surface/surfaces.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

constexpr double kSamePlace = 1e-5;  // of the diagonal
// Of the diagonal: vertices that morph targets move farther apart are as different as two vertices
// without a common joint.
constexpr double kOtherMorph = 1e-3;
constexpr VertexIndex kNoVertex = static_cast<VertexIndex>(-1);

std::strong_ordering compare(double a, double b) {
  return a < b   ? std::strong_ordering::less
         : a > b ? std::strong_ordering::greater
                 : std::strong_ordering::equal;
}

std::strong_ordering compare(const Vec3<double>& a, const Vec3<double>& b) {
  if (const auto x = compare(a.x, b.x); x != 0) return x;
  if (const auto y = compare(a.y, b.y); y != 0) return y;
  return compare(a.z, b.z);
}

// Vertices in an order that their numbers do not influence: equal vertices are side by side.
class SortedVertices {
 public:
  explicit SortedVertices(const BindSurface& surface) : surface_(surface) {
    influences_ = surface.influences;
    for (Influence& i : influences_) i.joint = surface.joint_ids[i.joint];
    for (VertexIndex v = 0; v < surface.vertex_count(); ++v) {
      std::sort(influences_.begin() + surface.first_influence[v],
                influences_.begin() + surface.first_influence[v + 1],
                [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    }
    order_.resize(surface.positions.size());
    std::iota(order_.begin(), order_.end(), VertexIndex{0});
    std::sort(order_.begin(), order_.end(), [&](VertexIndex a, VertexIndex b) {
      const auto order = compare(*this, a, *this, b);
      return order != 0 ? order < 0 : a < b;
    });
  }

  const std::vector<VertexIndex>& order() const { return order_; }

  static std::strong_ordering compare(const SortedVertices& a, VertexIndex va,
                                      const SortedVertices& b, VertexIndex vb) {
    const BindSurface &sa = a.surface_, &sb = b.surface_;
    const auto place = skinbake::compare(sa.positions[va], sb.positions[vb]);
    if (place != 0) return place;
    const auto normal = skinbake::compare(sa.normals[va], sb.normals[vb]);
    if (normal != 0) return normal;
    const auto morphed = skinbake::compare(sa.morphed[va], sb.morphed[vb]);
    if (morphed != 0) return morphed;
    const auto ia = a.influences_of(va), ib = b.influences_of(vb);
    for (std::size_t i = 0; i < std::min(ia.size(), ib.size()); ++i) {
      if (ia[i].joint != ib[i].joint) return ia[i].joint <=> ib[i].joint;
      const auto weight = skinbake::compare(ia[i].weight, ib[i].weight);
      if (weight != 0) return weight;
    }
    return ia.size() <=> ib.size();
  }

 private:
  std::span<const Influence> influences_of(VertexIndex v) const {
    return {influences_.data() + surface_.first_influence[v],
            influences_.data() + surface_.first_influence[v + 1]};
  }

  const BindSurface& surface_;
  std::vector<Influence> influences_;  // by joint id, ascending in each vertex
  std::vector<VertexIndex> order_;
};

// Pairs vertices that are equal in every number.
void pair_equal(const BindSurface& a, const BindSurface& b, std::vector<VertexIndex>& b_of_a,
                std::vector<VertexIndex>& a_of_b) {
  const SortedVertices sorted_a(a), sorted_b(b);
  std::size_t i = 0, j = 0;
  while (i < b_of_a.size() && j < a_of_b.size()) {
    const VertexIndex va = sorted_a.order()[i], vb = sorted_b.order()[j];
    const auto order = SortedVertices::compare(sorted_a, va, sorted_b, vb);
    if (order == 0) b_of_a[va] = vb, a_of_b[vb] = va;
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
}

// Finds vertices of b that are not paired yet, by their place.
class Places {
 public:
  Places(const BindSurface& b, const std::vector<VertexIndex>& a_of_b, double near)
      : b_(b), near_(near) {
    for (VertexIndex v = 0; v < b.vertex_count(); ++v) {
      if (a_of_b[v] == kNoVertex) cells_[key(cell(b.positions[v]))].push_back(v);
    }
  }

  // Calls visit(v) for the vertices within the distance, and for some others.
  template <class Visit>
  void visit_near(const Vec3<double>& p, const Visit& visit) const {
    const Cell centre = cell(p);
    for (std::int64_t x = -1; x <= 1; ++x) {
      for (std::int64_t y = -1; y <= 1; ++y) {
        for (std::int64_t z = -1; z <= 1; ++z) {
          const auto at = cells_.find(key({centre.x + x, centre.y + y, centre.z + z}));
          if (at == cells_.end()) continue;
          for (const VertexIndex v : at->second) visit(v);
        }
      }
    }
  }

 private:
  struct Cell {
    std::int64_t x, y, z;
  };
  // Coordinates are at most some diagonals away from the first vertex: 1e5 cells each.
  Cell cell(const Vec3<double>& p) const {
    const Vec3<double>& origin = b_.positions.front();
    const auto along = [&](double x) {
      return static_cast<std::int64_t>(std::floor(std::clamp(x / near_, -1e15, 1e15)));
    };
    return {along(p.x - origin.x), along(p.y - origin.y), along(p.z - origin.z)};
  }
  // Two cells may have one key: the caller checks distances.
  static std::uint64_t key(const Cell& c) {
    return static_cast<std::uint64_t>(c.x) * 0x9E3779B97F4A7C15u ^
           static_cast<std::uint64_t>(c.y) * 0xC2B2AE3D27D4EB4Fu ^
           static_cast<std::uint64_t>(c.z) * 0x165667B19E3779F9u;
  }

  const BindSurface& b_;
  double near_;
  std::unordered_map<std::uint64_t, std::vector<VertexIndex>> cells_;
};

// Pairs the rest: each vertex with the free vertex of the most similar place, normal, weights and
// morph targets.
// Returns false if a vertex has none, or if too many have to be compared.
bool pair_similar(const BindSurface& a, const BindSurface& b, std::vector<VertexIndex>& b_of_a,
                  std::vector<VertexIndex>& a_of_b) {
  const double near = kSamePlace * a.diagonal_m;
  if (!(near > 0)) return std::count(b_of_a.begin(), b_of_a.end(), kNoVertex) == 0;
  const Places places(b, a_of_b, near);
  WeightDifference weights(a.joint_id_count);
  std::uint64_t steps_left = 1'000'000 + 100 * std::uint64_t{a.vertex_count()};
  for (VertexIndex v = 0; v < a.vertex_count(); ++v) {
    if (b_of_a[v] != kNoVertex) continue;
    weights.set(a, {{v, v, v}, {1, 0, 0}});
    std::pair<double, VertexIndex> best{0, kNoVertex};
    places.visit_near(a.positions[v], [&](VertexIndex w) {
      if (steps_left == 0) return;
      --steps_left;
      const double distance = norm(a.positions[v] - b.positions[w]);
      if (a_of_b[w] != kNoVertex || distance > near) return;
      const double morphed = norm(a.morphed[v] - b.morphed[w]) / (kOtherMorph * a.diagonal_m);
      const std::pair cost{distance / near + norm(a.normals[v] - b.normals[w]) +
                               weights.of(b, {{w, w, w}, {1, 0, 0}}) + std::min(1.0, morphed),
                           w};
      if (best.second == kNoVertex || cost < best) best = cost;
    });
    if (best.second == kNoVertex || steps_left == 0) return false;
    b_of_a[v] = best.second;
    a_of_b[best.second] = v;
  }
  return true;
}

}  // namespace

std::optional<std::vector<VertexIndex>> match_order(const BindSurface& a, const BindSurface& b) {
  if (a.vertex_count() != b.vertex_count()) return {};
  std::vector<VertexIndex> b_of_a(a.positions.size(), kNoVertex), a_of_b = b_of_a;
  pair_equal(a, b, b_of_a, a_of_b);
  if (!pair_similar(a, b, b_of_a, a_of_b)) return {};
  return b_of_a;
}

std::optional<double> index_distance(const BindSurface& a, const BindSurface& b) {
  if (a.vertex_count() != b.vertex_count()) return {};
  double worst = 0;
  for (std::size_t v = 0; v < a.positions.size(); ++v) {
    worst = std::max(worst, norm(a.positions[v] - b.positions[v]));
  }
  return worst;
}

}  // namespace skinbake
