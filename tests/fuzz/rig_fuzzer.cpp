// Fuzzes the methods with a rig and its pose: any influences and matrices that the loader accepts.

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdlib>
#include <memory>

#include "fuzz/rig_parts.h"
#include "rig/validate.h"
#include "skinbake/bake.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"
#include "skinbake/rig.h"

using namespace skinbake;

namespace {

Vec3<double> vector(FuzzedDataProvider& bytes) {
  return {finite_float(bytes), finite_float(bytes), finite_float(bytes)};
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
  for (VertexIndex i = 0; i < 3 * vertices; ++i) mesh->positions.push_back(finite_float(bytes));
  add_triangles(bytes, vertices, *mesh);
  return mesh;
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
  set_influences(
      bytes, bytes.ConsumeIntegralInRange<std::size_t>(1, 40), [&] { return finite_float(bytes); },
      rig);
  validate(rig, {});  // append_vertex keeps the conditions of Rig
  try {
    build_topology(rig, bind_baseline(rig));
  } catch (const Error& error) {
    if (error.code() != "NON_FINITE_POSITION") std::abort();
  }
  for (const char* method : {"lbs", "dqs"}) {
    try {
      pose_positions(rig, {}, parse_method(method));
    } catch (const Error& error) {
      if (error.code() != "NON_FINITE_POSITION") std::abort();
    }
  }
  return 0;
}
