// Entry points of the kernels, which are compiled once per method and instruction set. They are
// plain structs and function pointers: the caller does not see registers.

#pragma once

#include <span>
#include <type_traits>

#include "bake/kernels/packed_rig.h"
#include "clip/poses/joint_block.h"
#include "methods/method.h"

namespace skinbake {

// Where the joints that a method reads lie, [joint][element][frame].
enum class JointForm {
  kMatrix,  // JointBlock::posed_from_rest
  kRigid,   // JointBlock::posed_from_scaled
  kOwn      // an array that `prepare`, or MethodHooks::pose_joints, fills
};

// The joints of one block, for one method.
template <class T>
struct PrepareTask {
  const JointBlock<T>* joints = nullptr;
  const BindData* bind_data = nullptr;
  Parameters parameters;
  const T* method_joints = nullptr;  // [joint][element][frame]: the joints as parts read them
  bool stretched = false;            // Pose::is_stretched of the parts
  T* own_joints = nullptr;           // out: the same array, if the method has its own form
  T* parts = nullptr;                // out, in double only: [part][element][frame]
};

// One method, some vertices, 16 frames.
template <class T>
struct SkinTask {
  const PackedRig<T>* rig = nullptr;
  const BindNumbers<T>* bind_data = nullptr;
  const JointBlock<T>* joints = nullptr;
  const T* method_joints = nullptr;  // [joint][element][frame]: the joints as the method reads them
  const T* parts = nullptr;          // [part][element][frame]
  Parameters parameters;
  bool stretched = false;  // whether the driver scales points by the joints' stretches
  VertexRange vertices;
  T* positions = nullptr;  // out: [vertex][axis][frame], from vertices.first
  T* normals = nullptr;    // out, or null
  // Out beside normals, or null: tangents moved by the linear part, not of unit length.
  T* tangents = nullptr;
};

// One sweep of a method that relaxes, some vertices, 16 frames.
template <class T>
struct RelaxTask {
  const PackedRig<T>* rig = nullptr;
  const BindNumbers<T>* bind_data = nullptr;
  const JointBlock<T>* joints = nullptr;
  Parameters parameters;
  int sweep = 0;
  VertexRange vertices;
  SurfaceArrays<T> surface;
  T* to = nullptr;  // out: [vertex][axis][frame] of the whole mesh
};

// A method has either `prepare` and `skin` or `relax` and `place_rest`; the other two are null.
template <class T>
struct MethodKernels {
  JointForm joint_form;
  std::size_t elements_per_joint;  // of JointForm::kOwn; else 0
  std::size_t elements_per_part;
  void (*prepare)(const PrepareTask<T>& task);
  // `skin` and `relax` return false if a position or a normal is not finite.
  bool (*skin)(const SkinTask<T>& task);
  bool (*relax)(const RelaxTask<T>& task);
  void (*place_rest)(const RelaxTask<T>& task);  // writes vertices at rest, with morph targets
};

// The optional functions of a method that run once per rig or frame, in double (methods/method.h).
// Null: the method does not have the function.
struct MethodHooks {
  bool is_rigid;  // needs JointBlock's rigid parts
  BindData (*bind)(const BindInput& input);
  BindForm (*bind_form)(const BindInput& input);
  void (*pose_joints)(const PosedJoints& posed, std::span<double> out);
  ScalePivot (*scale_pivot)(Parameters parameters);
  bool (*is_tracked)(Parameters parameters);
  int (*base)(Parameters parameters);
  int (*sweep_count)(Parameters parameters);
};

struct MethodEntry {
  // For the instruction set in use (bake/kernels/targets.h).
  const MethodKernels<float>& (*float_kernels)();
  const MethodKernels<double>& (*double_kernels)();
  MethodHooks hooks;
};

// The entries of all methods, in the order of methods().
std::span<const MethodEntry* const> method_entries();

template <class T>
const MethodKernels<T>& kernels(const Method& method) {
  const MethodEntry& entry = *method_entries()[static_cast<std::size_t>(method.index)];
  if constexpr (std::is_same_v<T, float>) return entry.float_kernels();
  if constexpr (std::is_same_v<T, double>) return entry.double_kernels();
}
inline const MethodHooks& hooks(const Method& method) {
  return method_entries()[static_cast<std::size_t>(method.index)]->hooks;
}

}  // namespace skinbake
