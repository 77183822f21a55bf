// Entry points of the code that is compiled once per instruction set. Plain structs and function
// pointers: the caller never sees a register.

#pragma once

#include <span>

#include "bake/binding.h"
#include "clip/joint_block.h"

namespace skinbake {

// One method, some vertices, 16 frames.
template <class T>
struct SkinTask {
  const Binding<T>* binding = nullptr;
  const JointBlock<T>* joints = nullptr;
  const T* prepared = nullptr;  // [joint][element][frame]: the method's own form of the joints
  bool stretched = false;       // see RigidFactors::is_stretched
  VertexRange vertices;
  T* positions = nullptr;  // out: [vertex][axis][frame], from vertices.first
  T* normals = nullptr;    // out, or null
};

template <class T>
struct MethodKernels {
  std::size_t elements_per_joint;  // of `prepared`
  bool is_rigid;                   // needs JointBlock's rigid parts
  void (*prepare)(const JointBlock<T>& joints, T* prepared);
  // False if a position is not finite.
  bool (*skin)(const SkinTask<T>& task);
};

// The kernels of every method, in the order of methods(), for the instruction set in force.
std::span<const MethodKernels<float>> float_kernels();
std::span<const MethodKernels<double>> double_kernels();

// The instruction set in force; "AVX3" is AVX-512.
const char* target_name();

}  // namespace skinbake
