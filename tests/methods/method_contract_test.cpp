// What every method must keep. A method that is listed in methods/all-inl.h is tested here without
// a line written for it.

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "bake/kernels.h"
#include "math/scalar.h"
#include "methods/all-inl.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using test::Capture;
using test::captured;
using test::distance;
using test::Local;
using test::RandomShape;

template <std::size_t kIndex>
struct MethodTag {
  static std::string_view id() { return methods()[kIndex].id; }
  static bool is_rigid() { return float_kernels()[kIndex].is_rigid; }
};

template <std::size_t... kIndices>
std::tuple<MethodTag<kIndices>...> tags_of(std::index_sequence<kIndices...>);
using EveryMethod = decltype(tags_of(std::make_index_sequence<AllMethods::kCount>()));

// Float rounding for coordinates of a few metres, through a handful of operations.
constexpr double kRounding = 4e-6;

// The greatest distance between two results, in double, and in float.
struct Differences {
  double exact = 0, rounded = 0;
};
template <class Expected>
Differences differences(const Capture& capture, std::int64_t frames, VertexIndex vertices,
                        const Expected& expected) {
  Differences worst;
  for (std::int64_t f = 0; f < frames; ++f) {
    for (VertexIndex v = 0; v < vertices; ++v) {
      const Vec3<double> e = expected(f, v);
      worst.exact = std::max(worst.exact, distance(capture.exact_at(f, v), e));
      worst.rounded = std::max(worst.rounded, distance(capture.at(f, v), e));
    }
  }
  return worst;
}

Vec3<double> rest(const Rig& rig, VertexIndex v) {
  const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
  return {p[0], p[1], p[2]};
}

// All vertices of a rig with the influences of its first.
void share_influences(Rig& rig, std::vector<Influence> influences) {
  const VertexIndex count = rig.mesh->vertex_count();
  rig.influences.clear();
  rig.first_influence = {0};
  for (VertexIndex v = 0; v < count; ++v) {
    rig.influences.insert(rig.influences.end(), influences.begin(), influences.end());
    rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
  }
}

const RandomShape kShapes[] = {{.seed = 70}, {.seed = 71, .scale_spread = 0.4}};
constexpr int kFrames = 20;

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("method: in the bind pose every vertex is where it was", Tag, at_rest) {
  for (const RandomShape& shape : kShapes) {
    const Rig rig = test::random_rig(shape);
    const Capture capture = captured(rig, nullptr, 1, Tag::id());
    const auto worst = differences(capture, 1, rig.mesh->vertex_count(),
                                   [&](std::int64_t, VertexIndex v) { return rest(rig, v); });
    CHECK(worst.exact < 1e-12);
    CHECK(worst.rounded < 1e-6);
  }
}

TEST_CASE_TEMPLATE_DEFINE("method: a rigid motion of all joints moves the mesh by it", Tag, rigid) {
  for (const RandomShape& shape : kShapes) {
    const Rig rig = test::random_rig(shape);
    const Clip clip = test::random_clip(rig, shape, kFrames);
    // The same clip with the root moved by a rigid motion: all joints hang from it.
    test::Random random(72);
    const Local motion{random.vector(2), random.rotation()};
    Clip moved = clip;
    auto moves = *clip.channels[0].values, turns = *clip.channels[1].values;
    for (std::size_t f = 0; f < kFrames; ++f) {
      const Vec3<double> t =
          test::to_matrix(motion) * Vec3<double>{moves[f * 3], moves[f * 3 + 1], moves[f * 3 + 2]};
      double* q = turns.data() + f * 4;
      const Quat<double> r = motion.rotation * Quat<double>{q[3], q[0], q[1], q[2]};
      moves[f * 3] = t.x, moves[f * 3 + 1] = t.y, moves[f * 3 + 2] = t.z;
      q[0] = r.x, q[1] = r.y, q[2] = r.z, q[3] = r.w;
    }
    moved.channels[0].values = std::make_shared<const std::vector<double>>(moves);
    moved.channels[1].values = std::make_shared<const std::vector<double>>(turns);
    const Capture before = captured(rig, &clip, kFrames, Tag::id());
    const Capture after = captured(rig, &moved, kFrames, Tag::id());
    const auto worst =
        differences(after, kFrames, rig.mesh->vertex_count(), [&](std::int64_t f, VertexIndex v) {
          return test::to_matrix(motion) * before.exact_at(f, v);
        });
    CHECK(worst.exact < 1e-10);
    CHECK(worst.rounded < kRounding);
  }
}

TEST_CASE_TEMPLATE_DEFINE("method: a vertex of one joint follows its matrix", Tag, single) {
  for (const RandomShape& shape : kShapes) {
    Rig rig = test::random_rig(shape);
    const Clip clip = test::random_clip(rig, shape, kFrames);
    for (JointIndex j = 0; j < rig.joints.size(); ++j) {
      share_influences(rig, {{j, 1}});
      const Capture capture = captured(rig, &clip, kFrames, Tag::id());
      PoseSampler sampler(rig, &clip, {0, 0, 0});
      SampledPose pose;
      const auto worst = differences(capture, kFrames, rig.mesh->vertex_count(),
                                     [&](std::int64_t f, VertexIndex v) {
                                       sampler.sample(static_cast<double>(f) / 30, pose);
                                       return pose.posed_from_rest[j] * rest(rig, v);
                                     });
      CHECK(worst.exact < 1e-10);
      CHECK(worst.rounded < kRounding);
    }
  }
}

TEST_CASE_TEMPLATE_DEFINE("method: vertices of equal weights get one map", Tag, iso_weight) {
  // The last vertex is an affine combination of four others, and must stay it.
  const RandomShape shape{.seed = 73, .joints = 3};
  Rig rig = test::random_rig(shape);
  auto mesh = std::make_shared<Mesh>();
  mesh->positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -0.5f, 0.75f, 0.25f};
  rig.mesh = mesh;
  share_influences(rig, {{1, 0.5}, {0, 0.25}, {2, 0.25}});
  for (const double spread : {0.0, 0.3}) {
    const Clip clip = test::random_clip(rig, {.seed = 73, .scale_spread = spread}, kFrames);
    const Capture capture = captured(rig, &clip, kFrames, Tag::id());
    double worst = 0;
    for (std::int64_t f = 0; f < kFrames; ++f) {
      const auto p = [&](VertexIndex v) { return capture.exact_at(f, v); };
      const Vec3<double> expected = 0.5 * p(0) + (-0.5 * p(1) + (0.75 * p(2) + 0.25 * p(3)));
      worst = std::max(worst, distance(p(4), expected));
    }
    CHECK(worst < 1e-13);
  }
}

TEST_CASE_TEMPLATE_DEFINE("method: a rigid one keeps distances at equal weights, no other", Tag,
                          distances) {
  const Rig base = test::random_rig({.seed = 74, .points = 10, .joints = 3});
  Rig rig = base;
  share_influences(rig, {{1, 0.5}, {0, 0.25}, {2, 0.25}});
  const Clip clip = test::random_clip(rig, {.seed = 74}, kFrames);
  const Capture capture = captured(rig, &clip, kFrames, Tag::id());
  double worst = 0;
  for (std::int64_t f = 0; f < kFrames; ++f) {
    for (VertexIndex v = 1; v < 10; ++v) {
      const double before = distance(rest(rig, v), rest(rig, 0));
      const double after = distance(capture.exact_at(f, v), capture.exact_at(f, 0));
      worst = std::max(worst, std::fabs(after - before));
    }
  }
  if (Tag::is_rigid()) {
    CHECK(worst < 1e-12);
  } else {
    CHECK(worst > 0.1);
  }
}

TEST_CASE_TEMPLATE_DEFINE("method: the origin of bind space does not matter", Tag, origin) {
  for (const RandomShape& shape : kShapes) {
    const Rig rig = test::random_rig(shape);
    const Clip clip = test::random_clip(rig, shape, kFrames);
    const Capture plain = captured(rig, &clip, kFrames, Tag::id());
    for (const Vec3<double>& shift : {Vec3<double>{8, -16, 4}, Vec3<double>{-512, 0, 0}}) {
      Rig shifted = rig;
      Affine<double> back = kIdentity;
      back.translation = -shift;
      for (Joint& joint : shifted.joints) joint.joint_from_model = joint.joint_from_model * back;
      auto mesh = std::make_shared<Mesh>(*rig.mesh);
      for (VertexIndex v = 0; v < mesh->vertex_count(); ++v) {  // exact: points are on a grid
        const Vec3<double> p = rest(rig, v) + shift;
        mesh->positions[v * 3] = static_cast<float>(p.x);
        mesh->positions[v * 3 + 1] = static_cast<float>(p.y);
        mesh->positions[v * 3 + 2] = static_cast<float>(p.z);
      }
      shifted.mesh = mesh;
      const Capture capture = captured(shifted, &clip, kFrames, Tag::id());
      const auto worst =
          differences(capture, kFrames, mesh->vertex_count(),
                      [&](std::int64_t f, VertexIndex v) { return plain.exact_at(f, v); });
      CHECK(worst.exact < 1e-9);
      CHECK(worst.rounded < kRounding);
    }
  }
}

TEST_CASE_TEMPLATE_DEFINE("method: equal matrices of all joints are that matrix", Tag, equal) {
  // Independent joints at several places, each posed by M after its own place.
  std::vector<Node> nodes(4);
  test::Random random(75);
  for (Node& node : nodes) node.translation = random.vector(1);
  const Rig bound = test::random_rig({.seed = 75, .joints = 4});
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (VertexIndex v = 0; v < bound.mesh->vertex_count(); ++v) {
    points.push_back(rest(bound, v));
    const auto of_vertex = bound.influences_of(v);
    influences.emplace_back(of_vertex.begin(), of_vertex.end());
  }
  const Rig rig = test::loose(points, nodes, influences);
  for (const Vec3<double>& scale : {Vec3<double>{1, 1, 1}, Vec3<double>{0.01, 0.01, 0.01},
                                    Vec3<double>{2, 0.5, 1}, Vec3<double>{-1, 1, 1}}) {
    const Local m{random.vector(2), random.rotation(), scale};
    std::vector<Local> locals;
    for (const Node& node : nodes) {
      locals.push_back({test::to_matrix(m) * node.translation, m.rotation, scale});
    }
    const Clip clip = test::clip_of({locals});
    const auto worst =
        differences(captured(rig, &clip, 1, Tag::id()), 1, rig.mesh->vertex_count(),
                    [&](std::int64_t, VertexIndex v) { return test::to_matrix(m) * rest(rig, v); });
    CHECK(worst.exact < 1e-12);
    CHECK(worst.rounded < kRounding);
  }
}

TEST_CASE_TEMPLATE_DEFINE("method: every target has the same bits, near those of double", Tag,
                          targets) {
  for (const RandomShape& shape : kShapes) {
    const Rig rig = test::random_rig(shape);
    const Clip clip = test::random_clip(rig, shape, kFrames);
    const Capture best = captured(rig, &clip, kFrames, Tag::id());
    test::for_each_simd_target([&](const std::string&) {
      const Capture other = captured(rig, &clip, kFrames, Tag::id());
      CHECK((other.positions == best.positions));
      CHECK((other.exact == best.exact));
    });
    const auto worst =
        differences(best, kFrames, rig.mesh->vertex_count(),
                    [&](std::int64_t f, VertexIndex v) { return best.exact_at(f, v); });
    CHECK(worst.rounded < kRounding);
    CHECK(worst.rounded > 0);  // else it is not float that is compared with double
  }
}

TEST_CASE_TEMPLATE_APPLY(at_rest, EveryMethod);
TEST_CASE_TEMPLATE_APPLY(rigid, EveryMethod);
TEST_CASE_TEMPLATE_APPLY(single, EveryMethod);
TEST_CASE_TEMPLATE_APPLY(iso_weight, EveryMethod);
TEST_CASE_TEMPLATE_APPLY(distances, EveryMethod);
TEST_CASE_TEMPLATE_APPLY(origin, EveryMethod);
TEST_CASE_TEMPLATE_APPLY(equal, EveryMethod);
TEST_CASE_TEMPLATE_APPLY(targets, EveryMethod);

}  // namespace skinbake
