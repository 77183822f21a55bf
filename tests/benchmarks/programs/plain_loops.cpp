#include "benchmarks/programs/plain_loops.h"

#include <cmath>

namespace skinbake::plain {

namespace {

// Blends the matrices, then transforms the point.
void blend_matrices(const Vertex* __restrict rest, const Influences* __restrict influences,
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

// Transforms the point by each matrix, then blends the points.
void blend_points(const Vertex* __restrict rest, const Influences* __restrict influences,
                  const Matrix* __restrict joints, std::size_t vertex_count,
                  Vertex* __restrict posed) {
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const float* p = rest[v].position;
    alignas(16) float out[4] = {};
    for (int i = 0; i < 4; ++i) {
      const float w = influences[v].weight[i];
      const float* m = joints[influences[v].joint[i]].m;
      for (int a = 0; a < 4; ++a) {
        out[a] += w * (m[a] * p[0] + m[4 + a] * p[1] + m[8 + a] * p[2] + m[12 + a]);
      }
    }
    for (int a = 0; a < 3; ++a) posed[v].position[a] = out[a];
  }
}

// Blends the columns of the matrices as four separate vectors, then transforms the point.
void blend_columns(const Vertex* __restrict rest, const Influences* __restrict influences,
                   const Matrix* __restrict joints, std::size_t vertex_count,
                   Vertex* __restrict posed) {
  for (std::size_t v = 0; v < vertex_count; ++v) {
    alignas(16) float x[4] = {}, y[4] = {}, z[4] = {}, t[4] = {};
    for (int i = 0; i < 4; ++i) {
      const float w = influences[v].weight[i];
      const float* m = joints[influences[v].joint[i]].m;
      for (int a = 0; a < 4; ++a) x[a] += w * m[a];
      for (int a = 0; a < 4; ++a) y[a] += w * m[4 + a];
      for (int a = 0; a < 4; ++a) z[a] += w * m[8 + a];
      for (int a = 0; a < 4; ++a) t[a] += w * m[12 + a];
    }
    const float* p = rest[v].position;
    alignas(16) float out[4];
    for (int a = 0; a < 4; ++a) out[a] = x[a] * p[0] + y[a] * p[1] + z[a] * p[2] + t[a];
    for (int a = 0; a < 3; ++a) posed[v].position[a] = out[a];
  }
}

}  // namespace

const LinearBlendLoop kLinearBlendLoops[3] = {{"blended matrices", blend_matrices},
                                              {"blended points", blend_points},
                                              {"blended columns", blend_columns}};

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
