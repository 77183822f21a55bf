#include "fit/helpers/rigid_fit.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "math/rotation_parts.h"
#include "math/scalar.h"

namespace skinbake::fit {

namespace {

// The part of the points' extent that pulls the rotation to the usual one.
constexpr double kPull = 1e-9;

Eigen::Matrix3d matrix_of(const Affine<double>& m) {
  Eigen::Matrix3d matrix;
  matrix << m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z;
  return matrix;
}

Affine<double> affine_of(const Eigen::Matrix3d& m) {
  return {{m(0, 0), m(1, 0), m(2, 0)},
          {m(0, 1), m(1, 1), m(2, 1)},
          {m(0, 2), m(1, 2), m(2, 2)},
          {0, 0, 0}};
}

}  // namespace

void RigidMoments::add(double squared_weight, const Vec3<double>& u,
                       const Vec3<double>& weighted_q) {
  weight += squared_weight;
  rest = rest + squared_weight * u;
  posed = posed + weighted_q;
  size += squared_weight * dot(u, u);
  products.x = products.x + u.x * weighted_q;
  products.y = products.y + u.y * weighted_q;
  products.z = products.z + u.z * weighted_q;
}

Rigid<double> rigid_fit(const RigidMoments& moments, const Quat<double>& usual) {
  const double inverse = 1 / moments.weight;
  const Vec3<double> u = inverse * moments.rest, q = inverse * moments.posed;
  Affine<double> centred = moments.products;
  centred.x = centred.x - u.x * moments.posed;
  centred.y = centred.y - u.y * moments.posed;
  centred.z = centred.z - u.z * moments.posed;
  const double extent = moments.size - dot(u, moments.rest);
  const Affine<double> pull = to_affine(usual, Vec3<double>{0, 0, 0});
  const Eigen::Matrix3d sums = matrix_of(centred) + kPull * (extent + 1e-30) * matrix_of(pull);
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(sums, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d rotation = svd.matrixU() * svd.matrixV().transpose();
  if (rotation.determinant() < 0) {
    Eigen::Matrix3d mirrored = svd.matrixU();
    mirrored.col(2) = -mirrored.col(2);
    rotation = mirrored * svd.matrixV().transpose();
  }
  const Affine<double> turned = affine_of(rotation);
  return {to_quat(turned), q - rotate(turned, u)};
}

}  // namespace skinbake::fit
