// The interface of a method, and the form of its bind data.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "rig/joint_tree.h"
#include "skinbake/methods.h"

namespace skinbake {

// ---- The interface of a method, except for the arguments in lanes (pose-inl.h).
//
// A method is a struct template over `Real` (README.md in this folder). It blends the joints of one
// vertex into one transform, and does not know lanes, frames or blocks.
//
// Compulsory
//   kInfo                      its description for users, its properties, its parameters
//   Transform                  the type that it reads of each joint: Affine<Real>, the joint's
//                              matrix, or Rigid<Real>, its rigid part (the driver then scales
//                              points first)
//   Joint                      its own form of a joint; the same type as Transform if it reads
//                              transforms as they are
//   blend(influences, pose)    the transform of one vertex
//   kIsLinear                  whether `blend` is a weighted sum of the joints' matrices
//
// Optional; a method has the function if the struct declares it
//   joint(transform)           computes Joint, once per joint and block; compulsory unless Joint is
//                              Transform, or the method has pose_joints
//   pose_joints(posed, out)    computes Joint for all joints of a frame together, in double
//   bind(input) -> BindData    computes numbers per vertex, once per rig, in double
//   bind_form(input)           the form of the bind data; the bind cache stores the data of
//                              methods with this function, whose binds take long
//   blend(vertex, pose)        replaces blend(influences, pose) in a method that reads more of the
//                              vertex than its influences, such as its bind data
//   Part, part(of, pose)       data that several vertices share in a block, such as the centre of a
//                              set of joints: once per part of the bind data and block, in double
//   move(vertex, pose, u, p)   corrects the point p to which u was moved
//   scale_pivot(parameters)    the pivot of the joints' stretches; kJoint if absent
//   is_tracked(parameters)     whether it needs rotations that are tracked through time
//
// A method that smooths the result of another method has, instead of Joint and blend,
//   base(parameters)           that method, an index into methods()
//   sweep_count(parameters)    the number of sweeps over all vertices
//   relax(vertex, surface)     a vertex's displacement, from all displacements after the last
//   sweep;
//                              in the last sweep, its position
// and may have `bind`. It is given the common scale if its Transform is Rigid<Real>.

// An influence as lanes read it. T: float, or double for the exact reference.
template <class T>
struct PackedInfluence {
  std::uint32_t joint;
  T weight;
};

// The influences of one vertex, the heaviest first; their weights sum to 1.
template <class T>
using Influences = std::span<const PackedInfluence<T>>;

// A method's parameters: Method::values.
using Parameters = std::span<const double>;

// The pivot of the joints' scale and shear, which act before their rigid parts
// (clip/poses/rigid_pose.h).
enum class ScalePivot {
  kJoint,   // each joint's head
  kVertex,  // the vertex: the driver scales points by the common scale alone, and the method
            // applies the stretches (Pose::stretch)
  kOrigin,  // the origin of bind space
};

// The result of a bind: plain arrays of numbers, which the bind cache can store. Every vertex has a
// list of entries, each an index and some numbers. Parts are shared by vertices.
template <class T>
struct BindNumbers {
  std::uint32_t numbers_per_entry = 0;
  std::vector<std::uint32_t> first_entry;  // [vertex + 1]; empty: there are no entries
  std::vector<std::uint32_t> indices;      // [entry] a joint or a part, as the method defines
  std::vector<T> numbers;                  // [entry][number]

  std::uint32_t numbers_per_part = 0;
  std::vector<std::uint32_t> first_part_joint;  // [part + 1]; empty: there are no parts
  std::vector<std::uint32_t> part_joints;
  std::vector<T> part_numbers;  // [part][number]

  std::size_t part_count() const {
    return first_part_joint.empty() ? 0 : first_part_joint.size() - 1;
  }
};
using BindData = BindNumbers<double>;

// A part, as Method::part reads it.
struct PartOf {
  std::span<const std::uint32_t> joints;
  std::span<const double> numbers;
};

// Calls work(first, last) for ranges that together are 0 … count, on several threads. Calls must
// not write to the same memory.
class ParallelFor {
 public:
  using Work = std::function<void(std::size_t first, std::size_t last)>;
  // Without `until`, a call counts as half of the rest of a bind: a bind need not know how many
  // calls it will make, and its progress never goes back.
  static constexpr double kHalfOfTheRest = -1;

  // run(count, work), or run(count, work, until): `until` is the part of the bind, 0 to 1, that is
  // done after the call.
  template <class Run>
  requires std::invocable<Run&, std::size_t, const Work&> ||
      std::invocable<Run&, std::size_t, const Work&, double>
      ParallelFor(Run run) {
    if constexpr (std::invocable<Run&, std::size_t, const Work&, double>) {
      run_ = std::move(run);
    } else {
      run_ = [run = std::move(run)](std::size_t count, const Work& work, double) {
        run(count, work);
      };
    }
  }

  void operator()(std::size_t count, const Work& work, double until = kHalfOfTheRest) const {
    run_(count, work, until);
  }

 private:
  std::function<void(std::size_t, const Work&, double)> run_;
};

// The input of bind. Positions are relative to `centre`, as in the kernels.
struct BindInput {
  const Rig& rig;
  const JointTree& tree;
  Vec3<double> centre;
  Parameters parameters;
  const JointParameters& joint_parameters;
  ParallelFor in_parallel;  // reports progress; throws Cancelled

  Vec3<double> position(VertexIndex v) const {
    const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
    return {static_cast<double>(p[0]) - centre.x, static_cast<double>(p[1]) - centre.y,
            static_cast<double>(p[2]) - centre.z};
  }
};

// The joints of one frame, for pose_joints. Shapes [joint].
struct PosedJoints {
  const JointTree& tree;
  Parameters parameters;
  bool stretched;  // Pose::is_stretched; otherwise `chained` and `scaled_first` are not needed
  double common_scale;
  std::span<const Rigid<double>> posed_from_scaled;
  std::span<const Affine<double>> chained;     // with the stretch (clip/poses/rigid_pose.h)
  std::span<const std::uint8_t> scaled_first;  // 1: the joint's stretch acts before all others
  std::span<const double>
      twists;  // radians about the joint's bone, relative to its parent; tracked
};

// Arrays of the whole mesh, of the shape [vertex][axis][frame]. For methods that relax.
template <class T>
struct SurfaceArrays {
  const T* base = nullptr;   // positions by the base method
  const T* first = nullptr;  // displacements from `base` after sweep 0; null in sweep 0
  const T* from = nullptr;   // displacements after the sweep before; null in sweep 0
  // The rest pose, and its displacements before the last sweep; null unless Surface::has_morphs.
  const T* rest_base = nullptr;
  const T* rest = nullptr;
};

// ---- The form of a method's bind data, with which the bind cache checks a file before a method
// reads it: anybody can write a file with a right checksum.

// The entries of one vertex.
struct BindEntries {
  std::span<const std::uint32_t> indices;
  std::span<const double> numbers;
};

// Bind data with this form does not have parts, and has a list of entries for every vertex.
struct BindForm {
  std::uint32_t numbers_per_entry;
  std::uint64_t most_entries;  // of all vertices together
  // Says why `bind` cannot return these entries, as "its index 7 is not 0". Empty if it can.
  // Numbers are finite.
  std::string (*fault)(const BindInput& input, const BindEntries& entries);
};

}  // namespace skinbake
