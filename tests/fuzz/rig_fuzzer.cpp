// Fuzzes the methods with a rig and its pose: any influences and matrices that the loader accepts.

#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "rig/influences.h"
#include "rig/validate.h"
#include "skinbake/skinbake.h"

using namespace skinbake;

namespace {

float number(FuzzedDataProvider& bytes) {
  const auto bits = bytes.ConsumeIntegral<std::uint32_t>();
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return std::isfinite(value) ? value : 0.5f;
}

Vec3<double> vector(FuzzedDataProvider& bytes) {
  return {number(bytes), number(bytes), number(bytes)};
}

std::shared_ptr<const Skeleton> skeleton_of(FuzzedDataProvider& bytes, int nodes) {
  auto skeleton = std::make_shared<Skeleton>();
  for (int n = 0; n < nodes; ++n) {
    Node node;
    node.parent = bytes.ConsumeIntegralInRange(-1, n - 1);
    if (bytes.ConsumeBool()) {
      node.matrix = {vector(bytes), vector(bytes), vector(bytes), vector(bytes)};
    } else {
      node.translation = vector(bytes);
      node.scale = vector(bytes);
    }
    skeleton->nodes.push_back(node);
    skeleton->order.push_back(n);
  }
  return skeleton;
}

std::shared_ptr<const Mesh> mesh_of(FuzzedDataProvider& bytes, VertexIndex vertices) {
  auto mesh = std::make_shared<Mesh>();
  mesh->primitives.push_back({0, vertices});
  for (VertexIndex i = 0; i < 3 * vertices; ++i) mesh->positions.push_back(number(bytes));
  const int triangles = bytes.ConsumeIntegralInRange(0, 12);
  const auto corner = [&] { return bytes.ConsumeIntegralInRange<VertexIndex>(0, vertices - 1); };
  for (int t = 0; t < triangles; ++t) {
    const VertexIndex a = corner(), b = corner(), c = corner();
    mesh->triangles.push_back({a, b, c});
  }
  return mesh;
}

void set_influences(FuzzedDataProvider& bytes, int joints, Rig& rig) {
  Influences influences;
  WeightFindings findings;
  const auto listed_count = bytes.ConsumeIntegralInRange<std::size_t>(1, 40);
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    std::vector<Influence> listed(listed_count);
    for (Influence& influence : listed) {
      influence.joint = bytes.ConsumeIntegralInRange<JointIndex>(0, joints - 1);
      influence.weight = number(bytes);
    }
    append_vertex(listed, influences, findings);
  }
  rig.first_influence = std::move(influences.first_influence);
  rig.influences = std::move(influences.influences);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  const int joints = bytes.ConsumeIntegralInRange(1, 6);
  Rig rig;
  rig.id = "fuzzed";
  rig.node = 0;
  rig.skinned = true;
  rig.skeleton = skeleton_of(bytes, joints);
  rig.mesh = mesh_of(bytes, bytes.ConsumeIntegralInRange<VertexIndex>(1, 12));
  for (int j = 0; j < joints; ++j) {
    rig.joints.push_back({j, {vector(bytes), vector(bytes), vector(bytes), vector(bytes)}});
  }
  set_influences(bytes, joints, rig);
  validate(rig, {});  // append_vertex keeps the conditions of Rig
  try {
    build_topology(rig, bind_baseline(rig));
  } catch (const Error& error) {
    if (error.code() != "NON_FINITE_POSITION") std::abort();
  }
  for (const char* method : {"lbs", "dqs"}) {
    try {
      pose_positions(rig, nullptr, 0, parse_method(method));
    } catch (const Error& error) {
      if (error.code() != "NON_FINITE_POSITION") std::abort();
    }
  }
  return 0;
}
