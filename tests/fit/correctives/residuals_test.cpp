#include "fit/correctives/residuals.h"

#include <doctest/doctest.h>

#include <cmath>

#include "math/scalar.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

constexpr double kHalfTurn = 3.14159265358979323846;

// A vertex that two joints move by half each, in one frame. The first joint stays; the second turns
// by `angle` about z. Both are below a node that scales x.
struct HalfWay {
  Rig rig = test::tube({.joints = 2});
  fit::Problem problem;
  fit::ClipFrames frames;

  HalfWay(double angle, double scale_x) {
    rig.influences = {{0, 0.5}, {1, 0.5}};
    rig.first_influence.assign(rig.mesh->vertex_count() + 1, 2);
    rig.first_influence[0] = 0;
    const double c = std::cos(angle), s = std::sin(angle);
    Affine<double> still{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {}}, turned = still;
    turned.x = {c, s / scale_x, 0}, turned.y = {-s * scale_x, c, 0};
    frames.frames = {30, 0, 1, 1};
    frames.posed_from_rest = {still, turned};
    frames.targets.assign(3 * rig.mesh->vertex_count(), 0.25f);
    problem.rig = &rig;
    problem.bbox_diagonal_m = 1;
    problem.clips = {frames};
  }
  HalfWay(const HalfWay&) = delete;

  Affine<double> map() const { return problem.linear_map(problem.clips[0], 0, 0); }
  bool is_flattened() const { return fit::is_flattened(problem, problem.clips[0], 0, 0, map()); }
};

}  // namespace

TEST_CASE("residuals: half a turn flattens a vertex, a bend does not") {
  for (const double scale_x : {1.0, 0.03, 30.0}) {
    CAPTURE(scale_x);
    CHECK(HalfWay(kHalfTurn, scale_x).is_flattened());
    CHECK(HalfWay(0.95 * kHalfTurn, scale_x).is_flattened());
    CHECK_FALSE(HalfWay(kHalfTurn / 2, scale_x).is_flattened());
    CHECK_FALSE(HalfWay(0, scale_x).is_flattened());
  }
}

TEST_CASE("residuals: the displacement of a small mesh reaches a target of many diagonals away") {
  constexpr double kTenDiagonals = 1e-3;
  const HalfWay bent(0.8 * kHalfTurn, 1);
  fit::VertexResiduals residuals(1);
  fit::compute_residuals(bent.problem, 0, kTenDiagonals, residuals);
  const std::vector<double>& r = residuals.rest;
  const Vec3<double> reached = rotate(bent.map(), {r[0], r[1], r[2]});
  CHECK(reached.x == doctest::Approx(residuals.posed[0]));
  CHECK(reached.y == doctest::Approx(residuals.posed[1]));
  CHECK(reached.z == doctest::Approx(residuals.posed[2]));
}

TEST_CASE("residuals: below a thin scale, the displacement before skinning reaches the target") {
  for (const double scale_x : {1.0, 0.01}) {
    CAPTURE(scale_x);
    const HalfWay bent(kHalfTurn / 2, scale_x);
    fit::VertexResiduals residuals(1);
    fit::compute_residuals(bent.problem, 0, 1e3, residuals);
    const Affine<double> map = bent.map();
    const std::vector<double>& r = residuals.rest;
    const Vec3<double> moved = rotate(map, {r[0], r[1], r[2]});
    CHECK(moved.x == doctest::Approx(residuals.posed[0]));
    CHECK(moved.y == doctest::Approx(residuals.posed[1]));
    CHECK(moved.z == doctest::Approx(residuals.posed[2]));
  }
}

}  // namespace skinbake
