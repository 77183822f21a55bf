// What a method is made of, apart from lanes.
//
// A method is a struct template over `Real` (README.md in this folder). It sees neither lanes nor
// frames nor vertices' numbers: it blends the joints of one vertex into one transform.
//
// Compulsory
//   kInfo                      what is said of it to users; what it keeps; its parameters
//   Transform                  what it is given of each joint: Affine<Real>, the joint's matrix, or
//                              Rigid<Real>, its rigid part (the driver then scales points first)
//   Joint, joint(transform)    its own form of that, made once per joint and block
//   blend(influences, pose)    the transform of one vertex
//   kIsLinear                  whether that is a weighted sum of the joints' matrices
//
// Optional, each found by its presence
//   bind(input) -> Bound       once per rig, in double: numbers per vertex. blend's first argument
//                              then is the Vertex (pose-inl.h)
//   blend(vertex, pose)        as blend(influences, pose), for a method that wants all of Vertex
//   Part, part(of, pose)       what several vertices share in a block, such as the centre of a set
//                              of joints: once per part of Bound and block, in double
//   pose_joints(posed, out)    takes the place of joint(): all joints of a frame at once, in double
//   move(vertex, pose, u, p)   a last word on the point p that u was moved to
//   scale_pivot(parameters)    about what stretches are made; kJoint if absent
//   is_tracked(parameters)     whether it needs turns that are followed through time
//
// A method that smooths what another one has made has, in the place of joint and blend,
//   base(parameters)           that method, an index into methods()
//   sweep_count(parameters)    how often all vertices are gone over
//   relax(vertex, surface)     a vertex's new place, from where the last sweep left all of them
// and bind, if it wants; Transform says whether it needs the common scale.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rig/joint_tree.h"
#include "skinbake/methods.h"

namespace skinbake {

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

// About what the joints' scale and shear act, before their rigid parts (clip/rigid_pose.h).
enum class ScalePivot {
  kJoint,   // each joint's own place
  kVertex,  // the vertex: points are scaled by the common scale alone, and the method sees to
            // the rest (Pose::stretch)
  kOrigin,  // the origin of bind space
};

// What bind makes: plain arrays of numbers, so that they can be kept in a file. Every vertex has
// some entries, each an index and some numbers; parts are what vertices share.
template <class T>
struct BoundNumbers {
  std::uint32_t numbers_per_entry = 0;
  std::vector<std::uint32_t> first_entry;  // [vertex + 1]; empty: there are no entries
  std::vector<std::uint32_t> indices;      // [entry] a joint, a part: what the method likes
  std::vector<T> numbers;                  // [entry][number]

  std::uint32_t numbers_per_part = 0;
  std::vector<std::uint32_t> first_part_joint;  // [part + 1]; empty: there are no parts
  std::vector<std::uint32_t> part_joints;
  std::vector<T> part_numbers;  // [part][number]

  std::size_t part_count() const {
    return first_part_joint.empty() ? 0 : first_part_joint.size() - 1;
  }
};
using Bound = BoundNumbers<double>;

// A part, as Method::part sees it.
struct PartOf {
  std::span<const std::uint32_t> joints;
  std::span<const double> numbers;
};

// Calls work(first, last) for ranges that together are 0 … count, on several threads; each must
// write places of its own.
using ParallelFor = std::function<void(
    std::size_t count, const std::function<void(std::size_t first, std::size_t last)>& work)>;

// What bind is given. Positions and places are relative to `centre`, as everywhere in lanes.
struct BindInput {
  const Rig& rig;
  const JointTree& tree;
  Vec3<double> centre;
  Parameters parameters;
  const JointParameters& joint_parameters;
  ParallelFor in_parallel;  // counts progress; throws Cancelled

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
  double common_scale;
  std::span<const Rigid<double>> posed_from_scaled;
  std::span<const double> twists;  // about the joint's bone against its parent, unwrapped; tracked
};

}  // namespace skinbake
