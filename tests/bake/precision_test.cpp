#include <doctest/doctest.h>

#include "clip/poses/skinning.h"
#include "math/scalar.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::Capture;
using test::captured;
using test::distance;
using test::plan_of;

double worst_error(const Capture& capture) {
  double worst = 0;
  for (std::size_t i = 0; i < capture.positions.size(); ++i) {
    worst = std::max(worst, std::fabs(double{capture.positions[i]} - capture.exact[i]));
  }
  return worst;
}

// The distance from x, rounded to float, to the next float.
double float_ulp(double x) {
  const auto rounded = static_cast<float>(x);
  return double{std::nextafterf(rounded, INFINITY)} - double{rounded};
}

// A bent tube whose second joint is longer than the others by `stretch`. The greatest stretch that
// the bake neglects is 1e-5 (clip/poses/rigid_pose.h).
struct StretchedTube {
  Rig rig;
  Clip clip;

  StretchedTube(int influences, double stretch)
      : rig(test::tube({.joints = 3, .influences = influences})),
        clip(test::turning_clip(rig, {0, 0.6, 0.8}, 2)) {
    clip.channels.push_back(
        test::channel(1, ChannelPath::kScale, Interpolation::kStep, {0}, {1, 1 + stretch, 1}, 3));
  }
  Capture capture(std::string_view method) const { return captured(rig, &clip, 2, method); }
};

}  // namespace

TEST_CASE("precision: a tube at the origin is within 1e-6 of its size of the exact result") {
  const Rig rig = test::tube({.joints = 5, .influences = 4});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 3);
  for (const MethodInfo& method : methods()) {
    CHECK(worst_error(captured(rig, &clip, 31, method.id)) < 2e-6);
  }
}

TEST_CASE("precision: a mesh modelled 100 km away and posed near the origin keeps its precision") {
  const Vec3<double> far{1e5, -1e5, 5e4};
  const Rig rig = test::tube({.joints = 3, .influences = 3, .origin = far});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  clip.channels.push_back(
      test::channel(0, ChannelPath::kTranslation, Interpolation::kStep, {0}, {0, 0.25, 0}, 3));
  for (const MethodInfo& method : methods()) {
    CHECK(worst_error(captured(rig, &clip, 31, method.id)) < 2e-6);
  }
}

TEST_CASE("precision: a mesh posed 100 km away differs by a float's last bits") {
  const Rig rig = test::tube({.joints = 3, .influences = 3, .origin = {1e5, 0, 0}});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  for (const MethodInfo& method : methods()) {
    const Capture capture = captured(rig, &clip, 31, method.id);
    CAPTURE(method.id);
    CHECK(worst_error(capture) <= 4 * float_ulp(1e5));
  }
}

TEST_CASE("precision: a scene in millimetres, by a root scale of 0.001") {
  const Rig rig = test::tube({.joints = 3, .influences = 3});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  clip.channels.push_back(
      test::channel(0, ChannelPath::kScale, Interpolation::kStep, {0}, {0.001, 0.001, 0.001}, 3));
  clip.channels.push_back(
      test::channel(0, ChannelPath::kTranslation, Interpolation::kStep, {0}, {0, 0, 0}, 3));
  for (const MethodInfo& method : methods()) {
    CHECK(worst_error(captured(rig, &clip, 31, method.id)) < 2e-9);
  }
}

// Most of the tube, and therefore the common scale, grows to 2 km (clip/poses/rigid_pose.h).
// Vertices of the resting joint have the absolute precision of the largest coordinates.
TEST_CASE(
    "precision: joints scaled by 1000 leave others within a float's last bits at their size") {
  const Rig rig = test::tube({.joints = 4, .influences = 1, .origin = {0.3, 0.1, 0.7}});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  clip.channels.push_back(
      test::channel(1, ChannelPath::kScale, Interpolation::kStep, {0}, {1e3, 1e3, 1e3}, 3));
  for (const MethodInfo& method : methods()) {
    if (!(method.keeps & kKeepsSingleJoint)) continue;
    CAPTURE(method.id);
    const Capture capture = captured(rig, &clip, 2, method.id);
    int resting = 0;
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      if (rig.influences_of(v)[0].joint != 0) continue;
      const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
      const Vec3<double> rest{p[0], p[1], p[2]};
      CHECK(distance(capture.exact_at(1, v), rest) < 1e-12 * 2e3);
      CHECK(distance(capture.at(1, v), rest) < 2 * float_ulp(2e3));
      ++resting;
    }
    CHECK(resting > 0);
  }
}

TEST_CASE("precision: the exact reference moves vertices of one joint by its matrix") {
  const StretchedTube tube(1, 8e-6);
  PoseSampler sampler(tube.rig, &tube.clip, {0, 0, 0});
  SampledPose pose;
  sampler.sample(1.0 / 30, pose);
  for (const MethodInfo& method : methods()) {
    if (!(method.keeps & kKeepsSingleJoint)) continue;
    CAPTURE(method.id);
    const Capture capture = tube.capture(method.id);
    for (VertexIndex v = 0; v < tube.rig.mesh->vertex_count(); ++v) {
      const float* p = tube.rig.mesh->positions.data() + std::size_t{v} * 3;
      const Affine<double>& m = pose.posed_from_rest[tube.rig.influences_of(v)[0].joint];
      CHECK(distance(capture.exact_at(1, v), m * Vec3<double>{p[0], p[1], p[2]}) < 1e-13);
    }
  }
}

// Displacements are proportional to a stretch that is small. The bake neglects the first of these
// two, not the second.
TEST_CASE("precision: the exact reference does not neglect a stretch, in any method") {
  for (const MethodInfo& method : methods()) {
    CAPTURE(method.id);
    const Capture none = StretchedTube(3, 0).capture(method.id);
    const Capture once = StretchedTube(3, 8e-6).capture(method.id);
    const Capture twice = StretchedTube(3, 16e-6).capture(method.id);
    double moved = 0, left = 0;
    for (std::size_t i = 0; i < none.exact.size(); ++i) {
      moved = std::max(moved, std::fabs(twice.exact[i] - none.exact[i]));
      left = std::max(left, std::fabs(twice.exact[i] - 2 * once.exact[i] + none.exact[i]));
    }
    CHECK(moved > 1e-6);
    CHECK(left < 1e-3 * moved);
  }
}

TEST_CASE("precision: an exact reference does not change baked positions") {
  const StretchedTube tube(3, 8e-6);
  for (const MethodInfo& method : methods()) {
    CAPTURE(method.id);
    BakePlan plan = plan_of(tube.rig, &tube.clip, 2);
    Capture alone(tube.rig);
    plan.runs = {{parse_method(method.id), {&alone}}};
    bake(plan);
    CHECK((alone.positions == tube.capture(method.id).positions));
  }
}

TEST_CASE("space: mesh space is scene space relative to the mesh's node") {
  const test::RandomShape shape{.seed = 50, .scale_spread = 0.2};
  Rig rig = test::random_rig(shape);
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  test::Random random(50);
  Node& own = skeleton->nodes[rig.node];
  own.translation = random.vector(3), own.rotation = random.rotation(), own.scale = {2, 2, 0.5};
  rig.skeleton = skeleton;
  const Affine<double> scene_from_mesh =
      test::to_matrix({own.translation, own.rotation, own.scale});
  const Clip clip = test::random_clip(rig, shape, 4);
  BakePlan plan = plan_of(rig, &clip, 4);
  plan.space = Space::kMesh;
  const Capture scene = captured(rig, &clip, 4, "lbs"), mesh = captured(plan, "lbs");
  for (std::int64_t f = 0; f < 4; ++f) {
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      CHECK(distance(scene_from_mesh * mesh.exact_at(f, v), scene.exact_at(f, v)) < 1e-13);
    }
  }
}

TEST_CASE("morph: displacements are added before skinning") {
  Rig rig = test::loose({{1, 0, 0}, {0, 1, 0}}, {Node{}}, {{{0, 1}}, {{0, 1}}});
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->morph_targets = {{{0, 0, 1, 0, 0, 0}, {}, {}}, {}, {{2, 0, 0, 0, 4, 0}, {}, {}}};
  rig.mesh = mesh;
  rig.morph_weights = {0.5, 1, 0};
  const double s = std::sqrt(0.5);  // a quarter turn about z
  Clip clip = test::clip_of({{{{0, 0, 5}, {s, 0, 0, s}}}, {{{0, 0, 5}, {s, 0, 0, s}}}});
  clip.channels.push_back(test::channel(rig.node, ChannelPath::kWeights, Interpolation::kLinear,
                                        {0, 1.0 / 30}, {0.5, 1, 0, 0, 1, 0.25}, 3));
  for (const MethodInfo& method : methods()) {
    const Capture capture = captured(rig, &clip, 2, method.id);
    CHECK(distance(capture.at(0, 0), {0, 1, 5.5}) < 1e-6);
    CHECK(distance(capture.at(0, 1), {-1, 0, 5}) < 1e-6);
    CHECK(distance(capture.at(1, 0), {0, 1.5, 5}) < 1e-6);
    CHECK(distance(capture.at(1, 1), {-2, 0, 5}) < 1e-6);
  }
}

}  // namespace skinbake
