// Properties of methods. Every method of methods/all-inl.h is tested here: its kInfo declares its
// properties, and the effect of its parameters on them. Properties in time:
// continuity_contract_test.cpp; of vertices with the same joints: influence_contract_test.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "math/scalar.h"
#include "methods/contracts/contract.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using test::Capture;
using test::captured;
using test::check;
using test::Differences;
using test::differences;
using test::for_each_method;
using test::kClipFrames;
using test::kRounding;
using test::kShapes;
using test::Local;
using test::RandomShape;
using test::rest;
using test::worse;

Local random_motion() {
  test::Random random(72);
  const Vec3<double> t = random.vector(2);
  return {t, random.rotation()};
}

// The same clip with the root, and thereby all joints, moved by a rigid motion.
Clip with_root_moved(const Clip& clip, const Local& motion) {
  Clip moved = clip;
  auto moves = *clip.channels[0].values, turns = *clip.channels[1].values;
  for (std::size_t f = 0; f < kClipFrames; ++f) {
    const Vec3<double> t =
        test::to_matrix(motion) * Vec3<double>{moves[f * 3], moves[f * 3 + 1], moves[f * 3 + 2]};
    double* q = turns.data() + f * 4;
    const Quat<double> r = motion.rotation * Quat<double>{q[3], q[0], q[1], q[2]};
    moves[f * 3] = t.x, moves[f * 3 + 1] = t.y, moves[f * 3 + 2] = t.z;
    q[0] = r.x, q[1] = r.y, q[2] = r.z, q[3] = r.w;
  }
  moved.channels[0].values = std::make_shared<const std::vector<double>>(moves);
  moved.channels[1].values = std::make_shared<const std::vector<double>>(turns);
  return moved;
}

// The same rig with another origin of bind space.
Rig with_origin_at(const Rig& rig, const Vec3<double>& shift) {
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
  return shifted;
}

// The clip, or the rest pose of the rig, rounded to float.
Clip rounded(const Rig& rig, const Clip* clip) {
  Clip result;
  if (clip != nullptr) {
    result = *clip;
  } else {
    std::vector<Local> locals;
    for (const Joint& joint : rig.joints) {
      const Node& node = rig.skeleton->nodes[static_cast<std::size_t>(joint.node)];
      locals.push_back({node.translation, node.rotation, node.scale});
    }
    result = test::clip_of({locals});
  }
  for (Channel& channel : result.channels) {
    auto values = *channel.values;
    for (double& value : values) value = static_cast<float>(value);
    channel.values = std::make_shared<const std::vector<double>>(std::move(values));
  }
  return result;
}

// The effect of rounding that is allowed. Methods that read neighbours divide by distances between
// them, which are small on crumpled surfaces. Their tolerance is the effect of rounding the joints
// to float on the exact result, times sixty: about as many roundings precede a result (ten sweeps
// over six neighbours, or as many products of moments). In double it is 2^29 times smaller.
Differences tolerance_of(const Method& method, const std::string& name, const Rig& rig,
                         const Clip* clip, std::int64_t frames, const Differences& plain) {
  if (method.info().keeps & kKeepsSingleJoint) return plain;
  constexpr double kRoundings = 60, kFloatPerDouble = 0x1p29;
  const Clip as_floats = rounded(rig, clip);
  const Capture truth = captured(rig, clip, frames, name);
  const Capture moved = captured(rig, &as_floats, frames, name);
  const double response =
      differences(moved, frames, rig.mesh->vertex_count(), [&](std::int64_t f, VertexIndex v) {
        return truth.exact_at(f, v);
      }).exact;
  return {std::max(plain.exact, kRoundings * response / kFloatPerDouble),
          std::max(plain.rounded, kRoundings * response)};
}

}  // namespace

TEST_CASE("method: in the bind pose no vertex moves") {
  for_each_method([](const Method& method, const std::string& name) {
    Differences worst, tolerance;
    for (const RandomShape& shape : kShapes) {
      const Rig rig = test::random_rig(shape);
      const Capture capture = captured(rig, nullptr, 1, name);
      worst = worse(worst, differences(capture, 1, rig.mesh->vertex_count(),
                                       [&](std::int64_t, VertexIndex v) { return rest(rig, v); }));
      tolerance = worse(tolerance, tolerance_of(method, name, rig, nullptr, 1, {1e-12, 1e-6}));
    }
    check(method, kKeepsBindPose, worst, tolerance);
  });
}

TEST_CASE("method: a rigid motion of all joints moves the mesh rigidly") {
  for_each_method([](const Method& method, const std::string& name) {
    Differences worst, tolerance;
    for (const RandomShape& shape : kShapes) {
      const Rig rig = test::random_rig(shape);
      const Clip clip = test::random_clip(rig, shape, kClipFrames);
      const Local motion = random_motion();
      const Clip moved = with_root_moved(clip, motion);
      const Capture before = captured(rig, &clip, kClipFrames, name);
      const Capture after = captured(rig, &moved, kClipFrames, name);
      worst = worse(worst, differences(after, kClipFrames, rig.mesh->vertex_count(),
                                       [&](std::int64_t f, VertexIndex v) {
                                         return test::to_matrix(motion) * before.exact_at(f, v);
                                       }));
      tolerance =
          worse(tolerance, tolerance_of(method, name, rig, &moved, kClipFrames, {1e-9, kRounding}));
    }
    check(method, kKeepsRigidMotion, worst, tolerance);
  });
}

TEST_CASE("method: the result does not depend on the origin of bind space") {
  for_each_method([](const Method& method, const std::string& name) {
    Differences worst, tolerance;
    for (const RandomShape& shape : kShapes) {
      const Rig rig = test::random_rig(shape);
      const Clip clip = test::random_clip(rig, shape, kClipFrames);
      const Capture plain = captured(rig, &clip, kClipFrames, name);
      for (const Vec3<double>& shift : {Vec3<double>{8, -16, 4}, Vec3<double>{-512, 0, 0}}) {
        const Rig shifted = with_origin_at(rig, shift);
        const Capture capture = captured(shifted, &clip, kClipFrames, name);
        worst =
            worse(worst,
                  differences(capture, kClipFrames, rig.mesh->vertex_count(),
                              [&](std::int64_t f, VertexIndex v) { return plain.exact_at(f, v); }));
      }
      tolerance =
          worse(tolerance, tolerance_of(method, name, rig, &clip, kClipFrames, {1e-9, kRounding}));
    }
    check(method, kKeepsOrigin, worst, tolerance);
  });
}

TEST_CASE("method: if all joints have one matrix, the mesh has it too") {
  // Joints at several positions, unconnected or in a chain, posed by M after their translations.
  test::Random random(75);
  std::vector<Vec3<double>> places;
  for (int j = 0; j < 4; ++j) places.push_back(random.vector(1));
  const Rig bound = test::random_rig({.seed = 75, .joints = 4});
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (VertexIndex v = 0; v < bound.mesh->vertex_count(); ++v) {
    points.push_back(rest(bound, v));
    const auto of_vertex = bound.influences_of(v);
    influences.emplace_back(of_vertex.begin(), of_vertex.end());
  }
  std::vector<Local> motions;
  for (const Vec3<double>& scale : {Vec3<double>{1, 1, 1}, Vec3<double>{0.01, 0.01, 0.01},
                                    Vec3<double>{2, 0.5, 1}, Vec3<double>{-1, 1, 1}}) {
    motions.push_back({random.vector(2), random.rotation(), scale});
  }
  for_each_method([&](const Method& method, const std::string& name) {
    Differences worst, tolerance;
    for (const bool chained : {false, true}) {
      std::vector<Node> nodes(4);
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        nodes[j].parent = chained ? static_cast<NodeIndex>(j) - 1 : -1;
        nodes[j].translation = nodes[j].parent < 0 ? places[j] : places[j] - places[j - 1];
      }
      Rig rig = test::loose(points, nodes, influences);
      rig.mesh = bound.mesh;
      for (const Local& m : motions) {
        std::vector<Local> locals;
        for (const Node& node : nodes) {
          if (node.parent >= 0) {
            locals.push_back({node.translation});
          } else {
            locals.push_back({test::to_matrix(m) * node.translation, m.rotation, m.scale});
          }
        }
        const Clip clip = test::clip_of({locals});
        const auto moved = [&](std::int64_t, VertexIndex v) {
          return test::to_matrix(m) * rest(rig, v);
        };
        worst = worse(
            worst, differences(captured(rig, &clip, 1, name), 1, rig.mesh->vertex_count(), moved));
        tolerance = worse(tolerance, tolerance_of(method, name, rig, &clip, 1, {1e-12, kRounding}));
      }
    }
    check(method, kKeepsCommonMatrix, worst, tolerance);
  });
}

TEST_CASE("method: every target gives the same bits, close to double precision") {
  for_each_method([](const Method& method, const std::string& name) {
    for (const RandomShape& shape : kShapes) {
      const Rig rig = test::random_rig(shape);
      const Clip clip = test::random_clip(rig, shape, kClipFrames);
      const Capture best = captured(rig, &clip, kClipFrames, name);
      test::for_each_simd_target([&](const std::string&) {
        const Capture other = captured(rig, &clip, kClipFrames, name);
        CHECK((other.positions == best.positions));
        CHECK((other.exact == best.exact));
      });
      const auto worst =
          differences(best, kClipFrames, rig.mesh->vertex_count(),
                      [&](std::int64_t f, VertexIndex v) { return best.exact_at(f, v); });
      const Differences tolerance =
          tolerance_of(method, name, rig, &clip, kClipFrames, {0, kRounding});
      CHECK(worst.rounded < tolerance.rounded);
      CHECK(worst.rounded > 0);  // otherwise double would be compared with itself
    }
  });
}

}  // namespace skinbake
