#include <doctest/doctest.h>

#include "math/dual_quat-inl.h"
#include "math/scalar.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/rotations.h"

namespace skinbake {
namespace {

using test::distance;

// A vertex at (1, 0, 0) between joints at the origin with these poses.
Vec3<double> blended(std::string_view method, const std::vector<test::Local>& joints,
                     const std::vector<double>& weights) {
  std::vector<Influence> influences;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    influences.push_back({static_cast<JointIndex>(j), weights[j]});
  }
  const Rig rig = test::loose({{1, 0, 0}}, std::vector<Node>(joints.size()), {influences});
  const Clip clip = test::clip_of({joints});
  return test::captured(rig, &clip, 1, method).exact_at(0, 0);
}

test::Local motion_about(const Vec3<double>& axis, double angle,
                         const Vec3<double>& move = {0, 0, 0}) {
  return {move, test::about(axis, angle)};
}

}  // namespace

TEST_CASE("iterative blend: the mean of three turns about one axis is their weighted angle") {
  const Vec3<double> z{0, 0, 1};
  const Vec3<double> p = blended(
      "dib", {motion_about(z, 0.2), motion_about(z, 1.3), motion_about(z, -0.7)}, {0.5, 0.3, 0.2});
  const double angle = 0.5 * 0.2 + 0.3 * 1.3 - 0.2 * 0.7;
  CHECK(distance(p, {std::cos(angle), std::sin(angle), 0}) < 1e-14);
}

TEST_CASE("iterative blend: two motions are blended along their screw") {
  // A quarter turn about z through (0, 0) and a translation by 2 along z: weight 1/4 gives a
  // quarter of both.
  const Vec3<double> z{0, 0, 1};
  const double whole = 1.5707963267948966;
  const Vec3<double> p =
      blended("dib", {motion_about(z, 0), motion_about(z, whole, {0, 0, 2})}, {0.75, 0.25});
  CHECK(distance(p, {std::cos(whole / 4), std::sin(whole / 4), 0.5}) < 1e-14);
}

TEST_CASE("iterative blend: four steps converge at 1.2 radians") {
  // At the mean the weighted logarithms cancel. Measured at the result of the blend.
  test::Random random(90);
  double worst = 0, worst_of_one = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<test::Local> joints;
    std::vector<DualQuat<double>> q;
    for (int j = 0; j < 3; ++j) {
      const Vec3<double> axis = random.vector(1);
      const double length = norm(axis);
      joints.push_back(motion_about((1 / length) * axis, random.between(0, 1.2), random.vector(1)));
      q.push_back(to_dual_quat(Rigid<double>{joints[j].rotation, joints[j].translation}));
    }
    const double weights[] = {0.5, 0.3, 0.2};
    DualQuat<double> mean = q[0];  // many more steps, from another start
    for (int step = 0; step < 60; ++step) {
      MotionLog<double> sum{{0, 0, 0}, {0, 0, 0}};
      for (int j = 0; j < 3; ++j) sum = fma(weights[j], log(conjugate(mean) * q[j]), sum);
      mean = normalized(mean * exp(sum));
    }
    const Vec3<double> expected = to_affine(mean) * Vec3<double>{1, 0, 0};
    const std::vector<double> w(weights, weights + 3);
    worst = std::max(worst, distance(blended("dib", joints, w), expected));
    worst_of_one = std::max(worst_of_one, distance(blended("lmb", joints, w), expected));
  }
  CHECK(worst < 1e-6);
  CHECK(worst_of_one < 2.4e-3);  // one step, which is lmb
  CHECK(worst_of_one > 100 * worst);
}

}  // namespace skinbake
