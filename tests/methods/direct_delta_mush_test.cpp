// Direct Delta Mush against a second implementation of the formulas: dense matrices, inverses and a
// singular value decomposition, homogeneous moments about the origin.

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "clip/poses/skinning.h"
#include "methods/bind/smoothed_moments.h"
#include "methods/bind/smoothing.h"
#include "methods/two_joints.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"

namespace skinbake {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using test::Capture;
using test::captured;
using test::distance;

void serially(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  work(0, count);
}

Vector4d homogeneous(const Rig& rig, VertexIndex v) {
  const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
  return {p[0], p[1], p[2], 1};
}

// L of a mesh without seams.
MatrixXd graph_laplacian(const Mesh& mesh) {
  const auto n = static_cast<Eigen::Index>(mesh.vertex_count());
  MatrixXd laplacian = MatrixXd::Zero(n, n);
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      laplacian(t[k], t[(k + 1) % 3]) = laplacian(t[(k + 1) % 3], t[k]) = -1;
    }
  }
  for (Eigen::Index i = 0; i < n; ++i) laplacian(i, i) = -laplacian.row(i).sum();
  return laplacian;
}

MatrixXd cot_laplacian(const Rig& rig) {
  const Mesh& mesh = *rig.mesh;
  const auto n = static_cast<Eigen::Index>(mesh.vertex_count());
  MatrixXd laplacian = MatrixXd::Zero(n, n);
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const Vector3d a = homogeneous(rig, t[k]).head<3>();
      const Vector3d u = homogeneous(rig, t[(k + 1) % 3]).head<3>() - a;
      const Vector3d v = homogeneous(rig, t[(k + 2) % 3]).head<3>() - a;
      const double cot = 1 / std::tan(std::acos(u.normalized().dot(v.normalized())));
      const auto b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      laplacian(b, c) -= cot / 2;
      laplacian(c, b) -= cot / 2;
    }
  }
  laplacian = laplacian.cwiseMin(0);
  for (Eigen::Index i = 0; i < n; ++i) laplacian(i, i) = -laplacian.row(i).sum();
  return laplacian;
}

// (I + lambda L D^-1)^-p
MatrixXd smoothing(const MatrixXd& laplacian, double lambda, int steps) {
  const auto n = laplacian.rows();
  MatrixXd normalised = laplacian;
  for (Eigen::Index j = 0; j < n; ++j) normalised.col(j) /= laplacian(j, j);
  const MatrixXd one = (MatrixXd::Identity(n, n) + lambda * normalised).inverse();
  MatrixXd all = MatrixXd::Identity(n, n);
  for (int step = 0; step < steps; ++step) all = all * one;
  return all;
}

struct DirectDeltaMushSettings {
  int variant = 0;
  double lambda = 3, kappa = 1;
  int steps = 20;
  double alpha = 0.8;
  bool cotangent = false;
};

// Omega_ij of all vertices and joints, without pruning.
std::vector<std::vector<Matrix4d>> omegas(const Rig& rig, const DirectDeltaMushSettings& s) {
  const MatrixXd laplacian = s.cotangent ? cot_laplacian(rig) : graph_laplacian(*rig.mesh);
  const MatrixXd b = smoothing(laplacian, s.lambda, s.steps);
  const MatrixXd c = smoothing(laplacian, s.kappa, s.steps);
  const VertexIndex n = rig.mesh->vertex_count();
  std::vector<std::vector<Matrix4d>> all(n);
  for (VertexIndex i = 0; i < n; ++i) {
    std::vector<Matrix4d> psi(rig.joints.size(), Matrix4d::Zero());
    std::vector<double> smooth(rig.joints.size(), 0);
    Matrix4d sum = Matrix4d::Zero();
    for (VertexIndex k = 0; k < n; ++k) {
      const Vector4d u = homogeneous(rig, k);
      for (const Influence& w : rig.influences_of(k)) {
        psi[w.joint] += b(k, i) * w.weight * u * u.transpose();
        smooth[w.joint] += c(k, i) * w.weight;
        sum += b(k, i) * w.weight * u * u.transpose();
      }
    }
    const Vector4d p(sum(0, 3), sum(1, 3), sum(2, 3), 1);
    for (std::size_t j = 0; j < psi.size(); ++j) {
      all[i].push_back((1 - s.alpha) * psi[j] + s.alpha * smooth[j] * p * p.transpose());
    }
  }
  return all;
}

Matrix4d to_eigen(const Affine<double>& m) {
  return (Matrix4d() << m.x.x, m.y.x, m.z.x, m.translation.x, m.x.y, m.y.y, m.z.y, m.translation.y,
          m.x.z, m.y.z, m.z.z, m.translation.z, 0, 0, 0, 1)
      .finished();
}

Matrix3d nearest(const Matrix3d& s) {
  const Eigen::JacobiSVD<Matrix3d> svd(s, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double d = (svd.matrixU() * svd.matrixV()).determinant() < 0 ? -1 : 1;
  return svd.matrixU() * Vector3d(1, 1, d).asDiagonal() * svd.matrixV().transpose();
}

// Blends the rotations of rigid joint matrices.
Matrix3d blended_rotation(const std::vector<Matrix4d>& omega,
                          const std::vector<Matrix4d>& matrices) {
  std::size_t heaviest = 0;
  for (std::size_t j = 0; j < omega.size(); ++j) {
    if (omega[j](3, 3) > omega[heaviest](3, 3)) heaviest = j;
  }
  const auto quaternion = [&](std::size_t j) {
    return Eigen::Quaterniond(Matrix3d(matrices[j].topLeftCorner<3, 3>())).coeffs();
  };
  Vector4d sum = Vector4d::Zero();
  for (std::size_t j = 0; j < omega.size(); ++j) {
    const Vector4d q = quaternion(j);
    sum += omega[j](3, 3) * (q.dot(quaternion(heaviest)) < 0 ? -q : q);
  }
  return Eigen::Quaterniond(sum.normalized()).toRotationMatrix();
}

// One vertex moved by rigid joint matrices.
Vector3d moved(const std::vector<Matrix4d>& omega, const std::vector<Matrix4d>& matrices,
               const Vector4d& u, int variant) {
  Matrix4d sum = Matrix4d::Zero(), all = Matrix4d::Zero(), linear = Matrix4d::Zero();
  for (std::size_t j = 0; j < omega.size(); ++j) {
    sum += matrices[j] * omega[j];
    all += omega[j];
    linear += omega[j](3, 3) * matrices[j];
  }
  const Vector3d p = all.col(3).head<3>(), q = sum.col(3).head<3>();
  if (variant == 5) return (linear * u).head<3>();
  if (variant == 0) {
    const Matrix3d r = nearest(sum.topLeftCorner<3, 3>() - q * p.transpose());
    return r * (u.head<3>() - p) + q;
  }
  const Matrix3d r = blended_rotation(omega, matrices);
  if (variant == 2) return r * (u.head<3>() - p) + q;
  return r * (u.head<3>() - p) + (linear * all.col(3)).head<3>();
}

std::string name_of(const DirectDeltaMushSettings& s) {
  return "ddm:variant=" + std::to_string(s.variant) + ",lambda=" + std::to_string(s.lambda) +
         ",kappa=" + std::to_string(s.kappa) + ",p=" + std::to_string(s.steps) +
         ",alpha=" + std::to_string(s.alpha) + ",laplacian=" + (s.cotangent ? "cot" : "uniform") +
         ",prune=0";
}

double worst_difference(const Rig& rig, const Clip& clip, int frames,
                        const DirectDeltaMushSettings& settings) {
  const Capture capture = captured(rig, &clip, frames, name_of(settings));
  const auto all = omegas(rig, settings);
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose pose;
  double worst = 0;
  for (int f = 0; f < frames; ++f) {
    sampler.sample(f / 30.0, pose);
    std::vector<Matrix4d> matrices;
    for (const Affine<double>& m : pose.posed_from_rest) matrices.push_back(to_eigen(m));
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      const Vector3d x = moved(all[v], matrices, homogeneous(rig, v), settings.variant);
      worst = std::max(worst, distance(capture.exact_at(f, v), {x.x(), x.y(), x.z()}));
    }
  }
  return worst;
}

// An irregular tube: rings at random heights, vertices displaced at random, with a hole.
Rig irregular_tube() {
  Rig rig = test::tube({.rings = 9, .segments = 7, .joints = 3, .influences = 2});
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  test::Random random(90);
  for (float& x : mesh->positions) x += static_cast<float>(random.between(-0.06, 0.06));
  mesh->triangles.resize(mesh->triangles.size() - 3);  // and a hole
  rig.mesh = mesh;
  return rig;
}

}  // namespace

TEST_CASE("direct delta mush: results equal those by dense matrices and an SVD") {
  const Rig rig = irregular_tube();
  const Clip clip = test::turning_clip(rig, {0.48, 0.6, 0.64}, 2);
  for (const int variant : {0, 2, 4, 5}) {
    CAPTURE(variant);
    // The error of moments about the origin is 1e-16 over the square of the neighbourhood's share
    // of the mesh, here 1e-2; the oracle's inverses have a similar error.
    CHECK(worst_difference(rig, clip, 16, {.variant = variant}) < 1e-11);
  }
  CHECK(worst_difference(rig, clip, 16, {.lambda = 1, .kappa = 0.5, .steps = 4, .alpha = 0}) <
        1e-11);
  CHECK(worst_difference(rig, clip, 16, {.steps = 6, .cotangent = true}) < 1e-11);
}

TEST_CASE("direct delta mush: shares sum to 1 on an irregular mesh, first moments to 0") {
  const Rig rig = irregular_tube();
  const WeldedSurface surface = build_surface(rig);
  for (const std::size_t most : {0, 2}) {
    for (const bool cotangent : {false, true}) {
      const SmoothedMoments smoothed = smoothed_moments(
          rig, {0, 0, 0}, surface, {.cotangent = cotangent, .most_joints = most}, serially);
      double worst_share = 0, worst_first = 0;
      for (PointIndex p = 0; p < surface.point_count(); ++p) {
        double share = 0;
        Vec3<double> first{0, 0, 0};
        for (std::uint32_t i = smoothed.first[p]; i < smoothed.first[p + 1]; ++i) {
          const JointMoment& m = smoothed.moments[i];
          share += m.weight;
          first = {first.x + m.first.x, first.y + m.first.y, first.z + m.first.z};
        }
        worst_share = std::max(worst_share, std::fabs(share - 1));
        worst_first = std::max(worst_first, distance(first, {0, 0, 0}));
        CHECK(smoothed.first[p + 1] - smoothed.first[p] <= (most == 0 ? 3 : most));
      }
      CHECK(worst_share < 1e-12);
      CHECK(worst_first < 1e-12);
    }
  }
}

TEST_CASE(
    "direct delta mush: implicit smoothing keeps constants, and the mean weighted by degrees") {
  const Rig rig = irregular_tube();
  const WeldedSurface surface = build_surface(rig);
  const Laplacian laplacian = uniform_laplacian(surface);
  const ImplicitSmoother smoother(surface, laplacian, 3, "tube");
  constexpr std::size_t kFields = ImplicitSmoother::kFields;
  std::vector<double> fields(surface.point_count() * kFields, 0);
  const PointIndex peak = 20;
  for (PointIndex p = 0; p < surface.point_count(); ++p) fields[smoother.row(p) * kFields] = 1;
  fields[smoother.row(peak) * kFields + 1] = 1;
  smoother.smooth(20, fields.data());
  double mean = 0, worst = 0;
  for (PointIndex p = 0; p < surface.point_count(); ++p) {
    worst = std::max(worst, std::fabs(fields[smoother.row(p) * kFields] - 1));
    CHECK(fields[smoother.row(p) * kFields + 1] > 0);  // smoothing reaches everywhere
    mean += laplacian.diagonal[p] * fields[smoother.row(p) * kFields + 1];
  }
  CHECK(worst < 1e-13);
  CHECK(mean == doctest::Approx(laplacian.diagonal[peak]).epsilon(1e-12));
}

TEST_CASE("direct delta mush: no vertex is mirrored where a joint turns by half a turn") {
  const Rig rig = irregular_tube();
  const Clip clip = test::turning_clip(rig, {0, 1, 0}, 3.1);
  const Capture capture = captured(rig, &clip, 31, "ddm:lambda=3,kappa=1,p=3");
  // Triangles keep their orientation relative to the tube's axis: the signed volume stays positive,
  // which it would not if a part of the surface were reflected.
  for (std::int64_t f = 0; f < 31; ++f) {
    double six_volumes = 0;
    for (const auto& t : rig.mesh->triangles) {
      const Vec3<double> a = capture.exact_at(f, t[0]), b = capture.exact_at(f, t[1]);
      const Vec3<double> c = capture.exact_at(f, t[2]);
      six_volumes += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
                     a.z * (b.x * c.y - b.y * c.x);
    }
    CHECK(six_volumes > 0);
  }
}

TEST_CASE(
    "direct delta mush: discs of equal weights turn about their middle, as in linear blending") {
  // R is nearest to (1 - w) I + w R_theta: the angle of linear blending, at the full radius.
  const test::TwoJoints joints(test::kTwist, "ddm:lambda=3,kappa=1,p=20");
  for (int degrees = 0; degrees < 180; degrees += 7) {
    for (int w = 0; w < test::kWeights; ++w) {
      const double weight = test::TwoJoints::weight(w);
      const double angle = test::TwoJoints::radians(degrees);
      const test::Turned turned = joints.exact(degrees, w);
      CHECK(turned.radius == doctest::Approx(test::kRadius).epsilon(1e-6));
      CHECK(turned.angle == doctest::Approx(std::atan2(weight * std::sin(angle),
                                                       1 - weight + weight * std::cos(angle)))
                                .epsilon(1e-6));
    }
  }
}

TEST_CASE("direct delta mush: variants 1 and 3 are not supported") {
  CHECK_THROWS(parse_method("ddm:variant=1"));
  CHECK_THROWS(parse_method("ddm:variant=3"));
  CHECK_THROWS_WITH(parse_method("ddm:lambda=3,kappa=3"),
                    "method 'ddm': kappa must be below lambda");
  CHECK(parse_method("ddm:kappa=3").canonical() == "ddm:kappa=3");  // lambda follows
}

}  // namespace skinbake
