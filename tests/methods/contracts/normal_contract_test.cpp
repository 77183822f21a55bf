// Normals of methods: they are those of the positions' derivative. Every method that has normals,
// with each of its parameters, is compared with finite differences.

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "bake/kernels/kernels.h"
#include "math/scalar.h"
#include "methods/contracts/contract.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::captured;
using test::captured_normals;
using test::distance;
using test::plan_of;
using test::RandomShape;

// The frames of the clip: the pose, with the mesh at rest, and moved along each axis in turn.
constexpr int kSteppedFrames = 4;
// All methods but those of `derives_otherwise` are affine in the rest position: any step would do.
constexpr double kStep = 0x1p-6;

Rig with_normals(Rig rig, std::vector<float> normals) {
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->normals = std::move(normals);
  rig.mesh = mesh;
  return rig;
}

// Random unit vectors.
Rig with_random_normals(const Rig& rig, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<float> normals;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const Vec3<double> n = rotate(to_affine(random.rotation(), {0, 0, 0}), {0, 0, 1});
    for (const double x : {n.x, n.y, n.z}) normals.push_back(static_cast<float>(x));
  }
  return with_normals(rig, normals);
}

// The rig with a morph target for each axis, which moves the whole mesh: methods compute numbers
// per vertex, as its foot on a bone, from the mesh without morph targets, so that those are
// constant.
Rig with_steps(const Rig& rig) {
  Rig stepped = rig;
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<float> step(mesh->positions.size());
    for (std::size_t i = axis; i < step.size(); i += 3) step[i] = static_cast<float>(kStep);
    mesh->morph_targets.push_back({step, {}, {}});
  }
  stepped.mesh = mesh;
  stepped.morph_weights = {0, 0, 0};
  return stepped;
}

// One random pose, in every frame.
Clip pose_of(const Rig& rig, RandomShape shape) {
  shape.seed += 100;
  Clip clip = test::random_clip(rig, shape, 1);
  for (Channel& channel : clip.channels) channel.interpolation = Interpolation::kStep;
  clip.duration_s = (kSteppedFrames - 1) / 30.0;
  return clip;
}

// The pose, with the weights of with_steps.
Clip with_step_weights(Clip clip, NodeIndex mesh_node) {
  Channel weights =
      test::channel(mesh_node, ChannelPath::kWeights, Interpolation::kStep,
                    {0, 1 / 30.0, 2 / 30.0, 3 / 30.0}, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 3);
  clip.channels.push_back(weights);
  return clip;
}

// Methods whose normals do not follow the derivative, and why:
//   bulge-free=1   the normals are those before the vertex is drawn back
//   ddm            with scale, the rotation is that of the pose, which the stretch turns, too
bool derives_otherwise(const Method& method, bool has_scale) {
  const std::string name = method.canonical();
  const bool is_linear = name.find("variant=5") != std::string::npos;
  return name.find("bulge-free=1") != std::string::npos ||
         (has_scale && method.info().id == "ddm" && !is_linear);
}

}  // namespace

TEST_CASE("method: normals are those of the positions' derivative") {
  constexpr RandomShape kNormalShapes[] = {{.seed = 80}, {.seed = 81, .scale_spread = 0.4}};
  for (const RandomShape& shape : kNormalShapes) {
    const Rig plain = with_random_normals(test::random_rig(shape), shape.seed);
    const Rig rig = with_steps(plain);
    const Clip pose = pose_of(rig, shape), clip = with_step_weights(pose, rig.node);
    test::for_each_method([&](const Method& method, const std::string& name) {
      if (kernels<float>(method).skin == nullptr) return;
      const test::Capture positions = captured(rig, &clip, kSteppedFrames, name);
      const auto normals = captured_normals(plan_of(rig, &clip, 1), NormalKind::kSkinned, name);
      const auto alone = captured_normals(plan_of(plain, &pose, 1), NormalKind::kSkinned, name);
      double worst = 0, worst_alone = 0;
      for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
        const Vec3<double> at = positions.exact_at(0, v);
        const auto along = [&](int axis) {
          return 1 / kStep * (positions.exact_at(1 + axis, v) - at);
        };
        const Affine<double> derivative{along(0), along(1), along(2), {0, 0, 0}};
        const float* n = plain.mesh->normals.data() + std::size_t{v} * 3;
        const Vec3<double> expected = transform_normal(derivative, Vec3<double>{n[0], n[1], n[2]});
        worst = std::max(worst, distance(normals.at(0, v), expected));
        worst_alone = std::max(worst_alone, distance(alone.at(0, v), expected));
      }
      if (derives_otherwise(method, shape.scale_spread > 0)) {
        CHECK(worst > 1e-3);
      } else {
        CHECK(worst < 2e-5);
        CHECK(worst_alone < 2e-5);  // the loop of meshes without morph targets
      }
    });
  }
}

TEST_CASE("method: normals of dqs with scale, in closed form") {
  // The second joint is turned by 90 degrees about z, after it is twice as long along x. Half of
  // each joint: the blend turns by 45 degrees.
  const double eighth = std::numbers::pi / 8, s = std::sqrt(0.5);
  const Rig rig = with_normals(
      test::loose({{0.5F, 0.25F, 0}}, {Node{}, Node{}}, {{{0, 0.5}, {1, 0.5}}}), {0.6F, 0.8F, 0});
  const Clip clip = test::clip_of({{{}, {{1, 0, 0}, {s, 0, 0, s}, {2, 1, 1}}}});
  const Affine<double> turn =
      to_affine(Quat<double>{std::cos(eighth), 0, 0, std::sin(eighth)}, {0, 0, 0});
  const auto check_normal = [&](const char* method, const Vec3<double>& x) {
    CAPTURE(method);
    const Affine<double> stretch{x, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    const auto normals = captured_normals(plan_of(rig, &clip, 1), NormalKind::kSkinned, method);
    const Vec3<double> n = transform_normal(stretch, Vec3<double>{0.6, 0.8, 0});
    CHECK(distance(normals.at(0, 0), rotate(turn, n)) < 1e-6);
  };
  // About the joints and the origin, the mean of the stretches turns.
  check_normal("dqs:scale=joint", {1.5, 0, 0});
  check_normal("dqs:scale=origin", {1.5, 0, 0});
  // About the vertex, the second joint moves it along x by 1 per metre more than the first. The
  // blend of two translations is their mean, and tan(45 / 2) of half their difference across.
  check_normal("dqs:scale=vertex", {1.5, std::tan(eighth) / 2, 0});
}

}  // namespace skinbake
