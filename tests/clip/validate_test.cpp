// The conditions of rigs are tested one by one in tests/rig/validate_test.cpp.

#include "skinbake/clip.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

#include "clip/clip_motion.h"
#include "skinbake/error.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using Numbers = std::vector<double>;

// The code and the message with which `validate` refuses a clip; empty: the clip is valid.
std::string refusal(const std::function<void(Channel&)>& change) {
  const Rig rig = test::tube({});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 1);
  change(clip.channels.front());
  try {
    validate(clip, rig);
  } catch (const Error& error) {
    return error.code() + ": " + error.what();
  }
  return "";
}

void set_times(Channel& channel, Numbers times) {
  channel.times = std::make_shared<const Numbers>(std::move(times));
}

void set_values(Channel& channel, Numbers values) {
  channel.values = std::make_shared<const Numbers>(std::move(values));
}

}  // namespace

TEST_CASE("validate: a rig that is built in code is valid as a whole") {
  CHECK_NOTHROW(validate(test::tube({})));
}

TEST_CASE("validate: a rig's skeleton and mesh are checked with it") {
  const auto code_of = [](const Rig& rig) {
    try {
      validate(rig);
    } catch (const Error& error) {
      return error.code();
    }
    return std::string();
  };
  CHECK(code_of(Rig{}) == "RIG_INVALID");
  Rig rig = test::tube({});
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->triangles.push_back({0, 1, 100000});
  rig.mesh = mesh;
  CHECK(code_of(rig) == "RIG_INVALID");
  rig = test::tube({});
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->order.pop_back();
  rig.skeleton = skeleton;
  CHECK(code_of(rig) == "RIG_INVALID");
}

TEST_CASE("validate: every condition of a clip, one broken at a time") {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.starts_with("CLIP_INVALID") && text.find(part) != std::string::npos;
  };
  CHECK(refusal([](Channel&) {}).empty());
  CHECK(has(refusal([](Channel& c) { c.node = 99; }), "node"));
  CHECK(has(refusal([](Channel& c) { c.node = -1; }), "node"));
  CHECK(has(refusal([](Channel& c) { c.width = 3; }), "width"));
  CHECK(has(refusal([](Channel& c) { c.first_weight = -1; }), "first weight"));
  CHECK(has(refusal([](Channel& c) { c.times = nullptr; }), "needs times and values"));
  CHECK(has(refusal([](Channel& c) { c.values = nullptr; }), "needs times and values"));
  CHECK(has(refusal([](Channel& c) { set_times(c, {}); }), "needs a key"));
  CHECK(has(refusal([](Channel& c) { set_times(c, {1, 0}); }), "descend"));
  CHECK(has(refusal([](Channel& c) {
              set_times(c, {0, std::numeric_limits<double>::quiet_NaN()});
            }),
            "NaN"));
  CHECK(has(refusal([](Channel& c) { set_values(c, {0, 0, 0, 1}); }), "too few"));
  CHECK(has(refusal([](Channel& c) { c.interpolation = Interpolation::kCubicSpline; }), "too few"));
}

TEST_CASE("validate: morph weights of a clip are those of the rig's mesh") {
  Rig rig = test::tube({});
  Clip clip;
  clip.id = "weights";
  clip.duration_s = 1;
  Channel channel;
  channel.node = rig.node;
  channel.path = ChannelPath::kWeights;
  channel.width = 2;
  set_times(channel, {0});
  set_values(channel, {0, 1});
  clip.channels = {channel};
  const auto code_with = [&](int first_weight) {
    clip.channels.front().first_weight = first_weight;
    try {
      validate(clip, rig);
    } catch (const Error& error) {
      return error.code();
    }
    return std::string();
  };
  CHECK(code_with(0) == "CLIP_INVALID");  // the mesh does not have morph targets
  rig.morph_weights = {0, 0};
  CHECK(code_with(0).empty());
  CHECK(code_with(1) == "CLIP_INVALID");
  CHECK(code_with(std::numeric_limits<int>::max()) == "CLIP_INVALID");
}

TEST_CASE("validate: the motion of a clip is one of the rig's skeleton and its morph targets") {
  class Motion : public ClipMotion {
   public:
    const std::vector<NodeIndex>& nodes() const override { return moved; }
    void sample(double, std::span<NodePose>) const override {}
    const std::vector<double>& key_times() const override { return times; }
    std::size_t least_morph_targets(NodeIndex node) const override {
      return node == 0 ? targets : 9;
    }
    std::vector<NodeIndex> moved;
    std::vector<double> times{0};
    std::size_t targets = 0;
  };
  Rig rig = test::tube({});
  rig.node = 0;
  Clip clip;
  clip.id = "face";
  const auto motion = std::make_shared<Motion>();
  clip.motion = motion;
  const auto problem = [&] {
    try {
      validate(clip, rig);
    } catch (const Error& error) {
      CHECK(error.code() == "CLIP_INVALID");
      return std::string(error.what());
    }
    return std::string();
  };
  motion->moved = {static_cast<NodeIndex>(rig.skeleton->nodes.size()) - 1};
  CHECK(problem().empty());
  motion->moved[0] += 1;
  CHECK(problem().find("a node that the rig's skeleton does not have") != std::string::npos);
  motion->moved = {};
  motion->targets = 2;
  CHECK(problem().find("morph targets that the rig's mesh does not") != std::string::npos);
  rig.morph_weights = {0, 0};
  CHECK(problem().empty());
}

TEST_CASE(
    "validate: a clip is refused with a rig without a skeleton, and with an unusable duration") {
  CHECK_THROWS_AS(validate(Clip{}, Rig{}), const Error&);
  const Rig rig = test::tube({});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 1);
  for (const double duration_s : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    clip.duration_s = duration_s;
    CHECK_THROWS_AS(validate(clip, rig), const Error&);
    CHECK(frames_of(clip).frame_count == 1);
  }
}

}  // namespace skinbake
