// Properties of methods for vertices with one joint, or with equal weights. Other properties:
// method_contract_test.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "clip/poses/skinning.h"
#include "math/scalar.h"
#include "methods/contracts/contract.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using namespace skinbake::test;

// Gives the first `count` vertices of a rig the same influences.
void share_influences(Rig& rig, const std::vector<Influence>& influences, VertexIndex count) {
  const Rig before = rig;
  rig.influences.clear();
  rig.first_influence = {0};
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const auto own = before.influences_of(v);
    if (v < count) {
      rig.influences.insert(rig.influences.end(), influences.begin(), influences.end());
    } else {
      rig.influences.insert(rig.influences.end(), own.begin(), own.end());
    }
    rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
  }
}

}  // namespace

TEST_CASE("method: a vertex of one joint follows its matrix, independently of its neighbours") {
  for_each_method([](const Method& method, const std::string& name) {
    Differences worst;
    for (const RandomShape& shape : kShapes) {
      Rig rig = random_rig(shape);
      const Clip clip = random_clip(rig, shape, kClipFrames);
      const auto joint_of = [&](VertexIndex v) {
        return static_cast<JointIndex>(v / 3 % rig.joints.size());
      };
      share_influences(rig, {{0, 1}}, rig.mesh->vertex_count());
      for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
        rig.influences[v].joint = joint_of(v);
      }
      const Capture capture = captured(rig, &clip, kClipFrames, name);
      PoseSampler sampler(rig, &clip, {0, 0, 0});
      SampledPose pose;
      worst = worse(worst, differences(capture, kClipFrames, rig.mesh->vertex_count(),
                                       [&](std::int64_t f, VertexIndex v) {
                                         sampler.sample(static_cast<double>(f) / 30, pose);
                                         return pose.posed_from_rest[joint_of(v)] * rest(rig, v);
                                       }));
    }
    check(method, kKeepsSingleJoint, worst, {1e-10, kRounding});
  });
}

TEST_CASE("method: vertices of equal weights are moved by one affine map") {
  for_each_method([](const Method& method, const std::string& name) {
    // Five vertices have equal weights. The last one is an affine combination of the others at
    // rest, and must be the same combination when posed.
    const float five[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -0.5f, 0.75f, 0.25f};
    Differences worst;
    for (const std::uint64_t seed : {73, 76}) {
      Rig rig = random_rig({.seed = seed, .joints = 3});
      auto mesh = std::make_shared<Mesh>(*rig.mesh);
      std::copy(std::begin(five), std::end(five), mesh->positions.begin());
      rig.mesh = mesh;
      share_influences(rig, {{1, 0.5}, {0, 0.25}, {2, 0.25}}, 5);
      for (const double spread : {0.0, 0.3}) {
        const Clip clip = random_clip(rig, {.seed = seed, .scale_spread = spread}, kClipFrames);
        const Capture capture = captured(rig, &clip, kClipFrames, name);
        for (std::int64_t f = 0; f < kClipFrames; ++f) {
          const auto p = [&](VertexIndex v) { return capture.exact_at(f, v); };
          const Vec3<double> expected = 0.5 * p(0) + (-0.5 * p(1) + (0.75 * p(2) + 0.25 * p(3)));
          worst.exact = std::max(worst.exact, distance(p(4), expected));
        }
      }
    }
    check(method, kKeepsOneMap, worst, {1e-13, 1});
  });
}

TEST_CASE("method: vertices of equal weights keep their distances") {
  for_each_method([](const Method& method, const std::string& name) {
    // The joints of a random tree, on several branches of it.
    Rig rig = random_rig({.seed = 74, .joints = 7});
    share_influences(rig, {{6, 0.5}, {5, 0.25}, {4, 0.125}, {0, 0.125}}, 10);
    const Clip clip = random_clip(rig, {.seed = 74}, kClipFrames);
    const Capture capture = captured(rig, &clip, kClipFrames, name);
    Differences worst;
    for (std::int64_t f = 0; f < kClipFrames; ++f) {
      for (VertexIndex v = 1; v < 10; ++v) {
        const double before = distance(rest(rig, v), rest(rig, 0));
        const double after = distance(capture.exact_at(f, v), capture.exact_at(f, 0));
        worst.exact = std::max(worst.exact, std::fabs(after - before));
      }
    }
    check(method, kKeepsDistances, worst, {1e-12, 1});
  });
}

}  // namespace skinbake
