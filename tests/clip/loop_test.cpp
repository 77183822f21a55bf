// Whether clips end as they begin: closed forms.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "skinbake/clip.h"
#include "support/rigs.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

// Three joints without rotation at 0, 1 and 2 m on the y axis; the middle one moves two points that
// are 2 m apart along x.
struct Bar {
  Rig rig = loose({{-1, 1, 0}, {1, 1, 0}, {0, 0, 0}, {0, 3, 0}}, nodes(),
                  {{{1, 1.0}}, {{1, 0.6}, {0, 0.4}}, {{0, 1.0}}, {{2, 1.0}}});

  static std::vector<Node> nodes() {
    std::vector<Node> nodes(3);
    for (NodeIndex n = 1; n < 3; ++n) {
      nodes[static_cast<std::size_t>(n)].parent = n - 1;
      nodes[static_cast<std::size_t>(n)].translation = {0, 1, 0};
    }
    nodes[1].name = "middle";
    return nodes;
  }

  PoseGap gap(const Clip& clip) const {
    const Rig* rigs[] = {&rig};
    return pose_gaps(rigs, clip, 0, clip.duration_s).at(0);
  }
  Issues loop(const Clip& clip, double fps = 30) const {
    const Rig* rigs[] = {&rig};
    return loop_issues(rigs, clip, fps, "a.glb");
  }
};

Clip clip_of(Channel moved) {
  Clip clip;
  clip.id = "run";
  clip.duration_s = moved.times->back();
  clip.channels.push_back(std::move(moved));
  return clip;
}

}  // namespace

TEST_CASE("loop: a clip that returns to its first pose does not have a gap") {
  const Bar bar;
  const Clip clip = clip_of(channel(1, ChannelPath::kTranslation, Interpolation::kLinear,
                                    {0, 0.5, 1}, {0, 1, 0, 5, 5, 5, 0, 1, 0}, 3));
  const PoseGap gap = bar.gap(clip);
  REQUIRE(gap.rig == &bar.rig);
  CHECK(gap.metres == 0);
  CHECK(gap.relative == 0);
  CHECK(bar.loop(clip).empty());
}

TEST_CASE("loop: a joint that ends turned about itself moves the corners of its vertices") {
  const Bar bar;
  // A half turn about y exchanges the two points, which are 2 m apart.
  const Clip clip = clip_of(channel(1, ChannelPath::kRotation, Interpolation::kLinear, {0, 1},
                                    {0, 0, 0, 1, 0, 1, 0, 0}, 4));
  const PoseGap gap = bar.gap(clip);
  CHECK(gap.joint == "middle");
  CHECK(gap.metres == doctest::Approx(2));
  CHECK(gap.relative == doctest::Approx(2 / std::sqrt(4.0 + 9.0)));
  const Issues issues = bar.loop(clip);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].code == "LOOP_OPEN");
  CHECK(issues[0].file == "a.glb");
  CHECK(issues[0].message.find("frame 30 does not repeat frame 0; joint 'middle'") !=
        std::string::npos);
  CHECK(issues[0].message.find("2 m, 55.5 % of the diagonal") != std::string::npos);
}

TEST_CASE("loop: the warning is about the last frame, the gap about the last key") {
  const Bar bar;
  const Clip clip = clip_of(channel(2, ChannelPath::kTranslation, Interpolation::kLinear, {0, 0.9},
                                    {0, 1, 0, 0, 10, 0}, 3));
  CHECK(bar.gap(clip).metres == doctest::Approx(9));
  CHECK(bar.loop(clip, 2).at(0).message.find("by up to 5 m") != std::string::npos);
  CHECK(bar.loop(clip, 10).at(0).message.find("by up to 9 m") != std::string::npos);
}

TEST_CASE("loop: each mesh has its gap, and the warning names the one that is relatively larger") {
  Bar large, small;
  large.rig.id = "large";
  small.rig.id = "small";
  for (auto [bar, scale] : {std::pair{&large, 100.0F}, {&small, 1.0F}}) {
    auto mesh = std::make_shared<Mesh>(*bar->rig.mesh);
    for (float& x : mesh->positions) x *= scale;
    bar->rig.mesh = std::move(mesh);
  }
  // A half turn about y: 200 m and 2 m, relative to diagonals of sqrt(13) times the scale.
  const Clip turn = clip_of(channel(1, ChannelPath::kRotation, Interpolation::kLinear, {0, 1},
                                    {0, 0, 0, 1, 0, 1, 0, 0}, 4));
  const Rig* rigs[] = {&small.rig, &large.rig};
  const std::vector<PoseGap> gaps = pose_gaps(rigs, turn, 0, 1);
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0].metres == doctest::Approx(2));
  CHECK(gaps[1].metres == doctest::Approx(200));
  // A move by 1 m is small for the large mesh.
  const Clip move = clip_of(
      channel(1, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1}, {0, 1, 0, 0, 2, 0}, 3));
  const Issues issues = loop_issues(rigs, move, 30, "a.glb");
  CHECK(issues.at(0).message.find("of mesh 'small'") != std::string::npos);
}

TEST_CASE("loop: of several open meshes, the warning names the one that moves farthest") {
  Bar large, small;
  large.rig.id = "large";
  small.rig.id = "small";
  auto mesh = std::make_shared<Mesh>(*large.rig.mesh);
  for (float& x : mesh->positions) x *= 100;
  large.rig.mesh = std::move(mesh);
  // 2 m of the small mesh, and 200 m of the large one, whose part that stays is 1 % smaller.
  const Clip turn = clip_of(channel(1, ChannelPath::kRotation, Interpolation::kLinear, {0, 1},
                                    {0, 0, 0, 1, 0, 1, 0, 0}, 4));
  for (const auto& rigs :
       {std::array{&small.rig, &large.rig}, std::array{&large.rig, &small.rig}}) {
    const std::vector<const Rig*> listed(rigs.begin(), rigs.end());
    const Issues issues = loop_issues(listed, turn, 30, "a.glb");
    CHECK(issues.at(0).message.find("of mesh 'large' moves its vertices by up to 200 m") !=
          std::string::npos);
  }
}

TEST_CASE("loop: the end of the clip counts too if it is between frames") {
  const Bar bar;
  const auto jump = [](double end_s) {
    return clip_of(channel(2, ChannelPath::kTranslation, Interpolation::kStep, {0, 0.5, end_s},
                           {0, 1, 0, 0, 1, 0, 0, 6, 0}, 3));
  };
  CHECK(bar.loop(jump(0.55), 10)
            .at(0)
            .message.find("the end at 0.55 s does not repeat frame 0; joint '#2' of mesh") !=
        std::string::npos);
  CHECK(bar.loop(jump(0.55), 20).at(0).message.find("frame 11 does not repeat frame 0") !=
        std::string::npos);
  // Within a thousandth of a frame, the end is the last frame.
  CHECK(bar.loop(jump(0.60005), 10).at(0).message.find("frame 6 does not repeat frame 0") !=
        std::string::npos);
  CHECK(bar.loop(jump(0.55), 1).empty());  // one frame
}

TEST_CASE("end: the rate is the nearest one with a frame at the end of every clip of the run") {
  const Bar bar;
  const Rig* rigs[] = {&bar.rig};
  const auto of_length = [](double end_s) {
    return clip_of(channel(2, ChannelPath::kTranslation, Interpolation::kLinear, {0, end_s},
                           {0, 1, 0, 0, 6, 0}, 3));
  };
  const auto text = [&](const Clip& clip, double fps, std::vector<const Clip*> together) {
    const FrameRange frames = frames_of(clip, fps);
    return end_issues(rigs, clip, frames, "a.glb", together).at(0).message;
  };
  const auto ends_with = [](const std::string& message, const std::string& end) {
    return message.ends_with(end);
  };
  const Clip film = of_length(25.0 / 24), video = of_length(31.0 / 30), odd = of_length(0.4321);
  CHECK(ends_with(text(film, 30, {}), "; at 24 fps there is a frame"));
  CHECK(ends_with(text(film, 30, {&film}), "; at 24 fps there is a frame"));
  CHECK(
      ends_with(text(of_length(301 * 1.001 / 30), 30, {}), "; at 30000/1001 fps there is a frame"));
  CHECK(ends_with(text(film, 30, {&film, nullptr, &video}),
                  "; at 120 fps every clip of the run has a frame at its end"));
  CHECK(ends_with(text(film, 30, {&odd, &film}),
                  "; at 24 fps there is a frame, but not at the end of every clip of the run"));
}

TEST_CASE("end: frames that end before the clip lose the rest of it") {
  const Bar bar;
  const Rig* rigs[] = {&bar.rig};
  const Clip clip = clip_of(channel(2, ChannelPath::kTranslation, Interpolation::kLinear, {0, 0.55},
                                    {0, 1, 0, 0, 6.5, 0}, 3));
  const Issues issues = end_issues(rigs, clip, {10, 0, 1, 6}, "a.glb");
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].code == "CLIP_END_BETWEEN_FRAMES");
  CHECK(issues[0].severity == Severity::kWarning);
  CHECK(issues[0].message ==
        "clip 'run' ends at 0.55 s, 0.05 s after its last frame, 5 at 10 fps; until then joint "
        "'#2' of mesh '" +
            bar.rig.id + "' moves its vertices by up to 0.5 m; at 60 fps there is a frame");
  CHECK(end_issues(rigs, clip, {10, 0, 1, 5}, "").empty());  // leave out the last frame
  CHECK(end_issues(rigs, clip, {1, 0, 1, 1}, "").empty());   // a single frame
  CHECK(end_issues(rigs, clip, {60, 0, 1, 34}, "").empty());
  CHECK(end_issues({}, clip, {10, 0, 1, 6}, "").at(0).message.find("until") == std::string::npos);
}

TEST_CASE("loop: differences below a thousandth of the diagonal are rounding") {
  const Bar bar;
  for (const double metres : {0.003, 0.004}) {
    const Clip clip = clip_of(channel(2, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1},
                                      {0, 1, 0, metres, 1, 0}, 3));
    CHECK(bar.loop(clip).empty() == (metres < 0.0036));
  }
}

TEST_CASE("loop: the diagonal is that of the posed mesh, which a scale of the rig changes too") {
  Bar bar;
  auto skeleton = std::make_shared<Skeleton>(*bar.rig.skeleton);
  skeleton->nodes[0].scale = {0.01, 0.01, 0.01};
  bar.rig.skeleton = skeleton;
  const Clip clip = clip_of(channel(1, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1},
                                    {0, 1, 0, 0, 1.5, 0}, 3));
  const PoseGap gap = bar.gap(clip);
  CHECK(gap.metres == doctest::Approx(0.005));
  CHECK(gap.relative == doctest::Approx(0.5 / std::sqrt(13.0)));
}

TEST_CASE("loop: a pose that turns the mesh does not change its diagonal") {
  Bar bar;
  auto skeleton = std::make_shared<Skeleton>(*bar.rig.skeleton);
  skeleton->nodes[0].rotation = {std::cos(0.6), 0, 0, std::sin(0.6)};
  bar.rig.skeleton = skeleton;
  const Clip clip = clip_of(channel(1, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1},
                                    {0, 1, 0, 0, 1.5, 0}, 3));
  const double c = std::cos(1.2), s = std::sin(1.2);  // of the points at (±1, 1), (0, 0), (0, 3)
  const double width = std::max(0.0, c - s) - std::min(-c - s, -3 * s);
  const double height = std::max(c + s, 3 * c) - std::min(0.0, c - s);
  CHECK(bar.gap(clip).relative ==
        doctest::Approx(0.5 / std::sqrt(width * width + height * height)));
}

TEST_CASE("loop: a mesh of one point has a gap in metres alone") {
  Bar bar;
  auto mesh = std::make_shared<Mesh>(*bar.rig.mesh);
  for (std::size_t i = 0; i < mesh->positions.size(); ++i) {
    mesh->positions[i] = i % 3 == 1 ? 1.0F : 0.0F;
  }
  bar.rig.mesh = mesh;
  const Clip clip = clip_of(channel(0, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1},
                                    {0, 0, 0, 0, 0.5, 0}, 3));
  const Issues issues = bar.loop(clip);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].message.ends_with("its vertices by up to 0.5 m"));
}

TEST_CASE("loop: a vertex that only morph targets move leaves the loop open") {
  Bar bar;
  auto mesh = std::make_shared<Mesh>(*bar.rig.mesh);
  mesh->morph_targets = {{{0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0}, {}, {}},
                         {{0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1}, {}, {}}};
  bar.rig.mesh = std::move(mesh);
  bar.rig.morph_weights = {0, 0};
  bar.rig.node = 0;
  const auto weights = [&](std::vector<double> keys) {
    return clip_of(
        channel(0, ChannelPath::kWeights, Interpolation::kLinear, {0, 0.5, 1}, std::move(keys), 2));
  };
  CHECK(bar.gap(weights({0, 0, 1, 1, 0, 0})).metres == 0);
  const Clip open = weights({0, 0, 1, 1, 0.5, 0.5});
  const PoseGap gap = bar.gap(open);
  CHECK(gap.joint == "");
  CHECK(gap.metres == doctest::Approx(2.5));  // half of 3 m along x and of 4 m along y
  CHECK(gap.relative == doctest::Approx(2.5 / std::sqrt(4.0 + 9.0)));
  const Issues issues = bar.loop(open);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].message.find("the morph targets of mesh '" + bar.rig.id +
                               "' move its vertices by up to 2.5 m") != std::string::npos);
}

TEST_CASE("loop: of a joint and morph targets the one that moves vertices farther is named") {
  Bar bar;
  auto mesh = std::make_shared<Mesh>(*bar.rig.mesh);
  mesh->morph_targets = {{std::vector<float>(12, 1), {}, {}}};
  bar.rig.mesh = std::move(mesh);
  bar.rig.morph_weights = {0};
  bar.rig.node = 0;
  for (const double metres : {1.0, 2.0}) {  // the morph target moves all vertices by 1.73 m
    Clip clip = clip_of(channel(1, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1},
                                {0, 1, 0, metres, 1, 0}, 3));
    clip.channels.push_back(
        channel(0, ChannelPath::kWeights, Interpolation::kLinear, {0, 1}, {0, 1}, 1));
    CHECK((bar.gap(clip).joint == "") == (metres < 1.7));
  }
}
