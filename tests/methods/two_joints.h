// The rig of the closed forms: joint 1 turns relative to joint 0 by 0 … 179 degrees (or another
// range), one degree per frame. All vertices have the same distance from the axis; the weights of
// joint 1 are multiples of 1/16.

#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "math/scalar.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake::test {

inline constexpr int kDegrees = 180, kWeights = 17;
inline constexpr double kRadius = 0.75;

// A posed vertex: its distance from the axis, and the angle by which it is turned.
struct Turned {
  double radius, angle;
};

// The axis of the turn is y for a twist, along the bone, or x for a bend, as of a hinge.
class TwoJoints {
 public:
  TwoJoints(Vec3<double> axis, std::string_view method, int first_degree = 0,
            int end_degree = kDegrees)
      : axis_(axis) {
    // Both joints are at one position, through which the axis passes. A third joint, without
    // weight, is the tip of the second joint's bone.
    std::vector<Node> nodes(3);
    nodes[0].translation = kPivot;
    nodes[1].parent = 0;
    nodes[2].parent = 1;
    nodes[2].translation = {0, 1, 0};
    std::vector<Vec3<double>> points;
    std::vector<std::vector<Influence>> influences;
    for (int i = 0; i < kWeights; ++i) {
      const double w = weight(i);
      points.push_back(
          {kPivot.x + u().x * kRadius, kPivot.y + u().y * kRadius, kPivot.z + u().z * kRadius});
      std::vector<Influence> both{{0, 1 - w}, {1, w}};
      if (w > 0.5) std::swap(both[0], both[1]);
      if (both[1].weight == 0) both.pop_back();
      influences.push_back(both);
    }
    Rig rig = loose(points, nodes, influences);
    add_surface(rig);
    std::vector<std::vector<Local>> frames;
    for (int d = first_degree; d < end_degree; ++d) {
      const double s = std::sin(radians(d) / 2), c = std::cos(radians(d) / 2);
      frames.push_back(
          {{kPivot}, {{0, 0, 0}, {c, s * axis.x, s * axis.y, s * axis.z}}, {{0, 1, 0}}});
    }
    const Clip clip = clip_of(frames);
    capture_ = std::make_unique<Capture>(captured(rig, &clip, end_degree - first_degree, method));
  }

  static double weight(int i) { return i / (kWeights - 1.0); }
  static double radians(int degrees) { return degrees * std::numbers::pi / 180; }

  Turned exact(int degrees, int w) const {
    return turned(capture_->exact_at(degrees, static_cast<VertexIndex>(w)));
  }
  Turned rounded(int degrees, int w) const {
    return turned(capture_->at(degrees, static_cast<VertexIndex>(w)));
  }

  // The largest distance that a vertex moves from one degree to the next.
  double worst_step() const {
    double worst = 0;
    for (std::int64_t f = 1; f < capture_->frame_count(); ++f) {
      for (VertexIndex v = 0; v < kWeights; ++v) {
        worst = std::max(worst, distance(capture_->exact_at(f, v), capture_->exact_at(f - 1, v)));
      }
    }
    return worst;
  }

 private:
  static constexpr Vec3<double> kPivot{0.25, -1, 0.5};
  // Unit vectors perpendicular to the axis: u points to the vertices at rest, v is a quarter turn
  // on.
  Vec3<double> u() const { return {0, axis_.x, axis_.y}; }
  Vec3<double> v() const {
    const Vec3<double> a = axis_, b = u();
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  Turned turned(const Vec3<double>& p) const {
    const auto along = [&](const Vec3<double>& d) {
      return (p.x - kPivot.x) * d.x + (p.y - kPivot.y) * d.y + (p.z - kPivot.z) * d.z;
    };
    const double a = along(u()), b = along(v());
    return {std::hypot(a, b), std::atan2(b, a)};
  }

  // For methods that read the surface: each vertex is a corner of a double pyramid of equal weights
  // about the pivot, whose tips are on the axis.
  void add_surface(Rig& rig) const {
    auto mesh = std::make_shared<Mesh>(*rig.mesh);
    std::vector<Influence> influences = rig.influences;
    const double half = -0.5 * kRadius, side = std::sqrt(0.75) * kRadius;
    const Vec3<double> others[] = {half * u() + side * v(), half * u() + -side * v(),
                                   kRadius * axis_, -kRadius * axis_};
    for (VertexIndex i = 0; i < kWeights; ++i) {
      for (const Vec3<double>& from_pivot : others) {
        const Vec3<double> p = kPivot + from_pivot;
        for (const double x : {p.x, p.y, p.z}) mesh->positions.push_back(static_cast<float>(x));
        mesh->normals.insert(mesh->normals.end(), {0, 0, 1});
        const auto of_vertex = rig.influences_of(i);
        influences.insert(influences.end(), of_vertex.begin(), of_vertex.end());
        rig.first_influence.push_back(static_cast<std::uint32_t>(influences.size()));
      }
      const VertexIndex first = kWeights + 4 * i, tip = first + 2, other_tip = first + 3;
      const VertexIndex ring[] = {i, first, first + 1, i};
      for (int k = 0; k < 3; ++k) {
        mesh->triangles.push_back({ring[k], ring[k + 1], tip});
        mesh->triangles.push_back({ring[k + 1], ring[k], other_tip});
      }
    }
    mesh->primitives = {{0, mesh->vertex_count()}};
    rig.mesh = mesh;
    rig.influences = influences;
  }

  Vec3<double> axis_;
  std::unique_ptr<Capture> capture_;
};

inline constexpr Vec3<double> kTwist{0, 1, 0}, kBend{1, 0, 0};

// The largest deviations from a closed form, Turned expected(weight, turn), over all degrees and
// weights. The deviation of the angle is multiplied with the expected radius.
template <class Expected>
Turned worst_deviation(const TwoJoints& joints, const Expected& expected, bool rounded) {
  Turned worst{0, 0};
  for (int d = 0; d < kDegrees; ++d) {
    for (int i = 0; i < kWeights; ++i) {
      const Turned e = expected(TwoJoints::weight(i), TwoJoints::radians(d));
      const Turned t = rounded ? joints.rounded(d, i) : joints.exact(d, i);
      worst.radius = std::max(worst.radius, std::fabs(t.radius - e.radius));
      worst.angle = std::max(worst.angle, std::fabs(t.angle - e.angle) * e.radius);
    }
  }
  return worst;
}

// The closed form of linearly blended quaternions.
inline Turned blended_quaternions(double w, double turn) {
  return {kRadius, 2 * std::atan2(w * std::sin(turn / 2), (1 - w) + w * std::cos(turn / 2))};
}

}  // namespace skinbake::test
