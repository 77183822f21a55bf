// Parts of small rigs that a fuzzer builds from its input.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rig/influences.h"
#include "skinbake/rig.h"

namespace skinbake {

// Any finite float32.
inline float finite_float(FuzzedDataProvider& bytes) {
  const auto bits = bytes.ConsumeIntegral<std::uint32_t>();
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return std::isfinite(value) ? value : 0.5f;
}

inline void add_triangles(FuzzedDataProvider& bytes, VertexIndex vertices, Mesh& mesh) {
  const int triangles = bytes.ConsumeIntegralInRange(0, 12);
  const auto corner = [&] { return bytes.ConsumeIntegralInRange<VertexIndex>(0, vertices - 1); };
  for (int t = 0; t < triangles; ++t) {
    const VertexIndex a = corner(), b = corner(), c = corner();
    mesh.triangles.push_back({a, b, c});
  }
}

// Gives every vertex `per_vertex` joints of the rig, with weights that `weight()` returns.
template <typename Weight>
void set_influences(FuzzedDataProvider& bytes, std::size_t per_vertex, Weight weight, Rig& rig) {
  Influences influences;
  WeightFindings findings;
  const auto last = static_cast<JointIndex>(rig.joints.size() - 1);
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    std::vector<Influence> listed(per_vertex);
    for (Influence& influence : listed) {
      influence.joint = bytes.ConsumeIntegralInRange<JointIndex>(0, last);
      influence.weight = weight();
    }
    append_vertex(listed, influences, findings);
  }
  rig.first_influence = std::move(influences.first_influence);
  rig.influences = std::move(influences.influences);
}

}  // namespace skinbake
