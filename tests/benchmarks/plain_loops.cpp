#include "benchmarks/plain_loops.h"

#include <cmath>

namespace skinbake::plain {

void linear_blend(const Vertex* __restrict rest, const Influences* __restrict influences,
                  const Matrix* __restrict joints, std::size_t vertex_count,
                  Vertex* __restrict posed) {
  for (std::size_t v = 0; v < vertex_count; ++v) {
    alignas(64) float sum[16] = {};
    for (int i = 0; i < 4; ++i) {
      const float w = influences[v].weight[i];
      const Matrix& joint = joints[influences[v].joint[i]];
      for (int e = 0; e < 16; ++e) sum[e] += w * joint.m[e];
    }
    const float* p = rest[v].position;
    alignas(16) float out[4];
    for (int a = 0; a < 4; ++a) {
      out[a] = sum[a] * p[0] + sum[4 + a] * p[1] + sum[8 + a] * p[2] + sum[12 + a];
    }
    for (int a = 0; a < 3; ++a) posed[v].position[a] = out[a];
  }
}

void dual_quaternion(const Vertex* __restrict rest, const Influences* __restrict influences,
                     const DualQuaternion* __restrict joints, std::size_t vertex_count,
                     Vertex* __restrict posed) {
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const Influences& in = influences[v];
    const DualQuaternion& pivot = joints[in.joint[0]];
    float r[4] = {}, d[4] = {};
    for (int i = 0; i < 4; ++i) {
      const DualQuaternion& q = joints[in.joint[i]];
      float dot = 0;
      for (int e = 0; e < 4; ++e) dot += pivot.real[e] * q.real[e];
      const float w = std::copysign(in.weight[i], dot);
      for (int e = 0; e < 4; ++e) {
        r[e] += w * q.real[e];
        d[e] += w * q.dual[e];
      }
    }
    const float inverse = 1 / std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int e = 0; e < 4; ++e) {
      r[e] *= inverse;
      d[e] *= inverse;
    }
    const float* p = rest[v].position;
    // v + 2 r x (r x v + r0 v), then the translation 2 (r0 d - d0 r + r x d).
    const float c[3] = {r[2] * p[2] - r[3] * p[1] + r[0] * p[0],
                        r[3] * p[0] - r[1] * p[2] + r[0] * p[1],
                        r[1] * p[1] - r[2] * p[0] + r[0] * p[2]};
    float* out = posed[v].position;
    out[0] = p[0] + 2 * (r[2] * c[2] - r[3] * c[1] + r[0] * d[1] - d[0] * r[1] + r[2] * d[3] -
                         r[3] * d[2]);
    out[1] = p[1] + 2 * (r[3] * c[0] - r[1] * c[2] + r[0] * d[2] - d[0] * r[2] + r[3] * d[1] -
                         r[1] * d[3]);
    out[2] = p[2] + 2 * (r[1] * c[1] - r[2] * c[0] + r[0] * d[3] - d[0] * r[3] + r[1] * d[2] -
                         r[2] * d[1]);
  }
}

}  // namespace skinbake::plain
