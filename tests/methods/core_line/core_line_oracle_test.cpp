// A second implementation of the core-line methods: scalar, with rotation matrices and angles, and
// the ellipse as the paper prints it (eq. 15 to 18, steps 3-1 to 3-8).
//
//     v' = sum w_i M_i v + sum_edges (w_a + w_b) (w_a w_b / sum w w) (X - t M_a v - (1-t) M_b v)
//     X  = Q (v - gamma_rest) + gamma_pose

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "clip/poses/skinning.h"
#include "math/scalar.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using V = Vec3<double>;
using M = Affine<double>;

struct Bone {
  V a, b, c;      // parent's head, child's head, child's tip
  double d0, d1;  // distances of the bounds
};

V unit(const V& v) {
  return (1 / norm(v)) * v;
}
V before(const Bone& bone) {
  return unit(bone.b - bone.a);
}
V after(const Bone& bone) {
  return unit(bone.c - bone.b);
}
double foot(const Bone& bone, const V& v) {
  return std::min(0.0, dot(v - bone.b, before(bone))) + std::max(0.0, dot(v - bone.b, after(bone)));
}
V core(const Bone& bone, double x) {
  return bone.b + x * (x < 0 ? before(bone) : after(bone));
}

// (R_1 R_0^-1)^p R_0, by the axis and angle of the relative matrix.
M between(const M& m0, const M& m1, double p) {
  const auto transposed = [](const M& m) {
    return M{{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}, {0, 0, 0}};
  };
  M r0 = m0, r1 = m1;
  r0.translation = r1.translation = {0, 0, 0};
  const M r = r1 * transposed(r0);
  const V twice{r.y.z - r.z.y, r.z.x - r.x.z, r.x.y - r.y.x};
  const double angle = std::atan2(norm(twice), r.x.x + r.y.y + r.z.z - 1);
  if (norm(twice) == 0) return r0;
  const V k = unit(twice);
  const auto turn = [&](const V& v) {  // Rodrigues' formula
    return std::cos(p * angle) * v + std::sin(p * angle) * cross(k, v) +
           (1 - std::cos(p * angle)) * dot(k, v) * k;
  };
  return {turn(r0.x), turn(r0.y), turn(r0.z), {0, 0, 0}};
}

// The paper's ellipse, step by step; x is the foot.
V ellipse(const Bone& bone, double x, const M& m0, const M& m1) {
  const V r0 = m0 * core(bone, -bone.d0), r1 = m1 * core(bone, bone.d1), b = m1 * bone.b;
  if (x <= -bone.d0) return m0 * core(bone, x);
  if (x >= bone.d1) return m1 * core(bone, x);
  const V core_point = x < 0 ? r0 + (1 + x / bone.d0) * (b - r0) : b + (x / bone.d1) * (r1 - b);
  const bool swapped = norm(b - r1) > norm(b - r0);
  const V far = swapped ? r1 : r0, near = swapped ? r0 : r1;
  const V ax = unit(b - far);  // towards the joint, so that k_2 > 0
  const V normal = cross(r0 - b, r1 - b);
  V ay = unit(cross(normal, ax));
  if (dot(near - far, ay) < 0) ay = -ay;
  const V p1 = near - far, p2 = b - far, p3 = core_point - far;
  const double k0 = -dot(p1, ay), k1 = dot(p1, ax), k2 = dot(p2, ax);
  const double semi_x = k2 * std::sqrt(k1 / (2 * k2 - k1));
  const double semi_y = k0 * k2 / (k1 - 2 * k2);
  const double k3 = dot(p3, ax), c = dot(p3, ay) - dot(p2, ay);
  const double ex =
      semi_x * semi_y * k3 /
      std::sqrt(k3 * k3 * semi_y * semi_y + semi_x * semi_x * (c - semi_y) * (c - semi_y));
  const double ey = k3 == 0 ? -semi_y : (c - semi_y) / k3 * ex;
  return far + ex * ax + (ey + semi_y) * ay;
}

V conic(const Bone& bone, double x, const M& m0, const M& m1) {
  if (x <= -bone.d0) return m0 * core(bone, x);
  if (x >= bone.d1) return m1 * core(bone, x);
  const V p0 = m0 * core(bone, -bone.d0), p1 = m1 * core(bone, bone.d1), b = m1 * bone.b;
  // The root in 0 … 1 of (d1 - d0) u^2 + 2 d0 u - (d0 + x) = 0, by bisection.
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double u = (low + high) / 2;
    ((bone.d1 - bone.d0) * u * u + 2 * bone.d0 * u < bone.d0 + x ? low : high) = u;
  }
  const double u = low;
  const double theta = std::acos(std::clamp(dot(unit(b - p0), unit(p1 - b)), -1.0, 1.0));
  const double w0 = (1 - u) * (1 - u), w1 = 2 * std::cos(theta / 2) * u * (1 - u), w2 = u * u;
  return (1 / (w0 + w1 + w2)) * (w0 * p0 + w1 * b + w2 * p1);
}

// gamma of the method `id`, s = 1/2.
V gamma(const std::string& id, const Bone& bone, double t, double x, const M& m0, const M& m1) {
  if (id == "sbs-ellipse") return ellipse(bone, x, m0, m1);
  if (id == "sbs-conic") return conic(bone, x, m0, m1);
  const V cv = core(bone, x), r0 = core(bone, -bone.d0), r1 = core(bone, bone.d1);
  const V delta = t * r0 + (1 - t) * r1 - cv;
  const V first = t * (m0 * cv) + (1 - t) * (m1 * cv);
  if (id == "sbs-core") return first;
  if (id == "sbs++") {
    return t * t * (m0 * (r0 - delta)) + 2 * t * (1 - t) * (m1 * bone.b) +
           (1 - t) * (1 - t) * (m1 * (r1 - delta));
  }
  return 0.5 * first + 0.5 * (t * (m0 * (r0 - delta)) + (1 - t) * (m1 * (r1 - delta)));
}

V edge_result(const std::string& id, bool faithful, const Bone& bone, double t, const V& v,
              const M& m0, const M& m1) {
  double x = foot(bone, v);
  const V cv = core(bone, x);
  if (!faithful && (id == "sbs-ellipse" || id == "sbs-conic")) {
    const double width = bone.d0 + bone.d1, xt = (1 - t) * width - bone.d0;
    const double most = width * std::sqrt(t * (1 - t) / 3);
    x = std::max(xt - most, std::min(xt + most, x));
  }
  const V rest = faithful ? cv : gamma(id, bone, t, x, kIdentity, kIdentity);
  return between(m0, m1, 1 - t) * (v - rest) + gamma(id, bone, t, x, m0, m1);
}

// A bent chain of four joints and a tip, whose bounds are joint parameters.
struct Chain {
  static constexpr int kJoints = 4;
  std::vector<V> places{
      {0, 0, 0}, {0.9, 0.1, 0}, {1.8, 0.5, 0.1}, {2.4, 1.4, 0.2}, {2.5, 2.2, 0.8}};
  std::vector<double> r0{0, 0.5, 0.25, 0.375}, r1{0, 0.25, 0.5, 0.375};
  std::vector<V> points;
  std::vector<std::vector<Influence>> influences;
  Rig rig;
  JointParameters parameters;

  Chain() {
    test::Random random(81);
    std::vector<Node> nodes(5);
    for (int j = 0; j < 5; ++j) {
      nodes[j].name = "joint" + std::to_string(j);
      nodes[j].parent = j - 1;
      nodes[j].translation = j == 0 ? places[0] : places[j] - places[j - 1];
      if (j > 0 && j < kJoints) parameters[nodes[j].name] = {{"r0", r0[j]}, {"r1", r1[j]}};
    }
    for (int i = 0; i < 60; ++i) {
      const auto grid = [&](double low, double high) {
        return std::ldexp(std::round(std::ldexp(random.between(low, high), 12)), -12);
      };
      points.push_back({grid(0, 2.6), grid(-0.5, 1.5), grid(-0.4, 0.5)});
      std::vector<Influence> all;
      const int first = random.below(kJoints - 1), count = 2 + random.below(kJoints - 1 - first);
      double sum = 0;
      for (int j = first; j < first + count; ++j) {
        all.push_back({static_cast<JointIndex>(j), random.between(0.05, 1)});
        sum += all.back().weight;
      }
      for (Influence& in : all) in.weight /= sum;
      std::sort(all.begin(), all.end(),
                [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      influences.push_back(all);
    }
    rig = test::loose(points, nodes, influences);
  }

  Bone bone(int child) const {
    return {places[child - 1], places[child], places[child + 1], r0[child], r1[child]};
  }

  V expected(const std::string& id, bool faithful, std::size_t v, const std::vector<M>& m) const {
    std::vector<double> w(5);
    V sum{0, 0, 0};
    for (const Influence& i : influences[v]) {
      w[i.joint] = i.weight;
      sum = sum + i.weight * (m[i.joint] * points[v]);
    }
    double products = 0;
    for (int j = 1; j < kJoints; ++j) products += w[j - 1] * w[j];
    for (int j = 1; j < kJoints; ++j) {
      const double both = w[j - 1] + w[j];
      if (w[j - 1] * w[j] == 0) continue;
      const double t = w[j - 1] / both;
      const V x = edge_result(id, faithful, bone(j), t, points[v], m[j - 1], m[j]);
      const V linear = t * (m[j - 1] * points[v]) + (1 - t) * (m[j] * points[v]);
      sum = sum + (both * w[j - 1] * w[j] / products) * (x - linear);
    }
    return sum;
  }
};

// A clip that turns every joint by less than `most` radians, and moves joints.
Clip bends(const Chain& chain, double most, int frames) {
  test::Random random(82);
  std::vector<std::vector<test::Local>> locals;
  for (int f = 0; f < frames; ++f) {
    std::vector<test::Local>& of_frame = locals.emplace_back();
    for (const Node& node : chain.rig.skeleton->nodes) {
      const double half = random.between(-most, most) / 2;
      const V axis = unit(random.vector(1));
      of_frame.push_back({node.translation + random.vector(0.05),
                          {std::cos(half), std::sin(half) * axis.x, std::sin(half) * axis.y,
                           std::sin(half) * axis.z}});
    }
  }
  return test::clip_of(locals);
}

}  // namespace

TEST_CASE("core line: another implementation gives the same positions") {
  const Chain chain;
  constexpr int kFrames = 20;
  const Clip clip = bends(chain, 2.5, kFrames);
  for (const char* id : {"sbs-core", "sbs+", "sbs++", "sbs-ellipse", "sbs-conic"}) {
    for (const bool faithful : {false, true}) {
      const std::string name = std::string(id) + (faithful ? ":faithful=1" : "");
      CAPTURE(name);
      BakePlan plan = test::plan_of(chain.rig, &clip, kFrames);
      plan.joint_parameters = chain.parameters;
      const test::Capture capture = test::captured(plan, name);
      PoseSampler sampler(chain.rig, &clip, {0, 0, 0});
      SampledPose pose;
      double worst = 0;
      for (int f = 0; f < kFrames; ++f) {
        sampler.sample(f / 30.0, pose);
        for (VertexIndex v = 0; v < chain.points.size(); ++v) {
          worst = std::max(worst,
                           test::distance(capture.exact_at(f, v),
                                          chain.expected(id, faithful, v, pose.posed_from_rest)));
        }
      }
      CHECK(worst < 1e-12);
    }
  }
}

}  // namespace skinbake
