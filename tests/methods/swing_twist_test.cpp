#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "math/scalar.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/rotations.h"

namespace skinbake {
namespace {

using std::numbers::pi;
using test::about;
using test::captured;
using test::distance;
using test::Local;

// A vertex at (1, 1, 0), half way along a forearm that points up from the origin.
Rig forearm(double weight) {
  std::vector<Node> nodes(3);
  nodes[1].parent = 0;
  nodes[2].parent = 1;
  nodes[2].translation = {0, 2, 0};
  std::vector<Influence> both{{0, 1 - weight}, {1, weight}};
  if (weight > 0.5) std::swap(both[0], both[1]);
  return test::loose({{1, 1, 0}, {0, 2, 0}}, nodes, {both, {{2, 1}}});
}

}  // namespace

TEST_CASE("swing-twist: a forearm follows one and a half turns in both directions") {
  for (const double end : {540.0, -540.0, 1080.0}) {
    // Keys every 90 degrees, so that linear interpolation has a unique direction.
    const Rig rig = forearm(0.25);
    Clip clip;
    std::vector<double> times, values;
    for (int k = 0; k <= 12; ++k) {
      const Quat<double> q = about({0, 1, 0}, end / 180 * pi * k / 12);
      times.push_back(k / 6.0);
      values.insert(values.end(), {q.x, q.y, q.z, q.w});
    }
    clip.channels = {
        test::channel(1, ChannelPath::kRotation, Interpolation::kLinear, times, values, 4)};
    const auto capture = captured(rig, &clip, 61, "jst");
    for (const int frame : {0, 15, 30, 45, 60}) {
      const double angle = 0.25 * end / 180 * pi * frame / 60;
      CHECK(distance(capture.exact_at(frame, 0), {std::cos(angle), 1, -std::sin(angle)}) < 1e-12);
      CHECK(distance(capture.at(frame, 0), {std::cos(angle), 1, -std::sin(angle)}) < 1e-6);
    }
    // A range of frames is tracked from the clip's start too.
    BakePlan plan = test::plan_of(rig, &clip, 0);
    plan.frames = {30, 50, 1, 3};
    const auto part = captured(plan, "jst");
    CHECK(distance(part.at(0, 0), capture.at(50, 0)) == 0);
    CHECK(distance(part.at(2, 0), capture.at(52, 0)) == 0);
  }
}

TEST_CASE("swing-twist: to first order in the angles it is linear blending") {
  const test::RandomShape shape{.seed = 92, .points = 60, .joints = 6};
  const Rig rig = test::random_rig(shape);
  test::Random random(92);
  std::vector<Vec3<double>> axes;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const Vec3<double> a = random.vector(1);
    axes.push_back((1 / norm(a)) * a);
  }
  const auto difference = [&](double angle) {
    std::vector<Local> locals;
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      const Node& node = rig.skeleton->nodes[rig.joints[j].node];
      locals.push_back({node.translation, node.rotation * about(axes[j], angle), node.scale});
    }
    const Clip clip = test::clip_of({locals});
    const auto a = captured(rig, &clip, 1, "jst"), b = captured(rig, &clip, 1, "lbs");
    double worst = 0;
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      worst = std::max(worst, distance(a.exact_at(0, v), b.exact_at(0, v)));
    }
    return worst;
  };
  const double tenth = difference(0.1), hundredth = difference(0.01);
  CHECK(tenth > 1e-4);
  CHECK(tenth < 1e-1);
  CHECK(hundredth < tenth / 80);  // of second order
  CHECK(difference(0.001) < hundredth / 80);
}

TEST_CASE("swing-twist: branches are summed") {
  // A trunk with two branches at one position, and a vertex with weight 1/2 on each. Each branch
  // turns it by half of its rotation, and the displacements are added.
  std::vector<Node> nodes(3);
  nodes[1].parent = nodes[2].parent = 0;
  const Rig rig = test::loose({{1, 0, 0}, {0, 0, 0}}, nodes, {{{1, 0.5}, {2, 0.5}}, {{0, 1}}});
  const Clip clip = test::clip_of(
      {{{{0, 0, 0}}, {{0, 0, 0}, about({0, 0, 1}, 1)}, {{0, 0, 0}, about({0, 1, 0}, 1)}}});
  const auto capture = captured(rig, &clip, 1, "jst");
  const double s = std::sin(0.5), c = std::cos(0.5);
  CHECK(distance(capture.exact_at(0, 0), {1 + 2 * (c - 1), s, -s}) < 1e-14);
}

TEST_CASE("swing-twist: beta blends swings linearly") {
  const Rig rig = forearm(0.5);
  const Clip clip = test::clip_of({{{{0, 0, 0}}, {{0, 0, 0}, about({0, 0, 1}, 1)}, {{0, 2, 0}}}});
  const auto round = captured(rig, &clip, 1, "jst").exact_at(0, 0);
  const auto linear = captured(rig, &clip, 1, "jst:beta=1").exact_at(0, 0);
  const auto between = captured(rig, &clip, 1, "jst:beta=0.25").exact_at(0, 0);
  CHECK(distance(linear, captured(rig, &clip, 1, "lbs").exact_at(0, 0)) < 1e-14);
  CHECK(distance(between, 0.75 * round + 0.25 * linear) < 1e-14);
}

TEST_CASE("swing-twist: a squash of the whole rig squashes the result") {
  // The joints stretch by up to 3 %. A node above them, which is not a joint, is squashed in the
  // second frame.
  const test::RandomShape shape{.seed = 93, .points = 60, .joints = 6};
  Rig rig = test::random_rig(shape);
  test::Random random(93);
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  const auto top = static_cast<NodeIndex>(skeleton->nodes.size());
  skeleton->nodes[0].parent = top;
  skeleton->nodes.emplace_back();
  skeleton->order.insert(skeleton->order.begin(), top);
  rig.skeleton = skeleton;
  std::vector<Local> still, squashed;
  for (const Joint& joint : rig.joints) {
    const Node& node = skeleton->nodes[joint.node];
    const auto stretch = [&] { return random.between(0.97, 1.03); };
    const Vec3<double> axis = random.vector(1);
    const Quat<double> turn = about((1 / norm(axis)) * axis, random.between(-2, 2));
    still.push_back({node.translation, node.rotation * turn, {stretch(), stretch(), stretch()}});
  }
  still.push_back({});  // the mesh's node
  squashed = still;
  still.push_back({});
  squashed.push_back({{0, 0, 0}, {1, 0, 0, 0}, {1.25, 0.5, 1}});
  const Clip clip = test::clip_of({still, squashed});
  for (const char* method : {"jst", "jst:beta=0.5"}) {
    const auto capture = captured(rig, &clip, 2, method);
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      const Vec3<double> p = capture.exact_at(0, v);
      CHECK(distance(capture.exact_at(1, v), {1.25 * p.x, 0.5 * p.y, p.z}) < 1e-12);
      CHECK(distance(capture.at(1, v), capture.exact_at(1, v)) < 1e-5);
    }
  }
}

TEST_CASE("swing-twist: below a joint without size stretches are blended first") {
  // The middle joint is scaled to nothing, and with it the last one. Both have the rotation of the
  // first joint. Vertices are drawn to the joints' heads by their weights.
  std::vector<Node> nodes(3);
  nodes[1].parent = 0, nodes[1].translation = {0, 1, 0};
  nodes[2].parent = 1, nodes[2].translation = {0, 1, 0};
  const Rig rig = test::loose({{0.5, 1, 0}, {0.5, 2, 0}, {0, 0, 0}}, nodes,
                              {{{0, 0.5}, {1, 0.5}}, {{1, 0.5}, {2, 0.5}}, {{0, 1}}});
  const Clip clip =
      test::clip_of({{{{0, 0, 0}}, {{0, 1, 0}, about({0, 0, 1}, 1), {0, 0, 0}}, {{0, 1, 0}}}});
  const auto capture = captured(rig, &clip, 1, "jst");
  CHECK(distance(capture.exact_at(0, 0), {0.25, 1, 0}) < 1e-12);
  CHECK(distance(capture.exact_at(0, 1), {0, 1, 0}) < 1e-12);
}

}  // namespace skinbake
