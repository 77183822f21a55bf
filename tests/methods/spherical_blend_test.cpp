// Spherical blending against a second implementation: sums over pairs of joints as in the paper,
// Gaussian elimination, without the library's quaternions.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "methods/plain_vectors.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::distance;
using test::hamilton;
using test::Local;
using test::Matrix3;
using test::Quaternion;
using test::sum;
using test::times;
using test::Vector3;

struct Motion {
  Quaternion q;
  Matrix3 r;
  Vector3 t;
};

Vector3 apply(const Motion& c, const Vector3& p) {
  return sum(times(c.r, p), 1, c.t);
}

Matrix3 matrix_of(const Quaternion& q) {
  const auto [w, x, y, z] = q;
  return {Vector3{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
          Vector3{2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
          Vector3{2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
}

// Solves a x = b with pivoting.
Vector3 eliminated(Matrix3 a, Vector3 b) {
  for (int column = 0; column < 3; ++column) {
    int pivot = column;
    for (int row = column; row < 3; ++row) {
      if (std::fabs(a[row][column]) > std::fabs(a[pivot][column])) pivot = row;
    }
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    for (int row = 0; row < 3; ++row) {
      if (row == column) continue;
      const double factor = a[row][column] / a[column][column];
      a[row] = sum(a[row], -factor, a[column]);
      b[row] -= factor * b[column];
    }
  }
  return {b[0] / a[0][0], b[1] / a[1][1], b[2] / a[2][2]};
}

// The regularised centre of some joints' motions.
Vector3 centre(const std::vector<Motion>& motions, const Vector3& r0) {
  Matrix3 a{};
  Vector3 b{};
  const auto n = static_cast<double>(motions.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    for (std::size_t j = i + 1; j < motions.size(); ++j) {
      Matrix3 d;
      for (int row = 0; row < 3; ++row) d[row] = sum(motions[i].r[row], -1, motions[j].r[row]);
      const Vector3 apart = sum(apply(motions[j], r0), -1, apply(motions[i], r0));
      for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) {
          for (int column = 0; column < 3; ++column) a[row][column] += d[k][row] * d[k][column];
          b[row] += d[k][row] * apart[k];
        }
      }
    }
  }
  for (int i = 0; i < 3; ++i) a[i][i] += 1e-6 * n * (n - 1) / 2;
  return sum(r0, 1, eliminated(a, b));
}

// Skins the vertex p, whose joints descend by weight.
Vector3 blended(const Vector3& p, const std::vector<Motion>& motions,
                const std::vector<double>& weights, const Vector3& r0) {
  const Vector3 r = motions.size() == 1 ? p : centre(motions, r0);
  Quaternion q{};
  Vector3 place{};
  for (std::size_t i = 0; i < motions.size(); ++i) {
    double towards = 0;
    for (int e = 0; e < 4; ++e) towards += motions[i].q[e] * motions[0].q[e];
    for (int e = 0; e < 4; ++e) q[e] += (towards < 0 ? -1 : 1) * weights[i] * motions[i].q[e];
    place = sum(place, weights[i], apply(motions[i], r));
  }
  double length = 0;
  for (const double e : q) length += e * e;
  for (double& e : q) e /= std::sqrt(length);
  return sum(times(matrix_of(q), sum(p, -1, r)), 1, place);
}

}  // namespace

TEST_CASE("spherical blend: agrees with a second implementation on a chain of joints") {
  // A chain, so that depths are known: the parent of joint j is j - 1, one metre below.
  constexpr int kJoints = 5, kFrames = 12;
  test::Random random(80);
  std::vector<Node> nodes(kJoints);
  for (int j = 0; j < kJoints; ++j) {
    nodes[j].parent = j - 1;
    if (j > 0) nodes[j].translation = {0.25, 1, -0.5};
  }
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (int v = 0; v < 60; ++v) {
    points.push_back(random.vector(2));
    std::vector<Influence> some;
    const int count = 1 + v % 4;
    for (int i = 0; i < count; ++i) {  // weights 8/15, 4/15, 2/15, 1/15 for four joints
      some.push_back({static_cast<JointIndex>((v + 2 * i) % kJoints),
                      std::ldexp(1.0, -i) / (2 - std::ldexp(2.0, -count))});
    }
    influences.push_back(some);
  }
  const Rig rig = test::loose(points, nodes, influences);
  std::vector<std::vector<Local>> frames(kFrames);
  for (auto& frame : frames) {
    for (const Node& node : nodes) frame.push_back({node.translation, random.rotation()});
  }
  const Clip clip = test::clip_of(frames);
  const auto capture = test::captured(rig, &clip, kFrames, "sbs");
  double worst = 0;
  for (int f = 0; f < kFrames; ++f) {
    // posed_from_rest = G B: rotation R, translation t - R c.
    std::vector<Motion> joints;
    std::vector<Vector3> heads;
    Matrix3 turn{Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}};
    Vector3 place{}, head{};
    for (int j = 0; j < kJoints; ++j) {
      const Vec3<double>& step = nodes[j].translation;
      const Vector3 along{step.x, step.y, step.z};
      head = sum(head, 1, along);
      place = sum(place, 1, times(turn, along));
      const Quat<double>& local = frames[f][j].rotation;
      const Matrix3 r = matrix_of({local.w, local.x, local.y, local.z});
      Matrix3 next;
      for (int row = 0; row < 3; ++row) {
        for (int c = 0; c < 3; ++c) {
          next[row][c] = turn[row][0] * r[0][c] + turn[row][1] * r[1][c] + turn[row][2] * r[2][c];
        }
      }
      turn = next;
      // The quaternion of the chain, by products.
      Quaternion q{local.w, local.x, local.y, local.z};
      if (j > 0) q = hamilton(joints.back().q, q);
      joints.push_back({q, turn, sum(place, -1, times(turn, head))});
      heads.push_back(head);
    }
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      std::vector<Motion> motions;
      std::vector<double> weights;
      JointIndex deepest = 0;
      for (const Influence& i : rig.influences_of(v)) {
        motions.push_back(joints[i.joint]);
        weights.push_back(i.weight);
        deepest = std::max(deepest, i.joint);
      }
      const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
      const Vector3 e = blended({p[0], p[1], p[2]}, motions, weights, heads[deepest]);
      worst = std::max(worst, distance(capture.exact_at(f, v), {e[0], e[1], e[2]}));
    }
  }
  CHECK(worst < 1e-9);  // the condition 1e6 times rounding, squared
}

TEST_CASE("spherical blend: the centre of a parent and its child is the child's head") {
  // The vertex at the child's head follows both joints, for any weights.
  std::vector<Node> nodes(2);
  nodes[1].parent = 0;
  nodes[1].translation = {0, 2, 0};
  const Rig rig =
      test::loose({{0, 2, 0}, {1, 2, 0}}, nodes, {{{0, 0.5}, {1, 0.5}}, {{0, 0.5}, {1, 0.5}}});
  const Clip clip = test::clip_of({{{{1, 0, 0}}, {{0, 2, 0}, {0.6, 0, 0, 0.8}}}});
  const auto capture = test::captured(rig, &clip, 1, "sbs");
  CHECK(distance(capture.exact_at(0, 0), {1, 2, 0}) < 1e-12);
  CHECK(std::fabs(distance(capture.exact_at(0, 0), capture.exact_at(0, 1)) - 1) < 1e-12);
}

TEST_CASE("spherical blend: joints of nearly equal rotations have a centre near them") {
  std::vector<Node> nodes(2);
  nodes[1].parent = 0;
  const Rig rig = test::loose({{1, 0, 0}}, nodes, {{{0, 0.5}, {1, 0.5}}});
  for (const double angle : {1e-2, 1e-4, 1e-6, 1e-9, 0.0}) {
    const double s = std::sin(angle / 2), c = std::cos(angle / 2);
    // The child also translates: without the regularisation the centre would be 1/angle away.
    const Clip clip = test::clip_of({{{{0, 0, 0}}, {{0, 1e-3, 0}, {c, 0, 0, s}}}});
    const auto capture = test::captured(rig, &clip, 1, "sbs");
    CHECK(distance(capture.exact_at(0, 0), {1, 0, 0}) < 0.006);
  }
}

// Joints that turn by a few degrees about one point, which is therefore their centre.
TEST_CASE("spherical blend: a centre far from the mesh costs no precision") {
  constexpr int kJoints = 3, kFrames = 16, kVertices = 40;
  constexpr double kSize = 1;  // half an edge of the box that the vertices fill
  const double diagonal = 2 * kSize * std::sqrt(3.0);
  for (const double distance_of_centre : {4 * diagonal, 16 * diagonal}) {
    CAPTURE(distance_of_centre);
    test::Random random(81);
    std::vector<Vec3<double>> points;
    std::vector<std::vector<Influence>> influences;
    for (int v = 0; v < kVertices; ++v) {
      points.push_back(v == 0   ? Vec3<double>{-kSize, -kSize, -kSize}
                       : v == 1 ? Vec3<double>{kSize, kSize, kSize}
                                : random.vector(kSize));
      const double a = random.between(0, 0.5), b = random.between(0, 0.5);
      influences.push_back({{0, 1 - a - b}, {1, a}, {2, b}});
    }
    const Rig rig = test::loose(points, std::vector<Node>(kJoints), influences);
    std::vector<std::vector<Local>> frames(kFrames);
    for (auto& frame : frames) {
      const Quat<double> common = random.rotation();
      const double s = distance_of_centre / std::sqrt(3.0);
      const Vector3 centre{s, -s, s};
      Vector3 posed{};
      for (int j = 0; j < kJoints; ++j) {
        const Vec3<double> v = random.vector(0.5 / distance_of_centre);
        const double w = std::sqrt(1 - v.x * v.x - v.y * v.y - v.z * v.z);
        const Quaternion q = hamilton({w, v.x, v.y, v.z}, {common.w, common.x, common.y, common.z});
        const Vector3 turned = times(matrix_of(q), centre);
        if (j == 0) posed = turned;
        const Vector3 t = sum(posed, -1, turned);
        frame.push_back({{t[0], t[1], t[2]}, {q[0], q[1], q[2], q[3]}});
      }
    }
    const Clip clip = test::clip_of(frames);
    const auto capture = test::captured(rig, &clip, kFrames, "sbs");
    double worst = 0;
    for (int f = 0; f < kFrames; ++f) {
      for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
        worst = std::max(worst, distance(capture.at(f, v), capture.exact_at(f, v)));
      }
    }
    CHECK(worst < 3e-7 * diagonal);
  }
}

}  // namespace skinbake
