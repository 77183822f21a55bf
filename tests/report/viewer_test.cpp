#include "report/viewer/viewer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "clip/clip_motion.h"
#include "report/viewer/data.h"
#include "skinbake/error.h"
#include "support/capture.h"
#include "support/rigs.h"
#include "support/targets.h"

namespace skinbake {
namespace {

constexpr std::int64_t kFrames = 37;  // two blocks and a part of one

// A bent tube of several tiles, by two methods.
struct Bent {
  Rig rig = test::tube({.rings = 30, .segments = 20});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, std::numbers::pi / 2);
  BakePlan plan = test::plan_of(rig, &clip, kFrames);

  ViewFrames recorded(std::int64_t stride, Reference reference = {}, int threads = 1) {
    plan.reference = reference;
    plan.threads = threads;
    const auto recorder =
        record_view(rig, plan.frames, stride, reference.kind != Reference::Kind::kNone);
    plan.runs = {{parse_method("dqs"), {recorder.get()}}};
    bake(plan);
    return recorder->take();
  }
};

Reference linear() {
  return {Reference::Kind::kMethod, parse_method("lbs")};
}

// A position, decoded as the viewer decodes it.
double decoded(const ViewFrames& frames, std::size_t frame, std::size_t number,
               std::size_t vertices) {
  const float* box = frames.boxes.data() + frame * 6;
  const std::size_t axis = number % 3;
  return double{box[axis]} + frames.positions[frame * vertices * 3 + number] *
                                 (double{box[axis + 3]} - double{box[axis]}) / 65535;
}

double distance(const test::Capture& capture, std::int64_t frame, VertexIndex v) {
  const Vec3<double> a = capture.at(frame, v), b = capture.reference_at(frame, v);
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

TEST_CASE("viewer: positions are within half a step of their frame's box") {
  Bent bent;
  const ViewFrames frames = bent.recorded(1);
  const test::Capture exact = test::captured(bent.rig, &bent.clip, kFrames, "dqs");
  const std::size_t vertices = bent.rig.mesh->vertex_count();
  REQUIRE(frames.positions.size() == kFrames * vertices * 3);
  REQUIRE(frames.errors.empty());
  double worst = 0;
  for (std::size_t f = 0; f < kFrames; ++f) {
    for (std::size_t n = 0; n < vertices * 3; ++n) {
      const double step =
          (double{frames.boxes[f * 6 + 3 + n % 3]} - frames.boxes[f * 6 + n % 3]) / 65535;
      const double error =
          std::abs(decoded(frames, f, n, vertices) - exact.positions[f * vertices * 3 + n]);
      worst = std::max(worst, step > 0 ? error / step : error);
    }
  }
  CHECK(worst <= 0.5 + 1e-9);
  CHECK(worst > 0.25);  // the bound is tight
}

TEST_CASE("viewer: errors are within half a 255th of their frame's largest") {
  Bent bent;
  const ViewFrames frames = bent.recorded(1, linear());
  test::Capture truth(bent.rig);
  bent.plan.runs = {{parse_method("dqs"), {&truth}}};
  bake(bent.plan);
  const std::size_t vertices = bent.rig.mesh->vertex_count();
  std::vector<double> worst(vertices);
  for (std::size_t f = 0; f < kFrames; ++f) {
    double largest = 0, off = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
      const double error =
          distance(truth, static_cast<std::int64_t>(f), static_cast<VertexIndex>(v));
      largest = std::max(largest, error);
      worst[v] = std::max(worst[v], error);
      off = std::max(
          off, std::abs(frames.errors[f * vertices + v] / 255.0 * frames.largest_m[f] - error));
    }
    CHECK(frames.largest_m[f] == doctest::Approx(largest).epsilon(1e-6));
    CHECK(off <= largest * (0.5 / 255 + 1e-6));
  }
  for (std::size_t v = 0; v < vertices; ++v) {
    CHECK(frames.worst_m[v] == doctest::Approx(worst[v]).epsilon(1e-6));
  }
  CHECK(*std::max_element(frames.worst_m.begin(), frames.worst_m.end()) > 0.01);
}

TEST_CASE("viewer: the joints of all meshes are on the page once, and move with the clip") {
  const Rig rig = test::tube({.rings = 9, .segments = 8, .joints = 3});
  Rig other = rig;
  other.id = "other";
  const std::vector<const Rig*> rigs{&rig, &other};
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, std::numbers::pi / 2);
  const ViewSkeleton skeleton = view_skeleton(rigs, &clip, {30, 0, 15, 3}, Space::kScene);
  REQUIRE(skeleton.joints.size() == 3);
  CHECK(skeleton.parents == std::vector<int>{-1, 0, 1});
  REQUIRE(skeleton.positions.size() == std::size_t{3} * 3 * 3);
  const auto segment = [&](std::size_t frame) {  // from the second joint to the third
    const float* from = skeleton.positions.data() + (frame * 3 + 1) * 3;
    return Vec3<double>{double{from[3]} - from[0], double{from[4]} - from[1],
                        double{from[5]} - from[2]};
  };
  // Each joint turns by a half of 90 degrees, evenly.
  const Vec3<double> rest = segment(0);
  for (std::size_t frame = 0; frame < 3; ++frame) {
    const Vec3<double> now = segment(frame);
    const double length = rest.x * rest.x + rest.y * rest.y + rest.z * rest.z;
    CHECK((rest.x * now.x + rest.y * now.y + rest.z * now.z) / length ==
          doctest::Approx(std::cos(static_cast<double>(frame) * std::numbers::pi / 8)));
  }
  CHECK(view_skeleton(rigs, &clip, {30, 0, 15, 3}, Space::kMesh).joints.empty());
}

TEST_CASE("viewer: a method that is its own reference does not have errors") {
  Bent bent;
  const ViewFrames frames = bent.recorded(1, {Reference::Kind::kMethod, parse_method("dqs")});
  CHECK(std::all_of(frames.errors.begin(), frames.errors.end(), [](int e) { return e == 0; }));
  CHECK(std::all_of(frames.worst_m.begin(), frames.worst_m.end(), [](float e) { return e == 0; }));
}

TEST_CASE("viewer: a stride keeps frames unchanged, and the largest errors of all frames") {
  Bent bent;
  const ViewFrames all = bent.recorded(1, linear()), some = bent.recorded(5, linear());
  const std::size_t row = bent.rig.mesh->vertex_count() * 3;
  REQUIRE(some.positions.size() == 8 * row);  // 0, 5, … 35
  for (std::size_t k = 0; k < 8; ++k) {
    CHECK(std::equal(some.positions.begin() + static_cast<std::ptrdiff_t>(k * row),
                     some.positions.begin() + static_cast<std::ptrdiff_t>((k + 1) * row),
                     all.positions.begin() + static_cast<std::ptrdiff_t>(5 * k * row)));
    CHECK(some.largest_m[k] == all.largest_m[5 * k]);
  }
  CHECK(some.worst_m == all.worst_m);
}

TEST_CASE("viewer: every instruction set and thread count gives the same frames") {
  Bent bent;
  const ViewFrames expected = bent.recorded(2, linear());
  test::for_each_simd_target([&](std::string_view) {
    for (const int threads : {1, 3}) {
      const ViewFrames frames = bent.recorded(2, linear(), threads);
      CHECK(frames.boxes == expected.boxes);
      CHECK(frames.positions == expected.positions);
      CHECK(frames.largest_m == expected.largest_m);
      CHECK(frames.errors == expected.errors);
      CHECK(frames.worst_m == expected.worst_m);
    }
  });
}

TEST_CASE("viewer: a thinned range keeps its first frame and multiplies its step") {
  const FrameRange frames{24, 3, 2, 10};
  const auto check = [&](std::int64_t stride, std::int64_t step, std::int64_t count) {
    const FrameRange kept = thinned(frames, stride);
    CHECK(kept.fps == 24);
    CHECK(kept.first_frame == 3);
    CHECK(kept.frame_step == step);
    CHECK(kept.frame_count == count);
  };
  check(1, 2, 10);
  check(3, 6, 4);
  check(9, 18, 2);
  check(10, 1, 1);
  check(std::numeric_limits<std::int64_t>::max(), 1, 1);
}

// Bytes of a page: of the mesh, of a run without frames, of one frame of a run, and of the joints
// in a frame, which all runs share.
struct PageBytes {
  explicit PageBytes(const Rig& rig) : vertices(rig.mesh->vertex_count()) {
    mesh = static_cast<double>(rig.mesh->triangles.size()) * 12 + vertices * 6 + 24;
    joints = static_cast<double>(rig.joints.size()) * 12;
  }
  double run() const { return vertices * 4; }
  double frame() const { return vertices * 7 + 28; }

  double vertices, mesh, joints;
};

TEST_CASE("viewer: strides are the smallest that keep a page within its limit") {
  using Strides = std::vector<std::int64_t>;
  const Rig rig = test::tube({});
  const PageBytes bytes(rig);
  const std::vector<ViewDemand> clip{{100, {&rig, &rig}}};
  const auto most = [&](double frames) {
    return static_cast<std::uint64_t>(bytes.mesh + 2 * (bytes.run() + bytes.frame() * frames) +
                                      bytes.joints * frames);
  };
  CHECK(view_strides(clip) == Strides{1});
  CHECK(view_strides(clip, most(100)) == Strides{1});
  CHECK(view_strides(clip, most(99.5)) == Strides{2});
  CHECK(view_strides(clip, most(50)) == Strides{2});
  CHECK(view_strides(clip, most(34)) == Strides{3});
  CHECK(view_strides(clip, most(33.5)) == Strides{4});
  CHECK(view_strides(clip, most(1)) == Strides{100});
  try {
    view_strides(clip, most(0.5));
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.code() == "VIEW_TOO_LARGE");
  }
  CHECK(view_strides({}) == Strides{});
}

TEST_CASE("viewer: each clip has its own stride, and a mesh is counted once") {
  using Strides = std::vector<std::int64_t>;
  const Rig rig = test::tube({}), other = test::tube({.rings = 5});
  const PageBytes bytes(rig), others(other);
  const std::vector<ViewDemand> clips{
      {10, {&rig, &other}}, {1000, {&rig, &other}}, {60, {&rig, &other}}};
  const auto most = [&](double frames) {
    return static_cast<std::uint64_t>(
        bytes.mesh + others.mesh + 3 * (bytes.run() + others.run()) +
        frames * (bytes.frame() + bytes.joints + others.frame() + others.joints));
  };
  CHECK(view_strides(clips, most(1070)) == Strides{1, 1, 1});
  CHECK(view_strides(clips, most(1069)) == Strides{1, 2, 1});
  CHECK(view_strides(clips, most(10 + 100 + 60)) == Strides{1, 10, 1});
  CHECK(view_strides(clips, most(10 + 50 + 30)) == Strides{1, 20, 2});
  CHECK(view_strides(clips, most(3)) == Strides{10, 1000, 60});
  CHECK_THROWS_AS(view_strides(clips, most(2.5)), Error);
}

TEST_CASE("viewer: the data are JSON without tags, whatever the names") {
  Bent bent;
  bent.rig.id = "</script><!--";
  View view;
  view.meshes = {&bent.rig};
  view.reference = "<b>";
  view.clips.push_back({"", bent.plan.frames, thinned(bent.plan.frames, 2), {}});
  view.clips.front().runs.push_back({0, "dqs", bent.recorded(2, linear())});
  view.clips.front().poses = {{0, "<i>"}, {4, ""}};
  const std::string text = view_data(view);
  CHECK(text.find('<') == std::string::npos);
  const nlohmann::json data = nlohmann::json::parse(text);
  CHECK(data["meshes"][0]["id"] == "</script><!--");
  CHECK(data["meshes"][0]["triangles"].get<std::string>().size() ==
        bent.rig.mesh->triangles.size() * 16);  // base64 of 12 bytes
  const nlohmann::json& clip = data["clips"][0];
  CHECK(clip["id"].is_null());
  CHECK(clip["poses"] == nlohmann::json::array({{0, "<i>"}, {4, ""}}));
  CHECK(clip["frame_step"] == 2);
  CHECK(clip["frame_count"] == 19);
  const std::string note = clip["note"];
  CHECK(note.starts_with("frames 0 to 36 in steps of 2 (19 of 37 frames), which"));
  CHECK(note.ends_with("against <b>"));
  CHECK(clip["runs"][0]["positions"].get<std::string>().size() ==
        19 * bent.rig.mesh->vertex_count() * 8);
}

// Two names that change after a second, and none in the third one.
class Named final : public ClipMotion {
 public:
  const std::vector<NodeIndex>& nodes() const override { return nodes_; }
  void sample(double, std::span<NodePose>) const override {}
  std::string pose_name(double time_s) const override {
    return time_s < 1 ? "up" : time_s < 2 ? "do\x1bwn" : "";
  }
  const std::vector<double>& key_times() const override { return times_; }

 private:
  std::vector<NodeIndex> nodes_;
  std::vector<double> times_{0};
};

TEST_CASE("viewer: a name of a pose is stored once for the frames that have it") {
  Clip clip;
  clip.motion = std::make_shared<const Named>();
  const auto poses = view_poses(&clip, {2, 0, 1, 7});  // a frame each half second
  REQUIRE(poses.size() == 3);
  CHECK(poses[0].first == 0);
  CHECK(poses[0].name == "up");
  CHECK(poses[1].first == 2);
  CHECK(poses[1].name == "do\uFFFDwn");  // printable
  CHECK(poses[2].first == 4);
  CHECK(poses[2].name == "");
  CHECK(view_poses(nullptr, {2, 0, 1, 7}).empty());
}

}  // namespace
}  // namespace skinbake
