// Entry points of the code that is compiled once per method and instruction set. Plain structs and
// function pointers: the caller never sees a register.

#pragma once

#include <span>

#include "bake/binding.h"
#include "clip/joint_block.h"

namespace skinbake {

// The joints of one block, for one method.
template <class T>
struct PrepareTask {
  const JointBlock<T>* joints = nullptr;
  const Bound* bound = nullptr;
  Parameters parameters;
  T* prepared = nullptr;  // out: [joint][element][frame]; in, if the method has pose_joints
  T* parts = nullptr;     // out, in double only: [part][element][frame]
};

// One method, some vertices, 16 frames.
template <class T>
struct SkinTask {
  const Binding<T>* binding = nullptr;
  const BoundNumbers<T>* bound = nullptr;
  const JointBlock<T>* joints = nullptr;
  const T* prepared = nullptr;  // [joint][element][frame]: the method's own form of the joints
  const T* parts = nullptr;     // [part][element][frame]
  Parameters parameters;
  bool stretched = false;  // see RigidFactors::is_stretched
  VertexRange vertices;
  T* positions = nullptr;  // out: [vertex][axis][frame], from vertices.first
  T* normals = nullptr;    // out, or null
  T* tangents = nullptr;   // out beside normals, or null: moved by the linear part, of any length
};

// One sweep of a method that relaxes, some vertices, 16 frames.
template <class T>
struct RelaxTask {
  const Binding<T>* binding = nullptr;
  const BoundNumbers<T>* bound = nullptr;
  const JointBlock<T>* joints = nullptr;
  Parameters parameters;
  int sweep = 0;
  VertexRange vertices;
  const T* from = nullptr;  // [vertex][axis][frame] of the whole mesh
  const T* origin =
      nullptr;              // [axis][frame] a point amid the mesh, for methods to work relative to
  const T* rest = nullptr;  // likewise, for the last sweep of a mesh with morph targets
  const T* rest_origin = nullptr;  // of `rest`
  T* to = nullptr;                 // out, of the whole mesh
};

// Either prepare and skin or relax and place_rest; the others are null.
template <class T>
struct MethodKernels {
  std::size_t elements_per_joint;  // of `prepared`
  std::size_t elements_per_part;
  void (*prepare)(const PrepareTask<T>& task);
  // False if a position is not finite.
  bool (*skin)(const SkinTask<T>& task);
  bool (*relax)(const RelaxTask<T>& task);       // likewise
  void (*place_rest)(const RelaxTask<T>& task);  // vertices at rest, with their morph targets
};

// What a method does once per rig or frame, in double; null where it does not.
struct MethodHooks {
  bool is_rigid;  // needs JointBlock's rigid parts
  Bound (*bind)(const BindInput& input);
  void (*pose_joints)(const PosedJoints& posed, std::span<double> out);
  ScalePivot (*scale_pivot)(Parameters parameters);
  bool (*is_tracked)(Parameters parameters);
  int (*base)(Parameters parameters);
  int (*sweep_count)(Parameters parameters);
};

struct MethodEntry {
  const MethodKernels<float>& (*float_kernels)();  // for the instruction set in force
  const MethodKernels<double>& (*double_kernels)();
  MethodHooks hooks;
};

// Of every method, in the order of methods().
std::span<const MethodEntry* const> method_entries();

inline const MethodKernels<float>& float_kernels(const Method& method) {
  return method_entries()[static_cast<std::size_t>(method.index)]->float_kernels();
}
inline const MethodKernels<double>& double_kernels(const Method& method) {
  return method_entries()[static_cast<std::size_t>(method.index)]->double_kernels();
}
inline const MethodHooks& hooks(const Method& method) {
  return method_entries()[static_cast<std::size_t>(method.index)]->hooks;
}

}  // namespace skinbake
