// Skinned normals, computed by the kernels.

#include <doctest/doctest.h>

#include "bake/block/baked_block.h"
#include "math/scalar.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using test::distance;
using test::Local;

// The methods that compute transforms. Methods that relax compute points.
std::vector<MethodInfo> methods_with_normals() {
  std::vector<MethodInfo> some;
  for (const MethodInfo& method : methods()) {
    if (kernels<float>(parse_method(method.id)).skin != nullptr) some.push_back(method);
  }
  return some;
}

// The normals of the clip's first frames. Shape [vertex][axis][frame].
AlignedArray<float> normals_of(const Rig& rig, const Clip& clip, const MethodInfo& method,
                               int frames = 1) {
  BakePlan plan = test::plan_of(rig, &clip, frames);
  plan.runs = {{parse_method(method.id), {}}};
  const Job job(plan);
  BlockJoints joints(job);
  std::vector<TrackedJoints> tracked;
  JointTracker tracker(job.rigid_factors, job.sampler, plan.frames.fps, nullptr);
  for (int f = 0; f < frames; ++f) tracked.push_back(tracker.advance(f));
  joints.sample(job, 0, frames, tracked);
  const VertexIndex count = rig.mesh->vertex_count();
  AlignedArray<float> positions(std::size_t{count} * 3 * kFramesPerBlock);
  AlignedArray<float> normals(std::size_t{count} * 3 * kFramesPerBlock);
  SkinTask<float> task = joints.skin_task<float>(job, 0, {0, count});
  task.positions = positions.data();
  task.normals = normals.data();
  REQUIRE(kernels<float>(plan.runs[0].method).skin(task));
  return normals;
}

Vec3<double> normal_at(const AlignedArray<float>& normals, VertexIndex v, int frame = 0) {
  const float* n = normals.data() + std::size_t{v} * 3 * kFramesPerBlock + frame;
  return {n[0], n[kFramesPerBlock], n[2 * kFramesPerBlock]};
}

// Two joints at the origin; four vertices with different normals, of joint 0, joint 1, and both.
Rig four_normals() {
  Rig rig = test::loose({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {Node{}, Node{}},
                        {{{0, 1}}, {{1, 1}}, {{0, 0.5}, {1, 0.5}}, {{0, 0.75}, {1, 0.25}}});
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->normals = {1, 0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0.6f, 0.8f};
  rig.mesh = mesh;
  return rig;
}

Vec3<double> rest_normal(const Rig& rig, VertexIndex v) {
  const float* n = rig.mesh->normals.data() + std::size_t{v} * 3;
  return {n[0], n[1], n[2]};
}

// Both joints have the same pose, so that every method gives that map.
void check_mapped_normals(const Local& local, double tolerance) {
  const Rig rig = four_normals();
  const Clip clip = test::clip_of({{local, local}});
  for (const MethodInfo& method : methods_with_normals()) {
    CAPTURE(method.id);
    const auto normals = normals_of(rig, clip, method);
    for (VertexIndex v = 0; v < 4; ++v) {
      const Vec3<double> expected = transform_normal(test::to_matrix(local), rest_normal(rig, v));
      CHECK(distance(normal_at(normals, v), expected) < tolerance);
    }
  }
}

}  // namespace

TEST_CASE("normals: at rest they equal the mesh's") {
  check_mapped_normals({}, 1e-7);
}

TEST_CASE("normals: they turn with a rotation and ignore the translation") {
  test::Random random(60);
  for (int i = 0; i < 20; ++i) check_mapped_normals({random.vector(5), random.rotation()}, 1e-6);
}

TEST_CASE("normals: a non-uniform scale acts by its inverse transpose") {
  const Rig rig = four_normals();
  const Local wide{{0, 0, 0}, {1, 0, 0, 0}, {2, 1, 1}};
  check_mapped_normals(wide, 1e-6);
  for (const MethodInfo& method : methods_with_normals()) {
    const auto normals = normals_of(rig, test::clip_of({{wide, wide}}), method);
    const double length = std::hypot(0.3, 0.8);
    CHECK(distance(normal_at(normals, 2), {0.3 / length, 0, 0.8 / length}) < 1e-6);
  }
}

TEST_CASE("normals: a common scale does not change them") {
  for (const double k : {1e-3, 100.0}) {
    check_mapped_normals({{0, 0, 0}, {1, 0, 0, 0}, {k, k, k}}, 1e-6);
  }
}

TEST_CASE("normals: they point outwards after a mirror") {
  check_mapped_normals({{0, 0, 0}, {1, 0, 0, 0}, {-1, 1, 1}}, 1e-6);
  const Rig rig = four_normals();
  const Local mirror{{0, 0, 0}, {1, 0, 0, 0}, {-1, 1, 1}};
  for (const MethodInfo& method : methods_with_normals()) {
    const auto normals = normals_of(rig, test::clip_of({{mirror, mirror}}), method);
    CHECK(distance(normal_at(normals, 0), {-1, 0, 0}) < 1e-6);
    CHECK(distance(normal_at(normals, 1), {0, 1, 0}) < 1e-6);
  }
}

TEST_CASE("normals: between two joints they turn half way and have unit length") {
  const Rig rig = four_normals();
  const double s = std::sqrt(0.5);  // joint 1 by a quarter turn about y: x goes to -z
  const Clip clip = test::clip_of({{{}, {{0, 0, 0}, {s, 0, s, 0}}}});
  const Affine<double> half =
      to_affine(Quat<double>{std::cos(M_PI / 8), 0, std::sin(M_PI / 8), 0}, {0, 0, 0});
  for (const MethodInfo& method : methods_with_normals()) {
    const auto normals = normals_of(rig, clip, method);
    CHECK(distance(normal_at(normals, 2), rotate(half, {0.6, 0, 0.8})) < 1e-6);
    CHECK(std::fabs(norm(normal_at(normals, 3)) - 1) < 1e-6);
  }
}

TEST_CASE("normals: morph targets displace them before skinning") {
  Rig rig = four_normals();
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->morph_targets = {{{}, {-1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {}}};
  rig.mesh = mesh;
  rig.morph_weights = {0.5};
  for (const MethodInfo& method : methods_with_normals()) {
    const auto normals = normals_of(rig, test::clip_of({{{}, {}}}), method);
    const double length = std::hypot(0.5, 1.0);
    CHECK(distance(normal_at(normals, 0), {0.5 / length, 0, 1 / length}) < 1e-6);
    CHECK(distance(normal_at(normals, 1), {0, 1, 0}) < 1e-6);
  }
}

TEST_CASE("normals: every instruction set gives the same bits") {
  const test::RandomShape shape{.seed = 61, .points = 50, .scale_spread = 0.4};
  const Rig rig = test::random_rig(shape);
  const Clip clip = test::random_clip(rig, shape, kFramesPerBlock);
  for (const MethodInfo& method : methods_with_normals()) {
    const auto best = normals_of(rig, clip, method, kFramesPerBlock);
    test::for_each_simd_target([&](const std::string&) {
      const auto other = normals_of(rig, clip, method, kFramesPerBlock);
      CHECK(std::memcmp(other.data(), best.data(), best.size() * sizeof(float)) == 0);
    });
  }
}

}  // namespace skinbake
