// Faces over time.

#include "humanoid/motion/face_player.h"

#include <doctest/doctest.h>

#include <cmath>

#include "math/scalar.h"

using namespace skinbake;

namespace {

using Numbers = std::vector<double>;

Channel channel(ChannelPath path, Numbers times, Numbers values) {
  Channel c;
  c.path = path;
  c.width = path == ChannelPath::kRotation ? 4 : 3;
  c.times = std::make_shared<const Numbers>(std::move(times));
  c.values = std::make_shared<const Numbers>(std::move(values));
  return c;
}

Expression moves_target(const char* name, int target) {
  Expression e;
  e.name = name;
  e.binds = {{7, target, 1}};
  return e;
}

Face face_of_four() {
  Face face;
  face.expressions = {moves_target("blinkLeft", 0), moves_target("blinkRight", 1),
                      moves_target("lookLeft", 2), moves_target("lookRight", 3)};
  return face;
}

std::shared_ptr<const PlayableFace> playable(const Face& face) {
  return std::make_shared<const PlayableFace>(face);
}

// Looks to the left by 0 degrees at 0 s and by 40 degrees at 1 s.
Channel look_left() {
  const double half = 20 * std::acos(-1.0) / 180;
  return channel(ChannelPath::kRotation, {0, 1},
                 {0, 0, 0, 1, 0, std::sin(half), 0, std::cos(half)});
}

FaceChannels wink() {
  FaceChannels channels;
  channels.expressions.push_back(
      {"blinkLeft", channel(ChannelPath::kTranslation, {0, 2}, {0, 9, 9, 1, 9, 9})});
  channels.expressions.push_back(
      {"unknown", channel(ChannelPath::kTranslation, {0, 5}, {0, 9, 9, 1, 9, 9})});
  return channels;
}

Numbers morphs_at(const FacePlayer& player, double time_s) {
  Numbers morphs{0.5, 0.5, 0.5, 0.5, 0.5};
  player.sample_morphs(7, time_s, morphs);
  return morphs;
}

class StillHead : public PoseSource {
 public:
  HumanPose pose(double) const override {
    HumanPose pose;
    pose.turns[human_bone_index("neck")] = Quat<double>{0, 1, 0, 0};
    return pose;
  }
  const std::vector<double>& key_times() const override { return times_; }

 private:
  std::vector<double> times_{0.5};
};

class Still : public ClipMotion {
 public:
  const std::vector<NodeIndex>& nodes() const override { return nodes_; }
  void sample(double, std::span<NodePose>) const override {}
  const std::vector<double>& key_times() const override { return times_; }

 private:
  std::vector<NodeIndex> nodes_{3};
  std::vector<double> times_{0.5};
};

}  // namespace

TEST_CASE("face player: an expression has the weight of its driver's translation along x") {
  const FacePlayer player(playable(face_of_four()), wink(), false);
  CHECK(player.drives_expressions());
  CHECK_FALSE(player.turns_eyes());
  CHECK(morphs_at(player, 0.5) == Numbers{0.25, 0, 0, 0, 0.5});
  CHECK(morphs_at(player, 3) == Numbers{1, 0, 0, 0, 0.5});
  CHECK(player.key_times() == Numbers{0, 2});  // not of the expression that the face lacks
  Numbers others{0.5};
  player.sample_morphs(8, 1, others);
  CHECK(others == Numbers{0.5});

  const FacePlayer other_side(playable(face_of_four()), wink(), true);
  CHECK(morphs_at(other_side, 0.5) == Numbers{0, 0.25, 0, 0, 0.5});
}

TEST_CASE("face player: a face that nothing drives stays as it is") {
  FaceChannels channels = wink();
  channels.expressions.erase(channels.expressions.begin());
  channels.look_at = look_left();
  const FacePlayer player(playable(face_of_four()), channels, false);
  CHECK_FALSE(player.drives_expressions());
  CHECK_FALSE(player.turns_eyes());
  CHECK(morphs_at(player, 1) == Numbers{0.5, 0.5, 0.5, 0.5, 0.5});
  CHECK(player.key_times().empty());
}

TEST_CASE("face player: look-at drives expressions") {
  Face face = face_of_four();
  face.look_at.emplace().type = LookType::kExpressions;
  face.look_at->outer = {80, 1};
  FaceChannels channels;
  channels.look_at = look_left();
  const Numbers left = morphs_at(FacePlayer(playable(face), channels, false), 1);
  CHECK(left[2] == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(left[3] == 0);
  const Numbers right = morphs_at(FacePlayer(playable(face), channels, true), 1);
  CHECK(right[2] == 0);
  CHECK(right[3] == doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE("face player: look-at turns the eyes relative to the head") {
  Face face;
  face.look_at.emplace().type = LookType::kBones;
  face.look_at->outer = {80, 20};
  face.look_at->inner = {80, 10};
  FaceChannels channels;
  channels.look_at = look_left();
  auto player = std::make_shared<const FacePlayer>(playable(face), channels, false);
  REQUIRE(player->turns_eyes());
  CHECK_FALSE(player->drives_expressions());
  const LookingPoses poses(std::make_shared<StillHead>(), player);
  CHECK(poses.key_times() == Numbers{0, 0.5, 1});
  const HumanPose pose = poses.pose(1);
  const double five = 5 * std::acos(-1.0) / 180;
  // The head follows the neck, which has half a turn about x.
  const Quat<double> left =
      Quat<double>{0, 1, 0, 0} * Quat<double>{std::cos(five), 0, std::sin(five), 0};
  CHECK(norm(*pose.turns[human_bone_index("leftEye")] - left) < 1e-15);
  CHECK(pose.turns[human_bone_index("rightEye")]);
  CHECK_FALSE(pose.turns[human_bone_index("head")]);
}

TEST_CASE("face player: a motion with a face") {
  const FaceMotion motion(std::make_shared<Still>(),
                          std::make_shared<FacePlayer>(playable(face_of_four()), wink(), false));
  CHECK(motion.nodes() == std::vector<NodeIndex>{3});
  CHECK(motion.key_times() == Numbers{0, 0.5, 2});
  Numbers morphs(5);
  motion.sample_morphs(7, 1, morphs);
  CHECK(morphs == Numbers{0.5, 0, 0, 0, 0});
}
