// Nearest rotations compared with a singular value decomposition.

#include "math/procrustes-inl.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "support/random.h"

namespace skinbake {
namespace {

using namespace HWY_NAMESPACE;
using Matrix = Eigen::Matrix3d;

Matrix to_eigen(const Quat<double>& q) {
  const Affine<double> m = to_affine(q, Vec3<double>{0, 0, 0});
  return (Matrix() << m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z).finished();
}

// scale U diag(1, b, c) V^T rounded to T, its nearest rotation by singular values, and by ours.
template <class T>
struct Trial {
  Matrix textbook, ours;
  bool determined;

  Trial(test::Random& random, double b, double c) {
    const double scale = std::exp(random.between(-6, 6));
    // Separate statements: within one expression the order of the draws is unspecified.
    const Matrix left = to_eigen(random.rotation());
    const Matrix right = to_eigen(random.rotation());
    const Matrix s = scale * left * Eigen::Vector3d(1, b, c).asDiagonal() * right.transpose();
    const Matrix rounded = s.cast<T>().template cast<double>();
    const Eigen::JacobiSVD<Matrix> svd(rounded, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double d = (svd.matrixU() * svd.matrixV()).determinant() < 0 ? -1 : 1;
    textbook = svd.matrixU() * Eigen::Vector3d(1, 1, d).asDiagonal() * svd.matrixV().transpose();
    const auto at = [&](int row, int column) { return static_cast<T>(rounded(row, column)); };
    const auto nearest = nearest_rotation<T>({{at(0, 0), at(1, 0), at(2, 0)},
                                              {at(0, 1), at(1, 1), at(2, 1)},
                                              {at(0, 2), at(1, 2), at(2, 2)},
                                              {0, 0, 0}},
                                             T(0));
    const Quat<double> q{nearest.rotation.w, nearest.rotation.x, nearest.rotation.y,
                         nearest.rotation.z};
    ours = to_eigen((1 / norm(q)) * q);
    determined = nearest.is_determined == 1;
  }
};

// The greatest error, relative to the error that one rounding of S causes by conditioning: divided
// by the gap 2 (b + c) of the two greatest eigenvalues and, because the eigenvector is a column of
// an adjugate as large as the product of the gaps, by a + c where that is small too.
template <class T>
double worst_condition(double b, double ratio) {
  test::Random random(61);
  const double condition =
      std::numeric_limits<T>::epsilon() / (2 * b * (1 + ratio) * (1 + ratio * b));
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    const Trial<T> trial(random, b, ratio * b);
    CHECK(trial.determined);
    worst = std::max(worst, (trial.ours - trial.textbook).norm() / condition);
  }
  return worst;
}

}  // namespace

TEST_CASE(
    "nearest rotation: agrees with the singular value decomposition up to rounding, for "
    "reflections too") {
  // c / b: 1 is a round neighbourhood, 0 a flat one, a negative number an inverted one.
  for (const double ratio : {1.0, 0.5, 0.1, 0.0, -0.1, -0.5, -0.9}) {
    CAPTURE(ratio);
    // 3 x 3 and 4 x 4 products of unit matrices: some 30 roundings of size 1, in ours and in the
    // textbook's; matrices that differ by a small angle differ by sqrt(2) times that.
    const double roundings = 2 * 30 * std::sqrt(2.0);
    for (const double b : {1.0, 0.5, 0.1}) {
      CAPTURE(b);
      CHECK(worst_condition<double>(b, ratio) < roundings);
      CHECK(worst_condition<float>(b, ratio) < roundings);
    }
    // A thin strip: the rounding of the cofactors grows relative to the gap.
    CHECK(worst_condition<double>(1e-2, ratio) < 300);
    CHECK(worst_condition<float>(1e-2, ratio) < 300);
  }
}

TEST_CASE(
    "nearest rotation: a line, a point and equal singular values of a mirror do not determine it") {
  test::Random random(62);
  for (int i = 0; i < 100; ++i) {
    CHECK_FALSE(Trial<double>(random, 0, 0).determined);
    CHECK_FALSE(Trial<float>(random, 0, 0).determined);
    CHECK_FALSE(Trial<double>(random, 0.5e-6, 0).determined);
    CHECK(Trial<double>(random, 2e-6, 0).determined);
  }
  const Affine<double> nothing{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  CHECK(nearest_rotation(nothing, 0.0).is_determined == 0);
  const Affine<double> small{{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}, {0, 0, 0}};
  CHECK(nearest_rotation(small, 0.0).is_determined == 1);
  CHECK(nearest_rotation(small, 1e-2).is_determined == 0);
  // b = -c: all turns about the first axis are equally near.
  const Affine<double> mirror{{1, 0, 0}, {0, 0.5, 0}, {0, 0, -0.5}, {0, 0, 0}};
  const Quat<double> any_of_them = nearest_rotation(mirror, 0.0).rotation;
  CHECK(std::isfinite(any_of_them.w));
}

}  // namespace skinbake
