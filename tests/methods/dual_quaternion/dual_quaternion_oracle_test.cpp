// A second implementation of dual quaternion skinning with joint-pivot scale: scalar, without polar
// decomposition (rotations and stretches are inputs), without the library's quaternions.
//
//     k  = lower weighted median of cbrt(det S_j)
//     u  = sum w_j (S_j (v - c_j) + k c_j)
//     C_j = (R_j, t_j + R_j S_j c_j - k R_j c_j)
//     v' = u + 2 r x (r x u + r_0 u) + 2 (r_0 d - d_0 r + r x d),  r + eps d the blend over its
//     norm

#include <doctest/doctest.h>

#include <algorithm>

#include "methods/plain_vectors.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::cross_of;
using test::hamilton;
using test::Matrix3;
using test::Quaternion;
using test::sum;
using test::times;
using test::Vector3;

Vector3 vector_of(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
Matrix3 rows_of(const Affine<double>& m) {
  return {Vector3{m.x.x, m.y.x, m.z.x}, Vector3{m.x.y, m.y.y, m.z.y}, Vector3{m.x.z, m.y.z, m.z.z}};
}
double determinant_of(const Matrix3& m) {
  const Vector3 c = cross_of(m[1], m[2]);
  return m[0][0] * c[0] + m[0][1] * c[1] + m[0][2] * c[2];
}
Vector3 rotated(const Quaternion& q, const Vector3& v) {
  const Quaternion r = hamilton(hamilton(q, {0, v[0], v[1], v[2]}), {q[0], -q[1], -q[2], -q[3]});
  return {r[1], r[2], r[3]};
}

struct PlainJoint {
  Quaternion rotation;
  Matrix3 stretch;
  Vector3 translation;  // t of M = [R S | t]
  Vector3 pivot;        // c
};

double common_scale(const std::vector<PlainJoint>& joints, const std::vector<double>& weights) {
  std::vector<std::pair<double, double>> sorted;
  double total = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (weights[j] > 0)
      sorted.emplace_back(std::cbrt(determinant_of(joints[j].stretch)), weights[j]);
    total += weights[j];
  }
  std::sort(sorted.begin(), sorted.end());
  double below = 0;
  for (const auto& [scale, weight] : sorted) {
    below += weight;
    if (below >= total / 2) return scale;
  }
  return 1;
}

Vector3 skinned(const Vector3& v, std::span<const Influence> influences,
                const std::vector<PlainJoint>& joints, double k) {
  Vector3 u{0, 0, 0};
  Quaternion real{0, 0, 0, 0}, dual{0, 0, 0, 0};
  const Quaternion& pivot = joints[influences[0].joint].rotation;
  for (const Influence& i : influences) {
    const PlainJoint& joint = joints[i.joint];
    u = sum(u, i.weight, sum(times(joint.stretch, sum(v, -1, joint.pivot)), k, joint.pivot));
    const Vector3 stretched = times(joint.stretch, joint.pivot);
    const Vector3 t =
        sum(joint.translation, 1, rotated(joint.rotation, sum(stretched, -k, joint.pivot)));
    const Quaternion& q = joint.rotation;
    const Quaternion d = hamilton({0, t[0] / 2, t[1] / 2, t[2] / 2}, q);
    const double towards = q[0] * pivot[0] + q[1] * pivot[1] + q[2] * pivot[2] + q[3] * pivot[3];
    const double w = towards < 0 ? -i.weight : i.weight;
    for (int e = 0; e < 4; ++e) real[e] += w * q[e], dual[e] += w * d[e];
  }
  double length = 0;
  for (const double e : real) length += e * e;
  length = std::sqrt(length);
  for (int e = 0; e < 4; ++e) real[e] /= length, dual[e] /= length;
  const Vector3 r{real[1], real[2], real[3]}, d{dual[1], dual[2], dual[3]};
  const Vector3 turned = cross_of(r, sum(cross_of(r, u), real[0], u));
  const Vector3 half = sum(sum(cross_of(r, d), real[0], d), -dual[0], r);
  return sum(sum(u, 2, turned), 2, half);
}

// A rig whose joints have the matrices [R S | t]: they are nodes with fixed matrices.
Rig posed(Rig rig, const std::vector<PlainJoint>& joints, test::Random& random) {
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto& [q, s, t, c] = joints[j];
    const Quat<double> bind =
        random.rotation();  // the rotation in the bind pose must not have an effect
    const Quaternion b{bind.w, bind.x, bind.y, bind.z}, inverse{b[0], -b[1], -b[2], -b[3]};
    const auto bound = [&](const Vector3& e) {  // joint_from_model: rotation by b about c
      const Vector3 p = rotated(b, e);
      return Vec3<double>{p[0], p[1], p[2]};
    };
    const Vec3<double> moved = bound(c);
    rig.joints[j].joint_from_model = {
        bound({1, 0, 0}), bound({0, 1, 0}), bound({0, 0, 1}), {-moved.x, -moved.y, -moved.z}};
    const auto column = [&, &q = q, &s = s](const Vector3& e) {
      const Vector3 p = rotated(q, times(s, rotated(inverse, e)));
      return Vec3<double>{p[0], p[1], p[2]};
    };
    const Vector3 place = sum(rotated(q, times(s, c)), 1, t);
    Node& node = skeleton->nodes[j];
    node.parent = -1;
    node.matrix = Affine<double>{
        column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1}), {place[0], place[1], place[2]}};
  }
  rig.skeleton = skeleton;
  return rig;
}

// The largest distance between bake and oracle over random rigs, with stretches in a range.
double worst_distance(double low, double high, double sign) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    test::Random random(seed + 500);
    const Rig bound = test::random_rig({.seed = seed, .joints = 6});
    std::vector<PlainJoint> joints;
    for (std::size_t j = 0; j < bound.joints.size(); ++j) {
      const Quat<double> q = random.rotation();
      Matrix3 stretch = rows_of(random.stretch(low, high));
      for (Vector3& row : stretch) row = sum({0, 0, 0}, sign, row);
      joints.push_back({{q.w, q.x, q.y, q.z},
                        stretch,
                        vector_of(random.vector(2)),
                        vector_of(random.vector(1))});
    }
    std::vector<double> weights(joints.size());
    for (const Influence& i : bound.influences) weights[i.joint] += i.weight;
    const double k = common_scale(joints, weights);
    const Rig rig = posed(bound, joints, random);
    const auto capture = test::captured(rig, nullptr, 1, "dqs");
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
      const Vector3 e = skinned({p[0], p[1], p[2]}, rig.influences_of(v), joints, k);
      worst = std::max(worst, test::distance(capture.exact_at(0, v), {e[0], e[1], e[2]}));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("dual quaternion: agrees with a second implementation on rigid joints") {
  CHECK(worst_distance(1, 1, 1) < 1e-12);
}

TEST_CASE("dual quaternion: agrees with a second implementation on joints with a common scale") {
  CHECK(worst_distance(0.01, 0.01, 1) < 1e-12);
  CHECK(worst_distance(1, 1, -1) < 1e-12);  // mirrored
}

TEST_CASE("dual quaternion: agrees with a second implementation on stretched joints") {
  CHECK(worst_distance(0.5, 2, 1) < 1e-12);
  CHECK(worst_distance(0.05, 20, 1) < 1e-10);
  CHECK(worst_distance(0.5, 2, -1) < 1e-12);
}

}  // namespace skinbake
