#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "fit/changed_rig.h"
#include "fit/correctives/search.h"
#include "skinbake/error.h"
#include "skinbake/fit.h"
#include "skinbake/metrics.h"
#include "support/frames.h"
#include "support/near.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

constexpr double kPi = 3.14159265358979;

struct Tube {
  Rig rig;
  Clip clip;
  FitPlan plan;

  explicit Tube(double angle = 1.5, Vec3<double> axis = {0, 0, 1}, int joints = 3) {
    test::TubeShape shape;
    shape.joints = joints;
    rig = test::tube(shape);
    rig.skinned = true;
    clip = test::turning_clip(rig, axis, angle);
    clip.id = "turn";
    plan.rig = &rig;
    plan.clips = {{&clip, frames_of(clip, 10)}};
    plan.method = parse_method("dqs");
    plan.max_error_m = std::numeric_limits<double>::infinity();
  }
  Tube(const Tube&) = delete;

  // Gives the mesh a morph target, and the clip a channel of its weight.
  void add_morph(Interpolation interpolation, std::vector<double> times,
                 std::vector<double> weights) {
    auto mesh = std::make_shared<Mesh>(*rig.mesh);
    MorphTarget target;
    for (std::size_t i = 0; i < mesh->positions.size(); ++i) {
      target.positions.push_back(0.01f * static_cast<float>((i * 7) % 11));
    }
    mesh->morph_targets.push_back(target);
    rig.mesh = mesh;
    rig.morph_weights.push_back(0);
    clip.channels.push_back(test::channel(rig.node, ChannelPath::kWeights, interpolation,
                                          std::move(times), std::move(weights), 1));
  }
};

// The frames of the tube whose clip moves a further morph target.
test::MemoryFrames frames_with_morph(double angle, std::vector<double> times,
                                     std::vector<double> weights) {
  Tube other(angle);
  other.add_morph(Interpolation::kLinear, std::move(times), std::move(weights));
  std::vector<float> positions;
  for (int f = 0; f <= 10; ++f) {
    for (const double number :
         pose_positions(other.rig, {&other.clip, 0.1 * f}, parse_method("lbs"))) {
      positions.push_back(static_cast<float>(number));
    }
  }
  return {other.rig.mesh->vertex_count(), std::move(positions)};
}

// Fits at most `influences` of a vertex to linear blending with all of them, at 10 Hz. Both
// arguments must outlive the plan.
FitPlan influence_plan(const Rig& rig, const Clip& clip, int influences) {
  FitPlan plan;
  plan.rig = &rig;
  plan.clips = {{&clip, frames_of(clip, 10)}};
  plan.method = parse_method("lbs");
  plan.max_error_m = std::numeric_limits<double>::infinity();
  plan.correctives = 0;
  plan.influences = influences;
  return plan;
}

bool is_same(const RigChanges& a, const RigChanges& b) {
  if (a.morphs.base_positions != b.morphs.base_positions) return false;
  if (a.morphs.rest_weights != b.morphs.rest_weights) return false;
  if (a.morphs.targets.size() != b.morphs.targets.size()) return false;
  for (std::size_t m = 0; m < a.morphs.targets.size(); ++m) {
    if (a.morphs.targets[m].positions != b.morphs.targets[m].positions) return false;
  }
  for (std::size_t i = 0; i < a.clips.size(); ++i) {
    if (a.clips[i].morph_weights != b.clips[i].morph_weights) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("fit: a method that equals linear blending adds nothing") {
  Tube tube;
  tube.plan.method = parse_method("lbs");
  tube.plan.max_error_m = 1e-9;
  const FitResult result = fit_rig(tube.plan);
  CHECK(result.changes.morphs.targets.empty());
  CHECK(result.is_met);
  CHECK(result.clips[0].before.max_m == 0);
  CHECK(result.changes.clips[0].morph_weights.empty());
}

TEST_CASE("fit: influences that also learn from another clip move it more nearly") {
  Rig rig = test::tube({.rings = 12, .joints = 6, .influences = 6});
  rig.skinned = true;
  const Clip bend = test::turning_clip(rig, {0, 0, 1}, 1.2);
  const Clip twist = test::turning_clip(rig, {0, 1, 0}, 2.4);
  FitPlan plan = influence_plan(rig, bend, 3);
  const std::vector<FitClip> other = {{&twist, frames_of(twist, 10)}};
  const FitResult alone = fit_rig(plan);
  plan.training = {&twist};
  const FitResult both = fit_rig(plan);
  CHECK(both.influences->frames > alone.influences->frames);
  const double alone_m = measure_left_out(plan, alone.changes, other)[0].after.rms_m;
  const double both_m = measure_left_out(plan, both.changes, other)[0].after.rms_m;
  CHECK(both_m < 0.8 * alone_m);
  plan.training = {nullptr};
  CHECK_THROWS_AS(fit_rig(plan), Error);
}

TEST_CASE("fit: vertices that are exact keep their influences") {
  Rig rig = test::tube({.rings = 12, .joints = 6, .influences = 6});
  rig.skinned = true;
  // Every second vertex has two influences, which are enough.
  std::vector<Influence> influences;
  std::vector<std::uint32_t> first{0};
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const std::span<const Influence> own = rig.influences_of(v);
    if (v % 2 == 0) {
      influences.insert(influences.end(), own.begin(), own.end());
    } else {
      influences.push_back({own[0].joint, 0.7});
      influences.push_back({own[1].joint, 0.3});
    }
    first.push_back(static_cast<std::uint32_t>(influences.size()));
  }
  rig.influences = influences, rig.first_influence = first;
  // The joints move so little that the targets in float32 are mostly rounding.
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2e-6, 2);
  const FitPlan plan = influence_plan(rig, clip, 2);
  const FitResult result = fit_rig(plan);
  const Rig changed = fit::changed_rig(result.changes);
  for (VertexIndex v = 1; v < rig.mesh->vertex_count(); v += 2) {
    REQUIRE(changed.influences_of(v).size() == 2);
    CHECK(changed.influences_of(v)[0].weight == doctest::Approx(0.7).epsilon(1e-6));
    CHECK(changed.influences_of(v)[1].weight == doctest::Approx(0.3).epsilon(1e-6));
  }
}

TEST_CASE("fit: as many correctives as frames reproduce every frame to float32") {
  Tube tube;
  tube.plan.correctives = 11;
  const FitResult result = fit_rig(tube.plan);
  CHECK(result.clips[0].before.max_m > 0.05);
  CHECK(result.clips[0].after.max_m < 1e-6 * result.bbox_diagonal_m);
}

namespace {

// At 4000 s, float32 rounds times by up to 1e-4 s, in which the tube turns by 2e-4 radians.
struct LateTube : Tube {
  LateTube() {
    for (Channel& channel : clip.channels) {
      channel.times = std::make_shared<const std::vector<double>>(std::vector{4000.0, 4001.0});
    }
    clip.duration_s = 4001;
    plan.clips[0].frames = {30, 120000, 1, 31};
  }
};

fit::ClipFrames fitted_frames(const FitResult& result) {
  const Clip clip = fit::changed_clip(result.changes, 0);
  return fit::sample_clip(fit::changed_rig(result.changes), &clip, result.changes.clips[0].frames);
}

}  // namespace

TEST_CASE("fit: weights are those of the rounded times of keys") {
  LateTube late;
  late.plan.correctives = 31;
  const FitResult result = fit_rig(late.plan);
  CHECK(result.clips[0].before.max_m > 0.05);
  CHECK(result.max_after_m() < 1e-6 * result.bbox_diagonal_m);
}

TEST_CASE("fit: helpers are where they are in the frames, at the rounded times of keys") {
  Tube early;
  LateTube late;
  early.plan.clips[0].frames = {30, 0, 1, 31};
  std::vector<fit::ClipFrames> motions;
  for (FitPlan* plan : {&early.plan, &late.plan}) {
    plan->correctives = 0;
    plan->helpers = 2;
    motions.push_back(fitted_frames(fit_rig(*plan)));
  }
  const auto &a = motions[0].posed_from_rest, &b = motions[1].posed_from_rest;
  REQUIRE(a.size() == 31 * (3 + 2));
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, test::distance(a[i], b[i]));
  CHECK(largest < 2e-6);
}

TEST_CASE("fit: the inverse bind matrices of helpers are measured as a file stores them") {
  Tube tube;
  tube.plan.correctives = 0;
  tube.plan.helpers = 2;
  const FitResult result = fit_rig(tube.plan);
  REQUIRE(result.changes.helpers.size() == 2);
  for (const HelperJoint& helper : result.changes.helpers) {
    const Affine<double>& bind = helper.joint_from_model;
    for (const Vec3<double>& column : {bind.x, bind.y, bind.z, bind.translation}) {
      for (const double x : {column.x, column.y, column.z}) {
        CHECK(x == double{static_cast<float>(x)});
      }
    }
  }
}

TEST_CASE("fit: helpers do not exceed the joints that an index of 16 bits can name") {
  constexpr std::size_t kMostJoints = 65536;
  Tube tube;
  tube.plan.clips[0].frames = frames_of(tube.clip, 2);
  tube.plan.correctives = 0;
  tube.plan.helpers = 2;
  REQUIRE(fit_rig(tube.plan).changes.helpers.size() == 2);
  for (const std::size_t joints : {kMostJoints - 1, kMostJoints}) {
    tube.rig.joints.resize(joints, tube.rig.joints[0]);
    CHECK(fit_rig(tube.plan).changes.helpers.size() == kMostJoints - joints);
  }
}

TEST_CASE("fit: a residual of one morph target needs one corrective") {
  Tube tube;
  const test::MemoryFrames target = frames_with_morph(1.5, {0, 0.3, 0.5, 1}, {0, 0.7, -0.4, 0.9});
  tube.plan.clips[0].target = &target;
  tube.plan.max_error_m = 1e-6;
  const FitResult result = fit_rig(tube.plan);
  CHECK(result.is_met);
  CHECK(result.clips[0].before.max_m > 0.05);
  REQUIRE(result.changes.morphs.targets.size() == 1);
  CHECK(result.changes.morphs.names[0] == "skinbake.0");
  CHECK_FALSE(result.clips[0].between_after.has_value());  // frames have nothing between them
}

TEST_CASE("fit: the fewest correctives that keep the bound are chosen") {
  Tube tube;
  tube.plan.max_error_m = 0.0001;
  const FitResult result = fit_rig(tube.plan);
  const auto count = static_cast<int>(result.changes.morphs.targets.size());
  CHECK(result.is_met);
  CHECK(result.clips[0].after.max_m <= 0.0001);
  REQUIRE(count > 1);
  tube.plan.correctives = count - 1;
  CHECK(fit_rig(tube.plan).clips[0].after.max_m > 0.0001);
}

TEST_CASE("fit: a bound that some correctives keep needs no more of them") {
  Tube tube;
  for (const int count : {2, 3, 4, 5}) {
    tube.plan.correctives = count;
    tube.plan.max_error_m = std::numeric_limits<double>::infinity();
    const double error_m = fit_rig(tube.plan).clips[0].after.max_m;
    tube.plan.correctives = {};
    // The search does not round positions to float32.
    tube.plan.max_error_m = 1.001 * error_m + 1e-6;
    const FitResult result = fit_rig(tube.plan);
    CHECK(result.is_met);
    CHECK(static_cast<int>(result.changes.morphs.targets.size()) <= count);
  }
}

TEST_CASE("fit: the end of a clip is measured if it is not a frame") {
  Tube tube;
  tube.plan.clips = {{&tube.clip, frames_of(tube.clip, 1.5)}};  // frames at 0 s and 0.67 s of 1 s
  tube.plan.correctives = 2;
  const FitResult result = fit_rig(tube.plan);
  const std::optional<FitError>& before = result.clips[0].between_before;
  const std::optional<FitError>& after = result.clips[0].between_after;
  REQUIRE(before);
  REQUIRE(after);
  CHECK(*before->time_s == doctest::Approx(1));
  CHECK(*after->time_s == doctest::Approx(1));
  CHECK(after->max_m > 10 * result.clips[0].after.max_m);
  const auto linear = pose_positions(tube.rig, {&tube.clip, 1}, parse_method("lbs"));
  const auto dual = pose_positions(tube.rig, {&tube.clip, 1}, tube.plan.method);
  double largest = 0;
  for (std::size_t i = 0; i < linear.size(); i += 3) {
    largest = std::max(largest, std::hypot(linear[i] - dual[i], linear[i + 1] - dual[i + 1],
                                           linear[i + 2] - dual[i + 2]));
  }
  CHECK(std::abs(before->max_m - largest) < 1e-6);
}

TEST_CASE("fit: vertices are weighted by their errors, which lowers the largest error") {
  Tube tube;
  fit::Problem problem{&tube.rig, bind_baseline(tube.rig).bbox_diagonal_m, {}};
  problem.clips.push_back(fit::sample_clip(tube.rig, &tube.clip, tube.plan.clips[0].frames));
  for (int f = 0; f <= 10; ++f) {
    for (const double number : pose_positions(tube.rig, {&tube.clip, 0.1 * f}, tube.plan.method)) {
      problem.clips[0].targets.push_back(static_cast<float>(number));
    }
  }
  const fit::Workers workers;
  const fit::Residuals residuals(problem, workers);
  const fit::Basis basis = fit::find_basis(residuals, 2, workers);
  fit::CorrectiveSearch search(residuals, basis, workers);
  tube.plan.correctives = 2;
  CHECK(fit_rig(tube.plan).clips[0].after.max_m < 0.95 * search.largest_error(2));
}

TEST_CASE("fit: a bound that the limit of correctives cannot keep is reported") {
  Tube tube;
  tube.plan.max_error_m = 1e-5;
  tube.plan.max_correctives = 1;
  const FitResult result = fit_rig(tube.plan);
  CHECK_FALSE(result.is_met);
  CHECK(result.changes.morphs.targets.size() == 1);
  CHECK(result.max_after_m() > 1e-5);
  CHECK(result.max_after_m() < result.max_before_m());
}

TEST_CASE("fit: weights are between 0 and 1, and at rest the mesh keeps its shape") {
  Tube tube;
  tube.plan.correctives = 4;
  const FitResult result = fit_rig(tube.plan);
  const std::vector<float>& weights = result.changes.clips[0].morph_weights;
  CHECK(*std::min_element(weights.begin(), weights.end()) >= 0);
  CHECK(*std::max_element(weights.begin(), weights.end()) <= 1);
  CHECK(result.rest_error < 1e-6 * result.bbox_diagonal_m);
}

TEST_CASE("fit: two clips share the correctives") {
  Tube tube;
  Clip other = test::turning_clip(tube.rig, {1, 0, 0}, 1);
  other.id = "bend";
  tube.plan.clips.push_back({&other, frames_of(other, 5)});
  tube.plan.max_error_m = 0.001;
  const FitResult result = fit_rig(tube.plan);
  CHECK(result.is_met);
  const std::size_t width = result.changes.morphs.targets.size();
  CHECK(result.changes.clips[0].morph_weights.size() == 11 * width);
  CHECK(result.changes.clips[1].morph_weights.size() == 6 * width);
}

TEST_CASE("fit: morph targets of the mesh keep their weights, and jumps stay jumps") {
  Tube tube;
  tube.add_morph(Interpolation::kStep, {0, 0.33, 0.71}, {0, 1, 0.25});
  tube.plan.max_error_m = 0.0005;
  const FitResult result = fit_rig(tube.plan);
  CHECK(result.is_met);
  CHECK(result.clips[0].between_after->max_m < 0.01);  // the jump itself moves vertices by 0.1 m
  const ClipKeys& keys = result.changes.clips[0];
  const std::size_t width = 1 + result.changes.morphs.targets.size();
  REQUIRE(keys.morph_weights.size() == keys.morph_times.size() * width);
  for (std::size_t k = 0; k < keys.morph_times.size(); ++k) {
    const float time = keys.morph_times[k];
    const double expected = time < 0.33 - 1e-6 ? 0 : time < 0.71 - 1e-6 ? 1 : 0.25;
    CHECK(keys.morph_weights[k * width] == expected);
  }
}

TEST_CASE("fit: the result does not depend on the number of threads") {
  Tube tube;
  tube.plan.correctives = 5;
  tube.plan.threads = 1;
  const FitResult one = fit_rig(tube.plan);
  for (const int threads : {2, 7}) {
    tube.plan.threads = threads;
    CHECK(is_same(one.changes, fit_rig(tube.plan).changes));
  }
}

TEST_CASE("fit: a twist by half a turn, which linear blending collapses, stays bounded") {
  Tube tube(kPi - 0.01, {0, 1, 0}, 2);
  tube.plan.correctives = 8;
  const FitResult result = fit_rig(tube.plan);
  for (const MorphTarget& target : result.changes.morphs.targets) {
    for (const float number : target.positions) REQUIRE(std::abs(number) < 20);
  }
  CHECK(result.clips[0].after.max_m <= result.clips[0].before.max_m);
}

TEST_CASE("fit: the joints are named between which linear blending flattens the surface") {
  Tube tube(kPi - 0.01, {0, 1, 0}, 2);
  tube.plan.max_error_m = 0.01;
  const FitResult result = fit_rig(tube.plan);
  CHECK_FALSE(result.is_met);
  REQUIRE(!result.clips[0].collapses.empty());
  const FitCollapse& collapse = result.clips[0].collapses.front();
  CHECK(collapse.degrees == doctest::Approx(180).epsilon(0.01));
  CHECK(collapse.frame == 10);
  CHECK(collapse.a != collapse.b);
  CHECK(collapse.error_m == result.clips[0].after.max_m);
  CHECK(collapse.vertices > 0);
}

TEST_CASE("fit: the changed rig has the error that the result states") {
  Tube tube;
  tube.plan.correctives = 3;
  const FitResult result = fit_rig(tube.plan);
  const Clip clip = fit::changed_clip(result.changes, 0);
  const FitError error = measure_fit(tube.plan, fit::changed_rig(result.changes), {&clip, 1})[0];
  CHECK(error.max_m == result.clips[0].after.max_m);
  CHECK(error.rms_m == result.clips[0].after.rms_m);
  const FitError before = measure_fit(tube.plan, tube.rig, {&tube.clip, 1})[0];
  CHECK(before.max_m == result.clips[0].before.max_m);
}

TEST_CASE("fit: an invalid plan is refused with its fault") {
  const auto fault_of = [](const auto& damage) {
    Tube tube;
    damage(tube.plan);
    try {
      fit_rig(tube.plan);
    } catch (const Error& error) {
      CHECK(error.code() == "PLAN_INVALID");
      return std::string(error.what());
    }
    return std::string();
  };
  const auto names = [](const std::string& text, const char* word) {
    return text.find(word) != std::string::npos;
  };
  CHECK(names(fault_of([](FitPlan& plan) { plan.rig = nullptr; }), "rig"));
  CHECK(names(fault_of([](FitPlan& plan) { plan.clips.clear(); }), "clips"));
  CHECK(names(fault_of([](FitPlan& plan) { plan.clips[0].clip = nullptr; }), "clip"));
  CHECK(names(fault_of([](FitPlan& plan) { plan.clips[0].frames.frame_count = 0; }), "frames"));
  CHECK(names(fault_of([](FitPlan& plan) { plan.max_error_m = 0; }), "max_error_m"));
  CHECK(names(fault_of([](FitPlan& plan) { plan.max_error_m = NAN; }), "max_error_m"));
  CHECK(names(fault_of([](FitPlan& plan) { plan.correctives = -1; }), "correctives"));
  CHECK(names(fault_of([](FitPlan& plan) { plan.threads = -1; }), "threads"));
  const test::MemoryFrames few = test::numbered_frames(3, 2);
  CHECK(names(fault_of([&](FitPlan& plan) { plan.clips[0].target = &few; }), "target"));
}

}  // namespace skinbake
