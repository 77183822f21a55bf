// Which joint places the meshes of two files at bind, and that one broken joint does not move all
// of a file.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "compare/surface/changed_rigs.h"
#include "compare/surface/matched_pair.h"
#include "compare/surface/placement.h"

namespace skinbake {
namespace {

// The joint with the greatest weight.
std::size_t heaviest_of(const Rig& rig) {
  std::vector<double> sums(rig.joints.size(), 0);
  for (const Influence& i : rig.influences) sums[i.joint] += i.weight;
  return static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

Rig moved_at_bind(const Rig& rig, std::size_t joint, const Vec3<double>& by) {
  Rig changed = rig;
  Vec3<double>& t = changed.joints[joint].joint_from_model.translation;
  t = {t.x + by.x, t.y + by.y, t.z + by.z};
  return changed;
}

Rig turned_at_bind(const Rig& rig, std::size_t joint, double angle) {
  Rig changed = rig;
  const double s = std::sin(angle), c = std::cos(angle);
  Affine<double>& m = changed.joints[joint].joint_from_model;
  for (Vec3<double>* v : {&m.x, &m.y, &m.z, &m.translation}) {
    *v = {c * v->x - s * v->y, s * v->x + c * v->y, v->z};
  }
  return changed;
}

// The placement of a pair, and the error in motion relative to that by index.
void check_placed_by_another(const Rig& rig, const Rig& broken) {
  const double by_index = test::Pair(rig, broken, Match::kIndex).in_motion(test::bend(rig));
  CHECK(by_index > 0.02);
  const Rig copies[] = {broken, test::permuted(broken, 1), test::split(broken)};
  for (const Rig& copy : copies) {
    const test::Pair pair(rig, copy, Match::kSurface), back(copy, rig, Match::kSurface);
    for (const test::Pair* of : {&pair, &back}) {
      CHECK(of->at_rest() < 1e-6);
      CHECK(of->in_motion(test::bend(rig)) == doctest::Approx(by_index).epsilon(0.2));
      REQUIRE(of->placement.has_value());
      CHECK(of->placement->heaviest == "joint" + std::to_string(heaviest_of(rig)));
      CHECK(of->placement->joint != of->placement->heaviest);
    }
  }
}

}  // namespace

TEST_CASE(
    "placement: a broken bind matrix of the heaviest joint moves what the joint moves alone") {
  const Rig rig = test::bent_tube();
  const std::size_t joint = heaviest_of(rig);
  check_placed_by_another(rig, moved_at_bind(rig, joint, {0.1, 0.05, 0}));
  check_placed_by_another(rig, turned_at_bind(rig, joint, 0.2));
}

TEST_CASE("placement: one sound joint of several is found") {
  const Rig rig = test::tube({.rings = 40, .segments = 16, .joints = 5});
  Rig broken = rig;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const double d = 0.05 * static_cast<double>(j + 1);
    if (j != 4) broken = moved_at_bind(broken, j, {d, 0, -d});
  }
  const test::Pair pair(rig, test::split(broken), Match::kSurface);
  CHECK(pair.at_rest() < 1e-6);
  REQUIRE(pair.placement.has_value());
  CHECK(pair.placement->joint == "joint4");
}

TEST_CASE("placement: the heaviest joint places files whose joints all agree") {
  const Rig rig = test::bent_tube();
  const auto is_by_heaviest = [&](const Rig& other) {
    return !test::placed_of(rig, other).placement;
  };
  CHECK(is_by_heaviest(rig));
  CHECK(is_by_heaviest(test::split(rig)));
  CHECK(is_by_heaviest(test::scaled_at_bind(rig, 100)));
  // A simplified copy, whose joints move other vertices.
  CHECK(is_by_heaviest(test::tube({.rings = 9, .segments = 7, .joints = 3})));
  // A copy that is elsewhere: no joint brings it nearer.
  Rig elsewhere = rig;
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[0].translation.x += 0.1;
  elsewhere.skeleton = skeleton;
  CHECK(is_by_heaviest(elsewhere));
  CHECK(test::Pair(rig, elsewhere, Match::kIndex).at_rest() == doctest::Approx(0.1).epsilon(1e-4));
}

TEST_CASE("placement: a light joint with a broken bind matrix does not place the files") {
  const Rig rig = test::bent_tube();
  const std::size_t light = heaviest_of(rig) == 0 ? 1 : 0;
  const test::Pair pair(rig, moved_at_bind(rig, light, {0.1, 0, 0}), Match::kSurface);
  CHECK_FALSE(pair.placement);
  CHECK(pair.at_rest() < 1e-6);
}

TEST_CASE("placement: meshes with their own quantisation follow one sound joint") {
  const Rig whole = test::bent_tube();
  Rig broken = moved_at_bind(whole, heaviest_of(whole), {0.1, 0.05, 0});
  const Rig other = test::scaled_at_bind(broken, 0.01);  // a second mesh of the same skin
  const std::array<const Rig*, 2> a{&whole, &whole}, b{&broken, &other};
  const auto [surfaces, placement] = placed_surfaces(a, b);
  REQUIRE(placement.has_value());
  CHECK(placement->apart_m > 0.05);
  CHECK(index_distance(surfaces.a, surfaces.b).value() < 1e-6);
}

}  // namespace skinbake
