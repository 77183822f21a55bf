#include "methods/bind/corner_frames.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "math/scalar.h"
#include "rig/surface/weld.h"
#include "skinbake/error.h"

namespace skinbake {
namespace {

struct Corner {
  PointIndex second, third;  // the triangle's other points, in its order
  double angle;
  Vec3<double> delta;
};

struct MushParameters {
  int iterations;
  double step;
  bool pins_border;
};

class CornerBinder {
 public:
  CornerBinder(const BindInput& input, const MushParameters& parameters)
      : input_(input), parameters_(parameters), surface_(build_surface(input.rig)) {
    for (const VertexIndex v : surface_.vertex_of) rest_.push_back(input.position(v));
    smooth();
    find_corners();
  }

  BindData run() const {
    BindData bind_data;
    bind_data.numbers_per_entry = kNumbersPerCorner;
    bind_data.first_entry.push_back(0);
    std::uint64_t entries = 0;
    for (const PointIndex p : surface_.point_of) {
      entries += 1 + neighbour_count(p) + 2 * (first_corner_[p + 1] - first_corner_[p]);
      if (entries > 0xffffffffu) {
        throw Error("MESH_TOO_LARGE", "mesh '" + input_.rig.id + "': its " +
                                          std::to_string(surface_.triangles.size()) +
                                          " triangles are more than method 'dm' supports");
      }
      bind_data.first_entry.push_back(static_cast<std::uint32_t>(entries));
    }
    bind_data.indices.resize(entries);
    bind_data.numbers.resize(entries * kNumbersPerCorner);
    input_.in_parallel(surface_.point_of.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t v = first; v < last; ++v) {
        const std::size_t entry = bind_data.first_entry[v];
        put(surface_.point_of[v], bind_data.indices.data() + entry,
            bind_data.numbers.data() + entry * kNumbersPerCorner);
      }
    });
    return bind_data;
  }

 private:
  bool is_pinned(PointIndex p) const { return parameters_.pins_border && surface_.on_border[p]; }
  std::uint32_t neighbour_count(PointIndex p) const {
    return is_pinned(p) ? 0 : static_cast<std::uint32_t>(surface_.neighbours_of(p).size());
  }
  double share(PointIndex p) const {
    return neighbour_count(p) > 0 ? parameters_.step / neighbour_count(p) : 0;
  }

  void smooth() {
    smoothed_ = rest_;
    std::vector<Vec3<double>> next(smoothed_.size());
    for (int i = 0; i < parameters_.iterations; ++i) {
      input_.in_parallel(next.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) next[p] = smoothed(static_cast<PointIndex>(p));
      });
      smoothed_.swap(next);
    }
  }

  Vec3<double> smoothed(PointIndex p) const {
    if (neighbour_count(p) == 0) return smoothed_[p];
    Vec3<double> sum{0, 0, 0};
    for (const PointIndex n : surface_.neighbours_of(p)) sum = sum + smoothed_[n];
    return fma(share(p), sum, (1 - parameters_.step) * smoothed_[p]);
  }

  // Lists the corners of every point, in the order of the triangles.
  void find_corners() {
    first_corner_.assign(surface_.point_count() + 1, 0);
    const auto for_each_corner = [&](const auto& visit) {
      for (const auto& t : surface_.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
          const Corner c = corner(t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
          if (c.angle > 0) visit(t[k], c);
        }
      }
    };
    for_each_corner([&](PointIndex p, const Corner&) { ++first_corner_[p + 1]; });
    for (std::size_t p = 1; p < first_corner_.size(); ++p) first_corner_[p] += first_corner_[p - 1];
    corners_.resize(first_corner_.back());
    std::vector<std::uint32_t> next(first_corner_.begin(), first_corner_.end() - 1);
    for_each_corner([&](PointIndex p, const Corner& c) { corners_[next[p]++] = c; });
  }

  Corner corner(PointIndex p, PointIndex second, PointIndex third) const {
    const Vec3<double> a = smoothed_[second] - smoothed_[p], b = smoothed_[third] - smoothed_[p];
    const double lengths = norm(a) * norm(b);
    const Vec3<double> normal = cross(a, b);
    const double sine = norm(normal);  // multiplied with the lengths
    Corner c{second, third, 0, {0, 0, 0}};
    if (!(sine > kLeastSine * lengths)) return c;
    c.angle = atan2(sine, dot(a, b));
    const Vec3<double> x = norm(b) * a + norm(a) * b, y = norm(a) * b - norm(b) * a;
    const Vec3<double> delta = rest_[p] - smoothed_[p];
    c.delta = {dot(x, delta) / norm(x), dot(y, delta) / norm(y), dot(normal, delta) / sine};
    return c;
  }

  void put(PointIndex p, std::uint32_t* indices, double* numbers) const {
    *indices++ = neighbour_count(p);
    *numbers = share(p);
    numbers += kNumbersPerCorner;
    for (std::uint32_t i = 0; i < neighbour_count(p); ++i) {
      *indices++ = surface_.vertex_of[surface_.neighbours_of(p)[i]];
      numbers += kNumbersPerCorner;
    }
    for (std::uint32_t i = first_corner_[p]; i < first_corner_[p + 1]; ++i) {
      const Corner& c = corners_[i];
      *indices++ = surface_.vertex_of[c.second];
      *indices++ = surface_.vertex_of[c.third];
      const Vec3<double> delta = c.angle * c.delta;
      numbers[kAngle] = c.angle;
      numbers[kDelta] = delta.x, numbers[kDelta + 1] = delta.y, numbers[kDelta + 2] = delta.z;
      numbers += 2 * kNumbersPerCorner;
    }
  }

  const BindInput& input_;
  MushParameters parameters_;
  WeldedSurface surface_;
  std::vector<Vec3<double>> rest_, smoothed_;  // [point]
  std::vector<std::uint32_t> first_corner_;    // [point + 1]
  std::vector<Corner> corners_;
};

}  // namespace

BindData bind_corner_frames(const BindInput& input) {
  using Of = MushParameter;
  const Parameters& p = input.parameters;
  return CornerBinder(input, {static_cast<int>(p[Of::kIterations]), p[Of::kStep], p[Of::kPin] != 0})
      .run();
}

}  // namespace skinbake
