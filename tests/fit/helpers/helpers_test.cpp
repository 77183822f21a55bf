#include "fit/helpers/helpers.h"

#include <doctest/doctest.h>

#include <cmath>

#include "fit/helpers/rigid_fit.h"
#include "math/scalar.h"
#include "skinbake/bake.h"
#include "skinbake/fit.h"
#include "skinbake/gltf.h"
#include "skinbake/metrics.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake::fit {
namespace {

// A rig, its first clip, and the frames of a method as targets.
struct Posed {
  Asset asset;
  Problem problem;

  Posed(const std::string& name, const std::string& method)
      : asset(load_asset(SKINBAKE_SOURCE_DIR "/data/rigs/" + name)) {
    const Rig& rig = asset.rigs.front();
    problem.rig = &rig;
    problem.bbox_diagonal_m = bind_baseline(rig).bbox_diagonal_m;
    for (const Clip& clip : asset.clips) {
      const FrameRange frames = frames_of(clip, 10);
      ClipFrames& of_clip = problem.clips.emplace_back(sample_clip(rig, &clip, frames));
      of_clip.targets = bake_to_array({rig, &clip, parse_method(method), frames}).positions;
    }
  }
  Posed(const Posed&) = delete;

  double percent(double metres) const { return 100 * metres / problem.bbox_diagonal_m; }
};

}  // namespace

TEST_CASE("rigid fit: finds the motion of points") {
  test::Random random(1);
  const Rigid<double> motion{random.rotation(), random.vector(3)};
  RigidMoments moments;
  for (int i = 0; i < 20; ++i) {
    const Vec3<double> u = random.vector(1);
    const double w2 = random.between(0.1, 1);
    moments.add(w2, u, w2 * (to_affine(motion.rotation, motion.translation) * u));
  }
  const Rigid<double> found = rigid_fit(moments, {1, 0, 0, 0});
  CHECK(test::distance(to_affine(found.rotation, found.translation),
                       to_affine(motion.rotation, motion.translation)) < 1e-8);
}

TEST_CASE("rigid fit: one point takes the usual rotation, and is never a reflection") {
  RigidMoments moments;
  moments.add(1, {1, 2, 3}, {4, 5, 6});
  const Quat<double> usual{0.5, -0.5, 0.5, 0.5};
  const Rigid<double> found = rigid_fit(moments, usual);
  CHECK(test::distance(to_affine(found.rotation, found.translation) * Vec3<double>{1, 2, 3},
                       Vec3<double>{4, 5, 6}) < 1e-12);
  RigidMoments mirrored;
  for (const Vec3<double> u : {Vec3<double>{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {0, 0, 0}}) {
    mirrored.add(1, u, {-u.x, u.y, u.z});
  }
  const Affine<double> rotation = to_affine(rigid_fit(mirrored, usual).rotation, Vec3<double>{});
  CHECK(determinant(rotation) == doctest::Approx(1));
}

TEST_CASE("helpers: linear blending itself does not get any") {
  const Posed posed("twisted_tube.gltf", "lbs");
  const HelperFit fit = fit_helpers(posed.problem, {.most = 3}, {});
  CHECK(fit.helpers.empty());
  CHECK(posed.percent(fit.max_after_m) < 1e-4);
}

TEST_CASE("helpers: three of them untwist a tube that is twisted by half a turn") {
  const Posed posed("twisted_tube.gltf", "dqs");
  const HelperFit fit = fit_helpers(posed.problem, {.most = 3}, {});
  CHECK(fit.helpers.size() == 3);
  CHECK(posed.percent(fit.max_before_m) > 11);
  CHECK(posed.percent(fit.max_after_m) < 1.3);
  REQUIRE(fit.first_influence.size() == posed.problem.vertex_count() + 1);
  for (std::size_t v = 0; v < posed.problem.vertex_count(); ++v) {
    CHECK(fit.first_influence[v + 1] - fit.first_influence[v] <= 4);
  }
}

TEST_CASE("helpers: any number of threads gives the same bits") {
  const Posed posed("bent_arm.gltf", "dqs");
  const HelperFit one = fit_helpers(posed.problem, {.most = 2}, {1});
  for (const int threads : {2, 7}) {
    const HelperFit many = fit_helpers(posed.problem, {.most = 2}, {threads});
    REQUIRE(many.influences.size() == one.influences.size());
    for (std::size_t i = 0; i < one.influences.size(); ++i) {
      REQUIRE(many.influences[i].joint == one.influences[i].joint);
      REQUIRE(test::same_bits(many.influences[i].weight, one.influences[i].weight));
    }
    CHECK(test::same_bits(many.max_after_m, one.max_after_m));
  }
}

TEST_CASE("helpers: a joint that was removed is found again") {
  // Without the elbow the whole arm follows the shoulder.
  Posed posed("bent_arm.gltf", "lbs");
  const Rig& whole = posed.asset.rigs.front();
  JointIndex elbow = 0;
  for (JointIndex j = 0; j < whole.joints.size(); ++j) {
    if (whole.skeleton->nodes[whole.joints[j].node].name == "elbow") elbow = j;
  }
  REQUIRE(elbow > 0);
  Rig without = whole;
  without.first_influence = {0};
  without.influences.clear();
  for (VertexIndex v = 0; v < whole.mesh->vertex_count(); ++v) {
    std::vector<Influence> mine;
    double moved = 0;
    for (const Influence& i : whole.influences_of(v)) {
      i.joint == elbow ? void(moved += i.weight) : mine.push_back(i);
    }
    if (mine.empty()) mine.push_back({elbow - 1, 0});
    mine.front().weight += moved;
    without.influences.insert(without.influences.end(), mine.begin(), mine.end());
    without.first_influence.push_back(static_cast<std::uint32_t>(without.influences.size()));
  }
  posed.problem.rig = &without;
  const HelperFit fit = fit_helpers(posed.problem, {.most = 2, .max_error_m = 1e-7}, {});
  CHECK(fit.max_before_m > 0.1 * posed.problem.bbox_diagonal_m);
  CHECK(fit.max_after_m < 1e-6 * posed.problem.bbox_diagonal_m);
}

}  // namespace skinbake::fit

namespace skinbake {

TEST_CASE("helpers: the rig that a program reads comes as near as the fit, with keys in float32") {
  const Asset asset = load_asset(SKINBAKE_SOURCE_DIR "/data/rigs/twisted_tube.gltf");
  FitPlan plan;
  plan.rig = &asset.rigs.front();
  plan.clips = {{&asset.clips.front(), frames_of(asset.clips.front(), 10)}};
  plan.method = parse_method("dqs");
  plan.max_error_m = INFINITY;
  plan.correctives = 0;
  plan.helpers = 3;
  const FitResult result = fit_rig(plan);
  CHECK(result.changes.helpers.size() == 3);
  CHECK(result.max_after_m() < 0.013 * result.bbox_diagonal_m);
}

TEST_CASE("fit: new weights for a target come nearer than the largest") {
  Rig rig = test::tube({.rings = 12, .joints = 6, .influences = 6});
  rig.skinned = true;
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 1.2);
  FitPlan plan;
  plan.rig = &rig;
  plan.clips = {{&clip, frames_of(clip, 10)}};
  plan.method = parse_method("lbs");
  plan.max_error_m = INFINITY;
  plan.correctives = 0;
  plan.influences = 3;
  const FitResult result = fit_rig(plan);
  REQUIRE(result.influences);
  CHECK(result.influences->trained.fit.rms_m < 0.5 * result.influences->trained.largest.rms_m);
  CHECK(result.max_after_m() ==
        doctest::Approx(result.influences->trained.fit.max_m).epsilon(1e-3));
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    CHECK(result.changes.first_influence[v + 1] - result.changes.first_influence[v] <= 3);
  }
}

}  // namespace skinbake
