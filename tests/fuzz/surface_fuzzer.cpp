// Fuzzes the comparison of surfaces with two small rigs: any positions, triangles, normals, morph
// targets and weights that the loader accepts. Pairs must name points of the surfaces, and bounds
// of distances must enclose them.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "compare/surface/hausdorff.h"
#include "compare/surface/surfaces.h"
#include "fuzz/rig_parts.h"
#include "rig/validate.h"
#include "skinbake/error.h"
#include "skinbake/rig.h"

using namespace skinbake;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// Mostly multiples of 1/8, so that points and sheets coincide; else any finite float32.
float coordinate(FuzzedDataProvider& bytes) {
  if (bytes.ConsumeIntegralInRange(0, 31) != 0) {
    return static_cast<float>(bytes.ConsumeIntegral<std::int8_t>()) / 8;
  }
  return finite_float(bytes);
}

std::vector<float> coordinates(FuzzedDataProvider& bytes, VertexIndex vertices) {
  std::vector<float> all;
  for (VertexIndex i = 0; i < 3 * vertices; ++i) all.push_back(coordinate(bytes));
  return all;
}

std::shared_ptr<const Skeleton> skeleton_of(FuzzedDataProvider& bytes, int nodes) {
  auto skeleton = std::make_shared<Skeleton>();
  for (int n = 0; n < nodes; ++n) {
    Node node;
    node.name = bytes.PickValueInArray({"", "a", "b"});
    node.parent = bytes.ConsumeIntegralInRange(-1, n - 1);
    node.translation = {coordinate(bytes), coordinate(bytes), coordinate(bytes)};
    skeleton->nodes.push_back(node);
    skeleton->order.push_back(n);
  }
  return skeleton;
}

std::shared_ptr<const Mesh> mesh_of(FuzzedDataProvider& bytes, VertexIndex vertices) {
  auto mesh = std::make_shared<Mesh>();
  mesh->primitives.push_back({0, vertices});
  mesh->positions = coordinates(bytes, vertices);
  if (bytes.ConsumeBool()) mesh->normals = coordinates(bytes, vertices);
  if (bytes.ConsumeBool()) {
    MorphTarget target;
    target.positions = coordinates(bytes, vertices);
    mesh->morph_targets.push_back(std::move(target));
  }
  add_triangles(bytes, vertices, *mesh);
  return mesh;
}

Rig rig_of(FuzzedDataProvider& bytes) {
  const int joints = bytes.ConsumeIntegralInRange(1, 3);
  Rig rig;
  rig.id = "fuzzed";
  rig.node = 0;
  rig.skinned = true;
  rig.skeleton = skeleton_of(bytes, joints);
  rig.mesh = mesh_of(bytes, bytes.ConsumeIntegralInRange<VertexIndex>(1, 12));
  rig.morph_weights.assign(rig.mesh->morph_targets.size(), 0);
  for (int j = 0; j < joints; ++j) {
    Affine<double> bind = kIdentity;
    if (bytes.ConsumeBool()) bind.translation.x = coordinate(bytes);
    if (bytes.ConsumeBool()) bind.x.x = coordinate(bytes);
    rig.joints.push_back({j, bind});
  }
  const auto weight = [&] { return bytes.ConsumeIntegralInRange(0, 4) / 4.0; };
  set_influences(bytes, 2, weight, rig);
  return rig;
}

void check_points(const std::vector<SurfacePoint>& points, const BindSurface& surface) {
  for (const SurfacePoint& point : points) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      require(point.corners[i] < surface.vertex_count());
      require(point.weights[i] >= 0);
      sum += point.weights[i];
    }
    require(sum == 1);
  }
}

void check_pairs(const PointPairs& pairs, const BindSurface& of, const BindSurface& other) {
  require(pairs.points.size() == pairs.partners.size());
  require(pairs.points.size() >= of.positions.size());
  check_points(pairs.points, of);
  check_points(pairs.partners, other);
  const PairDistance distance = bind_distance(pairs, of, other);
  require(std::isfinite(distance.max) && distance.rms <= distance.max * (1 + 1e-9));
}

void check_bijective(const PointPairs& pairs) {
  std::vector<VertexIndex> taken;
  for (const SurfacePoint& partner : pairs.partners) taken.push_back(partner.corners[0]);
  std::sort(taken.begin(), taken.end());
  for (VertexIndex v = 0; v < taken.size(); ++v) require(taken[v] == v);
}

void match(FuzzedDataProvider& bytes, const BindSurfaces& surfaces) {
  MatchPlan plan;
  plan.match =
      bytes.PickValueInArray({Match::kIndex, Match::kOrder, Match::kSurface, Match::kAuto});
  plan.sampling = bytes.PickValueInArray({0.005, 0.05, 0.5, 1e-9});
  plan.threads = 1;
  have_another_order(surfaces);
  try {
    const MatchedSurfaces matched = match_surfaces(surfaces, plan);
    require(matched.match != Match::kAuto);
    check_pairs(matched.a_to_b, surfaces.a, surfaces.b);
    require(matched.b_to_a.has_value() == (matched.match == Match::kSurface));
    if (matched.b_to_a) {
      check_pairs(*matched.b_to_a, surfaces.b, surfaces.a);
    } else {
      check_bijective(matched.a_to_b);
    }
  } catch (const std::bad_alloc&) {  // bounded_blocks.cpp
  } catch (const Error& error) {
    require(error.code() == "NOT_COMPARABLE");
  }
}

// The bounds enclose the distance of every vertex of a triangle.
void measure_hausdorff(const BindSurface& a, const BindSurface& b) {
  if (a.triangles.empty() || b.triangles.empty() || !(a.diagonal_m > 0)) return;
  constexpr double kTolerance = 0.02;  // of the diagonal
  const HausdorffBounds bounds = hausdorff_distance(
      {a.positions, a.triangles}, {b.positions, b.triangles}, kTolerance * a.diagonal_m);
  require(bounds.lower >= 0 && bounds.lower <= bounds.upper && std::isfinite(bounds.upper));
  const HausdorffBounds reversed = hausdorff_distance(
      {b.positions, b.triangles}, {a.positions, a.triangles}, kTolerance * a.diagonal_m);
  require(bounds.lower == reversed.lower && bounds.upper == reversed.upper);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  const Rig a = rig_of(bytes);
  const Rig b = bytes.ConsumeBool() ? a : rig_of(bytes);
  for (const Rig* rig : {&a, &b}) validate(*rig, {});
  const Rig *of_a = &a, *of_b = &b;
  try {
    const BindSurfaces surfaces = bind_surfaces({&of_a, 1}, {&of_b, 1});
    match(bytes, surfaces);
    measure_hausdorff(surfaces.a, surfaces.b);
  } catch (const Error& error) {
    require(error.code() == "NON_FINITE_POSITION");
  }
  return 0;
}
