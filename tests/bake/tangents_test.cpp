// Tangents, which are computed beside normals.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "bake/block/baked_block.h"
#include "bake/normals.h"
#include "math/scalar.h"
#include "metrics/shapes.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/normal_rigs.h"
#include "support/random.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using enum NormalKind;
using test::captured_normals;
using test::distance;
using test::Local;
using test::NormalCapture;
using test::plan_of;
using test::with_normals;
using test::with_tangents;

// Two joints at the origin; vertices of joint 0, joint 1, and both. The last tangent is not
// perpendicular to its normal.
Rig three_tangents() {
  const Rig rig = test::loose({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {Node{}, Node{}},
                              {{{0, 1}}, {{1, 1}}, {{0, 0.75}, {1, 0.25}}});
  return with_tangents(with_normals(rig, {0, 0, 1, 0.6F, 0, 0.8F, 0, 1, 0}),
                       {1, 0, 0, 1, 0.8F, 0, -0.6F, -1, 0.6F, 0.8F, 0, 1});
}

Vec3<double> rest_of(const std::vector<float>& vectors, std::size_t v, std::size_t width) {
  const float* d = vectors.data() + v * width;
  return {d[0], d[1], d[2]};
}

Vec3<double> unit(const Vec3<double>& d) {
  return 1 / norm(d) * d;
}

std::vector<std::string> methods_that_turn(const Rig& rig) {
  std::vector<std::string> some;
  for (const MethodInfo& method : methods()) {
    if (available_tangents(*rig.mesh, parse_method(method.id))) some.emplace_back(method.id);
  }
  return some;
}

NormalCapture at_frame_0(const Rig& rig, const Clip& clip, const std::string& method) {
  return captured_normals(plan_of(rig, &clip, 1), kSkinned, method);
}

// Both joints have the same pose, so that every method gives that map.
void check_mapped_tangents(const Local& local, double tolerance) {
  const Rig rig = three_tangents();
  const Clip clip = test::clip_of({{local, local}});
  const Affine<double> map = test::to_matrix(local);
  for (const std::string& method : methods_that_turn(rig)) {
    CAPTURE(method);
    const NormalCapture turned = at_frame_0(rig, clip, method);
    REQUIRE(turned.tangents.size() == 9);
    for (VertexIndex v = 0; v < 3; ++v) {
      const Vec3<double> n = transform_normal(map, rest_of(rig.mesh->normals, v, 3));
      const Vec3<double> t = rotate(map, rest_of(rig.mesh->tangents, v, 4));
      CHECK(distance(turned.tangent_at(0, v), unit(t - dot(n, t) * n)) < tolerance);
    }
  }
}

}  // namespace

TEST_CASE("tangents: at rest they are the mesh's, perpendicular to the normals") {
  check_mapped_tangents({}, 1e-6);
  const Rig rig = three_tangents();
  const NormalCapture turned = at_frame_0(rig, test::clip_of({{{}, {}}}), "lbs");
  CHECK(distance(turned.tangent_at(0, 0), {1, 0, 0}) == 0);
  CHECK(distance(turned.tangent_at(0, 2), {1, 0, 0}) < 1e-7);
}

TEST_CASE("tangents: they turn with a rotation") {
  const double s = std::sqrt(0.5);  // a quarter turn about z: x goes to y
  const Local quarter{{3, 2, 1}, {s, 0, 0, s}};
  const Rig rig = three_tangents();
  for (const std::string& method : methods_that_turn(rig)) {
    CAPTURE(method);
    const NormalCapture turned = at_frame_0(rig, test::clip_of({{quarter, quarter}}), method);
    CHECK(distance(turned.tangent_at(0, 0), {0, 1, 0}) < 1e-6);
    CHECK(distance(turned.tangent_at(0, 1), {0, 0.8, -0.6}) < 1e-6);
  }
  test::Random random(62);
  for (int i = 0; i < 5; ++i) check_mapped_tangents({random.vector(5), random.rotation()}, 1e-6);
}

TEST_CASE("tangents: a non-uniform scale acts on them as on points, and they stay on the surface") {
  const Local wide{{0, 0, 0}, {1, 0, 0, 0}, {2, 1, 1}};
  const Rig rig = three_tangents();
  const double length = std::hypot(0.8, 0.3);  // perpendicular to (0.3, 0, 0.8)
  for (const std::string& method : methods_that_turn(rig)) {
    CAPTURE(method);
    const NormalCapture turned = at_frame_0(rig, test::clip_of({{wide, wide}}), method);
    CHECK(distance(turned.tangent_at(0, 1), {0.8 / length, 0, -0.3 / length}) < 1e-6);
    CHECK(std::abs(dot(turned.tangent_at(0, 1), turned.at(0, 1))) < 1e-6);
  }
  check_mapped_tangents({{0, 0, 0}, {1, 0, 0, 0}, {1e-3, 1e-3, 1e-3}}, 1e-6);
  check_mapped_tangents({{0, 0, 0}, {1, 0, 0, 0}, {100, 300, 200}}, 1e-6);
}

TEST_CASE("tangents: a mirror reverses only those along its axis") {
  const Local mirror{{0, 0, 0}, {1, 0, 0, 0}, {-1, 1, 1}};
  check_mapped_tangents(mirror, 1e-6);
  const Rig rig = three_tangents();
  for (const std::string& method : methods_that_turn(rig)) {
    const NormalCapture turned = at_frame_0(rig, test::clip_of({{mirror, mirror}}), method);
    CHECK(distance(turned.tangent_at(0, 0), {-1, 0, 0}) < 1e-6);
    CHECK(distance(turned.tangent_at(0, 1), {-0.8, 0, -0.6}) < 1e-6);
  }
  check_mapped_tangents({{0, 0, 0}, {1, 0, 0, 0}, {-1, -1, -1}}, 1e-6);
}

TEST_CASE("tangents: morph targets displace them before skinning") {
  Rig rig = three_tangents();
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->morph_targets = {{{}, {}, {-1, 2, 0, 0, 0, 0, 0, 0, 0}}};
  rig.mesh = mesh;
  rig.morph_weights = {0.5};
  const double s = std::sqrt(0.5), length = std::hypot(0.5, 1.0);
  const Local quarter{{0, 0, 0}, {s, 0, 0, s}};  // (0.5, 1, 0) goes to (-1, 0.5, 0)
  for (const std::string& method : methods_that_turn(rig)) {
    CAPTURE(method);
    const NormalCapture turned = at_frame_0(rig, test::clip_of({{quarter, quarter}}), method);
    CHECK(distance(turned.tangent_at(0, 0), {-1 / length, 0.5 / length, 0}) < 1e-6);
    CHECK(distance(turned.tangent_at(0, 1), {0, 0.8, -0.6}) < 1e-6);
  }
}

TEST_CASE("tangents: beside geometric normals they are perpendicular to those") {
  // A sheared plane: z = h x, whose vectors linear blending does not turn.
  const test::Surface plane{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}}};
  const Rig rig =
      with_tangents(with_normals(test::chained(plane, 2, {{{0, 1}}, {{1, 1}}, {{0, 1}}, {{1, 1}}}),
                                 {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}),
                    {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1});
  Clip clip;
  clip.channels = {test::channel(rig.joints[1].node, ChannelPath::kTranslation,
                                 Interpolation::kLinear, {0, 1}, {0, 0, 0, 0, 0, 1}, 3)};
  const auto skinned = captured_normals(plan_of(rig, &clip, 31), kSkinned);
  const auto geometric = captured_normals(plan_of(rig, &clip, 31), kGeometric);
  REQUIRE(geometric.tangents.size() == geometric.normals.size());
  for (std::int64_t f = 0; f < 31; ++f) {
    const double h = static_cast<double>(f) / 30, length = std::hypot(1, h);
    for (VertexIndex v = 0; v < 4; ++v) {
      CHECK(distance(skinned.tangent_at(f, v), {1, 0, 0}) < 1e-7);
      CHECK(distance(geometric.tangent_at(f, v), {1 / length, 0, h / length}) < 1e-6);
    }
  }
  // Both kinds together equal each kind alone.
  NormalCapture first(rig, kSkinned), second(rig, kGeometric);
  BakePlan plan = plan_of(rig, &clip, 31);
  plan.runs = {{parse_method("lbs"), {&first, &second}}};
  bake(plan);
  CHECK(first.tangents == skinned.tangents);
  CHECK(second.tangents == geometric.tangents);
}

TEST_CASE("tangents: one that is parallel to its normal is replaced by a perpendicular vector") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kHuge = std::numeric_limits<float>::infinity();
  const std::vector<Vec3<float>> normals{{0, 0, 1}, {0.6F, 0, 0.8F}, {-1, 0, 0}, {0, -1, 0}};
  const std::vector<Vec3<float>> bad{{0, 0, 0},       {0, 0, 5},     {0.6F, 0, 0.8F},
                                     {kNan, 0, kNan}, {0, kHuge, 0}, {1e-30F, 0, 0}};
  for (const Vec3<float>& n : normals) {
    for (const Vec3<float>& t : bad) {
      std::array<float, 3 * kFramesPerBlock> of_normals{}, of_tangents{};
      for (std::size_t f = 0; f < kFramesPerBlock; ++f) {
        const std::array<float, 3> nn{n.x, n.y, n.z}, tt{t.x, t.y, t.z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          of_normals[axis * kFramesPerBlock + f] = f == 3 ? 0 : nn[axis];
          of_tangents[axis * kFramesPerBlock + f] = tt[axis];
        }
      }
      const std::array<float, 4> rest{1, 0, 0, 1};
      finish_tangents({of_normals.data(), rest.data(), 1, of_tangents.data()});
      for (std::size_t f = 0; f < kFramesPerBlock; ++f) {
        const Vec3<double> found{of_tangents[f], of_tangents[kFramesPerBlock + f],
                                 of_tangents[2 * kFramesPerBlock + f]};
        CHECK(norm(found) == doctest::Approx(1).epsilon(1e-6));
        if (f == 3)
          CHECK(found.x == 1);  // the normal is zero
        else
          CHECK(std::abs(found.x * n.x + found.y * n.y + found.z * n.z) < 1e-6);
      }
    }
  }
}

TEST_CASE("tangents: meshes without tangents or normals and methods that relax do not have them") {
  const Rig rig = three_tangents();
  const Clip clip = test::clip_of({{{}, {}}});
  CHECK(at_frame_0(with_tangents(rig, {}), clip, "lbs").tangents.empty());
  CHECK_FALSE(available_tangents(*with_tangents(rig, {}).mesh, parse_method("lbs")));
  const auto some = methods_that_turn(rig);
  CHECK(std::find(some.begin(), some.end(), "dm") == some.end());
  CHECK(std::find(some.begin(), some.end(), "lbs") != some.end());
  const Rig tube = test::bulging_tube();
  std::vector<float> around;
  for (VertexIndex v = 0; v < tube.mesh->vertex_count(); ++v)
    around.insert(around.end(), {0, 1, 0, 1});
  const Clip turn = test::turning_clip(tube, {0, 0, 1}, 1);
  const auto relaxed =
      captured_normals(plan_of(with_tangents(tube, around), &turn, 2), kGeometric, "dm");
  CHECK(relaxed.tangents.empty());
  CHECK_FALSE(relaxed.normals.empty());
}

TEST_CASE(
    "tangents: they do not change the bits of normals, for every instruction set and thread "
    "count") {
  const Rig plain = test::bulging_tube();
  std::vector<float> around;
  for (std::size_t i = 0; i < plain.mesh->normals.size(); i += 3) {
    const float* n = plain.mesh->normals.data() + i;
    around.insert(around.end(), {n[1], n[2], n[0], 1});
  }
  const Rig rig = with_tangents(plain, around);
  const Clip clip = test::turning_clip(rig, {0, 1, 1}, 2);
  for (const char* method : {"lbs", "dqs"}) {
    for (const NormalKind kind : {kSkinned, kGeometric}) {
      const auto best = captured_normals(plan_of(rig, &clip, 20), kind, method);
      CHECK(best.normals == captured_normals(plan_of(plain, &clip, 20), kind, method).normals);
      REQUIRE(best.tangents.size() == best.normals.size());
      test::for_each_simd_target([&](const std::string&) {
        BakePlan plan = plan_of(rig, &clip, 20);
        plan.threads = 3;
        const auto other = captured_normals(plan, kind, method);
        CHECK(std::memcmp(other.tangents.data(), best.tangents.data(),
                          best.tangents.size() * sizeof(float)) == 0);
      });
    }
  }
}

}  // namespace skinbake
