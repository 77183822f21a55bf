#include <doctest/doctest.h>

#include <numbers>

#include "math/scalar.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rotations.h"

namespace skinbake {
namespace {

using test::about_z;
using test::distance;
using test::Random;

// q (0, p) q*, by Hamilton's rules.
Vec3<double> sandwich(const Quat<double>& q, const Vec3<double>& p) {
  const auto times = [](const Quat<double>& a, const Quat<double>& b) {
    return Quat<double>{a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  };
  const Quat<double> r = times(times(q, {0, p.x, p.y, p.z}), {q.w, -q.x, -q.y, -q.z});
  return {r.x, r.y, r.z};
}

}  // namespace

TEST_CASE("quat: i j = k, and the square of each is -1") {
  const Quat<double> i{0, 1, 0, 0}, j{0, 0, 1, 0}, k{0, 0, 0, 1}, minus_one{-1, 0, 0, 0};
  CHECK(distance(i * j, k) == 0);
  CHECK(distance(j * k, i) == 0);
  CHECK(distance(k * i, j) == 0);
  CHECK(distance(j * i, -1.0 * k) == 0);
  for (const Quat<double>& q : {i, j, k}) CHECK(distance(q * q, minus_one) == 0);
}

TEST_CASE("quat: sums, dot and norm use all four components") {
  const Quat<double> a{1, 2, 3, 4}, b{5, -6, 7, -8};
  CHECK(distance(a + b, {6, -4, 10, -4}) == 0);
  CHECK(distance(a - b, {-4, 8, -4, 12}) == 0);
  CHECK(distance(fma(2.0, a, b), {7, -2, 13, 0}) == 0);
  CHECK(dot(a, b) == 5 - 12 + 21 - 32);
  CHECK(norm(Quat<double>{1, 1, 1, 1}) == 2);
}

TEST_CASE("quat: 90 degrees about z take x to y") {
  const Affine<double> m = to_affine(about_z(std::numbers::pi / 2), {1, 2, 3});
  CHECK(distance(m.x, {0, 1, 0}) < 1e-15);
  CHECK(distance(m.y, {-1, 0, 0}) < 1e-15);
  CHECK(distance(m.z, {0, 0, 1}) == 0);
  CHECK(distance(m.translation, {1, 2, 3}) == 0);
}

TEST_CASE("quat: its matrix is q p q*, and a product is one rotation after the other") {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Quat<double> a = random.rotation(), b = random.rotation();
    const Vec3<double> p = random.vector(2);
    CHECK(distance(to_affine(a, {0, 0, 0}) * p, sandwich(a, p)) < 1e-14);
    CHECK(distance(to_affine(a * b, {0, 0, 0}) * p, sandwich(a, sandwich(b, p))) < 1e-14);
  }
}

TEST_CASE("dual quat: a rigid motion survives the conversion to a dual quaternion and back") {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const Rigid<double> m{random.rotation(), random.vector(5)};
    const Affine<double> direct = to_affine(m.rotation, m.translation);
    CHECK(distance(to_affine(to_dual_quat(m)), direct) < 1e-14);
    CHECK(distance(to_affine(-1.0 * to_dual_quat(m)), direct) < 1e-14);
  }
}

TEST_CASE("dual quat: a pure translation is 1 + eps t/2") {
  const DualQuat<double> q = to_dual_quat(Rigid<double>{{1, 0, 0, 0}, {2, 4, 6}});
  CHECK(distance(q.real, {1, 0, 0, 0}) == 0);
  CHECK(distance(q.dual, {0, 1, 2, 3}) == 0);
}

TEST_CASE("dual quat: a component of the dual part along the real part does not move points") {
  const DualQuat<double> q = to_dual_quat(Rigid<double>{about_z(1), {2, 4, 6}});
  const DualQuat<double> skewed{q.real, fma(0.25, q.real, q.dual)};
  CHECK(distance(to_affine(skewed), to_affine(q)) < 1e-15);
}

}  // namespace skinbake
