// The reference of the kernel benchmark: plain loops over arrays of structures of float, one vertex
// at a time. They are compiled separately with -O3 -march=native (never shipped).

#pragma once

#include <cstddef>
#include <cstdint>

namespace skinbake::plain {

struct Vertex {
  float position[3];
};
struct Influences {
  std::uint32_t joint[4];
  float weight[4];
};
struct alignas(64) Matrix {
  float m[16];  // columns of four, so that the compiler can vectorise the blend
};
struct DualQuaternion {
  float real[4], dual[4];  // w x y z
};

// One frame of linear blend skinning.
using LinearBlend = void (*)(const Vertex* rest, const Influences* influences, const Matrix* joints,
                             std::size_t vertex_count, Vertex* posed);

// Spellings of the same loop. Which one is the fastest depends on the compiler: GCC 12 reads the
// sum of 16 elements one by one, and Clang 14 reads it as vectors.
struct LinearBlendLoop {
  const char* name;
  LinearBlend run;
};
extern const LinearBlendLoop kLinearBlendLoops[3];

// One frame of dual quaternion skinning, Algorithm 1 of Kavan et al. 2008.
void dual_quaternion(const Vertex* rest, const Influences* influences, const DualQuaternion* joints,
                     std::size_t vertex_count, Vertex* posed);

}  // namespace skinbake::plain
