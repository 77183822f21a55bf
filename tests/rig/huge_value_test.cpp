#include "rig/validate.h"

#include <doctest/doctest.h>

#include <array>

#include "support/rigs.h"

namespace skinbake {
namespace {

constexpr std::array<JointIndex, 2> kBoth{0, 1};

Rig two_joints() {
  return test::loose({{1, 2, 3}, {4, 5, 6}}, std::vector<Node>(2),
                     {{{0, 1}}, {{0, 0.5}, {1, 0.5}}});
}

}  // namespace

TEST_CASE("huge value: a usual rig does not have one") {
  CHECK(huge_value(two_joints(), 1, kBoth).empty());
}

TEST_CASE("huge value: the largest number is named with its element") {
  Rig rig = two_joints();
  Mesh mesh = *rig.mesh;
  mesh.positions[4] = -1e30f;
  rig.mesh = std::make_shared<const Mesh>(mesh);
  CHECK(huge_value(rig, 0, kBoth).empty());
  CHECK(huge_value(rig, 1, kBoth) == "the POSITION of vertex 1 contains -1e+30");
  rig.joints[1].joint_from_model.translation.z = 2e35;
  CHECK(huge_value(rig, 1, kBoth) == "the inverse bind matrix of joint '#1' contains 2e+35");
  CHECK(huge_value(rig, 1, std::span(kBoth).first(1)) ==
        "the POSITION of vertex 1 contains -1e+30");
  mesh.morph_targets.resize(2);
  mesh.morph_targets[1].positions = {0, 0, 0, 0, 0, 3e38f};
  rig.mesh = std::make_shared<const Mesh>(mesh);
  CHECK(huge_value(rig, 1, kBoth) == "the POSITION in morph target 1 of vertex 1 contains 3e+38");
}

}  // namespace skinbake
