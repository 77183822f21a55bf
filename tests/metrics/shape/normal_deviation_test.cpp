// Most tests run `bake`, which computes the skinned normals.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "metrics/measure.h"
#include "metrics/shape/shape_metric.h"
#include "support/capture.h"
#include "support/normal_rigs.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/rotations.h"

namespace skinbake {

extern const MetricInfo kNormalDeviation;
namespace {

using namespace test;

constexpr const char* kFrames[] = {"per_frame.mean", "per_frame.p95", "per_frame.max"};
constexpr const char* kBind[] = {"bind.mean", "bind.p95", "bind.max"};

MetricResult deviation(const Rig& rig, const Clip& clip, int frames = 1, const char* method = "lbs",
                       Space space = Space::kScene) {
  const BaselinePose baseline = bind_baseline(rig);
  const Topology topology = build_topology(rig, baseline);
  BakePlan plan = plan_of(rig, &clip, frames);
  plan.space = space;
  const auto metric = kNormalDeviation.make(
      {&rig, &clip, plan.frames, space, &baseline, [&]() -> const Topology& { return topology; }});
  plan.runs = {{parse_method(method), {metric.get()}}};
  bake(plan);
  return metric->result();
}

// The coordinates as a mesh stores them.
std::vector<float> floats_of(const Points& points) {
  std::vector<float> floats;
  for (const Vec3<double>& p : points) {
    for (const double x : {p.x, p.y, p.z}) floats.push_back(static_cast<float>(x));
  }
  return floats;
}

// A cube about the origin whose sides have separate vertices. Sharp: normals are those of the
// sides; otherwise those of the corners, as on a round surface.
enum class CubeEdges { kSharp, kRound };
Rig split_cube(CubeEdges edges) {
  const Surface whole = cube({-1, -1, -1}, 2);
  Surface split;
  Points normals;
  for (std::size_t t = 0; t < whole.triangles.size(); ++t) {
    const auto at = [&](std::size_t corner) { return whole.points[whole.triangles[t][corner]]; };
    const Vec3<double> a = at(0), sum{a.x + at(1).x + at(2).x, a.y + at(1).y + at(2).y,
                                      a.z + at(1).z + at(2).z};
    const auto part = [](double x) { return std::abs(x) == 3 ? x / 3 : 0; };
    std::array<VertexIndex, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      corners[c] = static_cast<VertexIndex>(split.points.size());
      split.points.push_back(at(c));
      const double k = std::sqrt(1.0 / 3);
      normals.push_back(edges == CubeEdges::kSharp
                            ? Vec3<double>{part(sum.x), part(sum.y), part(sum.z)}
                            : Vec3<double>{k * at(c).x, k * at(c).y, k * at(c).z});
    }
    split.triangles.push_back(corners);
  }
  return with_normals(rigid(split), floats_of(normals));
}

// A strip of squares in the plane z = 0, from x = 0 to 1, with linear weights of two joints.
Rig strip(int squares) {
  Surface surface;
  Weights weights;
  for (int i = 0; i <= squares; ++i) {
    const double w = static_cast<double>(i) / squares;
    for (const double y : {0.0, 1.0}) {
      surface.points.push_back({w, y, 0});
      weights.push_back(w > 0.5 ? std::vector<Influence>{{1, w}, {0, 1 - w}}
                                : std::vector<Influence>{{0, 1 - w}, {1, w}});
    }
    const auto a = static_cast<VertexIndex>(2 * i);
    if (i == squares) break;
    surface.triangles.push_back({a, a + 2, a + 3});
    surface.triangles.push_back({a, a + 3, a + 1});
  }
  return with_normals(chained(surface, 2, weights),
                      floats_of(Points(surface.points.size(), {0, 0, 1})));
}

// Stores whole blocks, as metrics consume them.
class WholeBlocks final : public FrameSink {
 public:
  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }
  bool needs_whole_block() const override { return true; }
  void consume(const FrameBlock&, BlockState&) override {}
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock& block, BlockState&) override {
    const std::size_t count = block.vertices.count * std::size_t{3 * kFramesPerBlock};
    positions.insert(positions.end(), block.positions, block.positions + count);
  }

  std::vector<float> positions;
};

bool has_issue(const MetricResult& result) {
  return std::any_of(result.issues.begin(), result.issues.end(),
                     [](const Issue& issue) { return issue.code == "NO_NORMALS"; });
}

}  // namespace

TEST_CASE("normal deviation: skinned normals do not follow a slope caused by weights") {
  // Both joints only translate: z = h x, and every skinned normal is (0, 0, 1).
  const Rig rig = strip(8);
  const double heights[] = {0, 0.5, -1, 2};
  std::vector<std::vector<Local>> frames;
  for (const double h : heights) frames.push_back({{}, {{0, 0, h}}});
  const MetricResult r = deviation(rig, clip_of(frames), 4);
  for (std::size_t f = 0; f < 4; ++f) {
    for (const char* key : kFrames) {
      CAPTURE(key);
      CHECK(std::abs(numbers(r, key)[f] - std::atan(std::abs(heights[f]))) < 1e-6);
    }
  }
  CHECK(number(r, "max") == numbers(r, "per_frame.max")[3]);
  CHECK(place(r, "max_at").frame == 3);
  CHECK(double(place(r, "max_at").vertex) == numbers(r, "per_frame.max_vertex")[3]);
}

TEST_CASE("normal deviation: a twisted tube deviates by the slope of its waist") {
  // Linear weights w along the axis, twisted by a quarter turn: the radius is
  // R s with s^2 = 1 - 2 w (1 - w), and the surface, but not its normals, is inclined by
  // atan(R s' / H).
  constexpr int kSegments = 24, kRings = 65;
  constexpr double kRadius = 0.5, kHeight = 2;
  const Surface tube = open_cylinder(kSegments, kRings, kRadius, kHeight);
  Weights weights;
  Points normals;
  for (const Vec3<double>& p : tube.points) {
    const double w = p.z / kHeight;
    weights.push_back(w > 0.5 ? std::vector<Influence>{{1, w}, {0, 1 - w}}
                              : std::vector<Influence>{{0, 1 - w}, {1, w}});
    normals.push_back({p.x / kRadius, p.y / kRadius, 0});
  }
  const Rig rig = with_normals(chained(tube, 2, weights), floats_of(normals));
  const Clip clip = clip_of({{{}, {}}, {{}, {{0, 0, 0}, about_z(std::numbers::pi / 2)}}});
  const MetricResult r = deviation(rig, clip, 2);
  double mean = 0;
  for (int ring = 0; ring < kRings; ++ring) {
    const double w = ring / (kRings - 1.0), s = std::sqrt(1 - 2 * w * (1 - w));
    mean += std::atan(kRadius * std::abs(1 - 2 * w) / s / kHeight) / kRings;
  }
  CHECK(numbers(r, "per_frame.max")[0] < 1e-6);
  CHECK(numbers(r, "per_frame.mean")[1] == doctest::Approx(mean).epsilon(0.01));
  CHECK(numbers(r, "per_frame.max")[1] == doctest::Approx(std::atan(0.25)).epsilon(0.02));
  CHECK(number(r, "bind.max") < 1e-6);
}

TEST_CASE("normal deviation: hard edges stay hard, and seams of a round surface do not deviate") {
  Random random(5);
  for (const CubeEdges edges : {CubeEdges::kSharp, CubeEdges::kRound}) {
    const Rig rig = split_cube(edges);
    const Clip clip = clip_of({{{}}, {{random.vector(3), random.rotation()}}});
    const MetricResult r = deviation(rig, clip, 2);
    CHECK(number(r, "bind.max") < 1e-6);
    CHECK(numbers(r, "per_frame.max")[0] < 1e-6);
    CHECK(numbers(r, "per_frame.max")[1] < 1e-6);
  }
  // A corner with the normal of its side is a group of its own and does not deviate. The two other
  // corners of its point, the first of which is vertex 12, have the normal (1 1 0), not (1 1 1).
  Rig rig = split_cube(CubeEdges::kRound);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  std::copy_n(std::array{0.0f, 0.0f, -1.0f}.data(), 3, mesh->normals.data());
  rig.mesh = mesh;
  const MetricResult r = deviation(rig, clip_of({{{}}}));
  const double angle = std::acos(std::sqrt(2.0 / 3));
  CHECK(std::abs(number(r, "max") - angle) < 1e-6);
  CHECK(numbers(r, "per_frame.max_vertex")[0] == 12);
  CHECK(std::abs(numbers(r, "per_frame.mean")[0] - 2 * angle / 36) < 1e-6);
}

TEST_CASE("normal deviation: edited normals deviate equally in the bind pose and in rigid poses") {
  const Rig rig = tube({});  // its normals are radial up to the rim of the lid
  Random random(6);
  std::vector<std::vector<Local>> frames;
  for (int f = 0; f < 20; ++f) {  // joint 1 follows joint 0
    frames.push_back({{random.vector(2), random.rotation()}, {{0, 1, 0}}});
  }
  const MetricResult r = deviation(rig, clip_of(frames), 20);
  // At the rim, the lid has two corners of 75 degrees; the side has two right angles, in planes
  // inclined by 15 degrees to the radial direction.
  const double degree = std::numbers::pi / 180;
  CHECK(std::abs(number(r, "bind.max") - std::atan2(150, 180 * std::cos(15 * degree))) < 1e-6);
  for (std::size_t k = 0; k < 3; ++k) {
    CAPTURE(kBind[k]);
    for (const double value : numbers(r, kFrames[k])) {
      CHECK(std::abs(value - number(r, kBind[k])) < 1e-6);
    }
  }
  Rig straight = strip(2);
  auto mesh = std::make_shared<Mesh>(*straight.mesh);
  for (std::size_t v = 0; v < 6; ++v) {  // all inclined by 0.3 rad
    mesh->normals[3 * v] = std::sin(0.3f);
    mesh->normals[3 * v + 2] = std::cos(0.3f);
  }
  straight.mesh = mesh;
  const MetricResult leaning = deviation(straight, clip_of({{{}, {}}}));
  for (const char* key : kBind) CHECK(std::abs(number(leaning, key) - 0.3) < 1e-6);
}

TEST_CASE("normal deviation: a mirror reverses triangles, but not the outside") {
  const Rig rig = split_cube(CubeEdges::kRound);
  for (const Vec3<double>& scale : {Vec3<double>{-1, 1, 1}, {1, -2, 1}, {-1, -1, -1}}) {
    for (const Space space : {Space::kScene, Space::kMesh}) {
      const Clip clip = clip_of({{{{1, 2, 3}, about_z(1), scale}}});
      const MetricResult r = deviation(rig, clip, 1, "lbs", space);
      // Uneven scale: the surface normal at the corner of a box is (1 1 1), the skinned normal
      // (1 1/2 1). In mesh space nothing moves, because the mesh's node is the joint.
      const bool bent = scale.y == -2 && space == Space::kScene;
      CHECK(std::abs(number(r, "max") - (bent ? std::acos(2.5 / (1.5 * std::sqrt(3.0))) : 0)) <
            1e-6);
    }
  }
}

TEST_CASE("normal deviation: vertices whose triangles do not have an area are left out") {
  // A point, a flat square, and a cube.
  const Clip clip = clip_of({{{{}, {1, 0, 0, 0}, {0, 0, 0}}},
                             {{{}, {1, 0, 0, 0}, {1, 1, 0}}},
                             {{{}, {1, 0, 0, 0}, {1, 1, 1}}}});
  const MetricResult r = deviation(split_cube(CubeEdges::kSharp), clip, 3);
  for (const char* key : kFrames) CHECK(std::isnan(numbers(r, key)[0]));
  CHECK(std::isnan(numbers(r, "per_frame.max_vertex")[0]));
  // The lids do not change; the 24 corners of the walls have neither area nor normals.
  for (const char* key : kFrames) CHECK(numbers(r, key)[1] < 1e-6);
  CHECK(place(r, "max_at").frame > 0);
  CHECK(count(r, "without_normal") == 36 + 24);
  CHECK(count(r, "bind.without_normal") == 0);
}

TEST_CASE("normal deviation: means and percentiles are those of the measured vertices") {
  // A square with normals inclined by 0.3 rad, nine triangles that are lines, and one that is a
  // point.
  Surface surface{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  const auto add = [&](const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
    const auto first = static_cast<VertexIndex>(surface.points.size());
    surface.points.insert(surface.points.end(), {a, b, c});
    surface.triangles.push_back({first, first + 1, first + 2});
  };
  for (double y = 2; y < 11; ++y) add({0, y, 0}, {1, y, 0}, {2, y, 0});
  add({0, 12, 0}, {0, 12, 0}, {0, 12, 0});
  surface.points.push_back({0, 13, 0});  // is not a corner of any triangle
  const Rig rig = with_normals(
      rigid(surface), floats_of(Points(surface.points.size(), {std::sin(0.3), 0, std::cos(0.3)})));
  const MetricResult r = deviation(rig, clip_of({{{}}, {{{1, 2, 3}}}}), 2);
  for (const char* key : kBind) CHECK(std::abs(number(r, key) - 0.3) < 1e-6);
  for (const char* key : kFrames) {
    for (const double angle : numbers(r, key)) CHECK(std::abs(angle - 0.3) < 1e-6);
  }
  CHECK(count(r, "bind.without_normal") == 30);
  CHECK(count(r, "without_normal") == 2 * 30);
}

TEST_CASE("normal deviation: triangles have the winding of the file") {
  // Two squares with a common edge; the winding and the normals of the second are reversed. The
  // volume needs them turned.
  const Surface squares{{{0, 0, 0},
                         {1, 0, 0},
                         {1, 1, 0},
                         {0, 1, 0},  //
                         {1, 0, 0},
                         {2, 0, 0},
                         {2, 1, 0},
                         {1, 1, 0}},
                        {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}}};
  Points normals(4, {0, 0, 1});
  normals.resize(8, {0, 0, -1});
  const Rig rig = with_normals(rigid(squares), floats_of(normals));
  CHECK(build_topology(rig, bind_baseline(rig)).flipped_triangles == 2);
  const MetricResult r = deviation(rig, clip_of({{{}}}));
  CHECK(number(r, "bind.max") < 1e-6);
  CHECK(number(r, "max") < 1e-6);
}

TEST_CASE("normal deviation: vertices without a normal in the file do not count") {
  // Two squares: the normals of the first are inclined by 0.3 rad, the second does not have any.
  const Surface squares{
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0}},
      {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}}};
  Points normals(4, {std::sin(0.3), 0, std::cos(0.3)});
  normals.resize(8, {0, 0, 0});
  Rig rig = with_normals(rigid(squares), floats_of(normals));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->primitives = {{0, 4}, {4, 4}};
  rig.mesh = mesh;
  const MetricResult r = deviation(rig, clip_of({{{}}, {{{1, 2, 3}}}}), 2);
  for (const char* key : kBind) CHECK(std::abs(number(r, key) - 0.3) < 1e-6);
  for (const char* key : kFrames) {
    for (const double angle : numbers(r, key)) CHECK(std::abs(angle - 0.3) < 1e-6);
  }
  CHECK(count(r, "without_normal") == 0);
  CHECK(count(r, "bind.without_normal") == 0);
  CHECK(has_issue(deviation(with_normals(rig, std::vector<float>(24)), clip_of({{{}}}))));
}

TEST_CASE("normal deviation: a mesh or a method without normals raises an issue") {
  const Surface box = cube({0, 0, 0});
  const MetricResult none = deviation(rigid(box), clip_of({{{}}}));
  CHECK(has_issue(none));
  CHECK(std::isnan(number(none, "max")));
  CHECK(std::isnan(number(none, "bind.max")));
  for (const char* key : kFrames) CHECK(std::isnan(numbers(none, key).at(0)));
  CHECK(std::isnan(numbers(none, "per_frame.max_vertex").at(0)));
  CHECK(place(none, "max_at").frame == -1);

  const Rig sharp = split_cube(CubeEdges::kSharp);
  const MetricResult relaxed = deviation(sharp, clip_of({{{}}}), 1, "dm");
  CHECK(has_issue(relaxed));
  CHECK(std::isnan(number(relaxed, "max")));
  CHECK(number(relaxed, "bind.max") < 1e-6);
  CHECK_FALSE(has_issue(deviation(sharp, clip_of({{{}}}))));
}

TEST_CASE("normal deviation: requesting normals does not change the positions") {
  const RandomShape shape{.seed = 11, .points = 300, .scale_spread = 0.3};
  const Rig rig = random_rig(shape);
  const Clip clip = random_clip(rig, shape, 20);
  const BaselinePose baseline = bind_baseline(rig);
  const Topology topology = build_topology(rig, baseline);
  for (const char* method : {"lbs", "dqs", "dm"}) {
    BakePlan plan = plan_of(rig, &clip, 20);
    const auto metric = kNormalDeviation.make({&rig, &clip, plan.frames, plan.space, &baseline,
                                               [&]() -> const Topology& { return topology; }});
    WholeBlocks alone, beside;
    plan.runs = {{parse_method(method), {&alone}}};
    bake(plan);
    plan.runs = {{parse_method(method), {&beside, metric.get()}}};
    bake(plan);
    REQUIRE(alone.positions.size() == beside.positions.size());
    CHECK(std::memcmp(alone.positions.data(), beside.positions.data(),
                      alone.positions.size() * sizeof(float)) == 0);
  }
}

}  // namespace skinbake
