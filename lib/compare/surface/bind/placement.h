// Which joint places the meshes of two files in the scene at bind.
//
// The bind pose of a mesh is K . POSITION (metrics/baseline.cpp), but the joint of K is not the
// heaviest of each mesh: simplified vertices may give another joint the most weight, and where the
// rest pose is not the bind pose, two joints place the mesh differently. All meshes of both files
// take one joint: the one with the greatest weight in A among those that they have. If its bind
// matrix or its place at rest is not the same in both files, it moves all of B. Another joint,
// which brings both files nearer to each other, then takes its place.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compare/surface/bind/joint_pairs.h"
#include "compare/surface/surfaces.h"
#include "rig/rest_pose.h"
#include "skinbake/rig.h"

namespace skinbake {

struct MeshJoint {
  std::uint32_t id = 0;                        // BindSurface::joint_ids
  Affine<double> scene_from_bind = kIdentity;  // K, if this joint places the mesh
  bool is_singular = false;                    // K would be singular; it is the identity
  JointCentre in_mesh;                         // of the vertices in the space of the mesh
};

// The joints of a rig, in its order, without ids. `scenes`: of the rig's skeleton.
std::vector<MeshJoint> mesh_joints(const Rig& rig, RestScenes& scenes);

// The centre of a joint's vertices if an affine map moves them.
JointCentre moved(const JointCentre& centre, const Affine<double>& map);

using SideMeshes = std::vector<std::vector<MeshJoint>>;  // [mesh][joint of the rig]

// The joints that place meshes.
struct PlacingJoints {
  std::vector<std::uint32_t> ranks;  // [joint id] the lowest of a mesh places it
  // If it is not the heaviest: the joints, and the mean distance of both files' joints, weighted by
  // their vertices, if the heaviest places the meshes.
  struct Instead {
    std::uint32_t id = 0, heaviest = 0;
    double apart_m = 0;
  };
  std::optional<Instead> instead;
};

// `heaviest_first`: [rank] joint ids.
PlacingJoints placing_joints(const SideMeshes& a, const SideMeshes& b,
                             std::vector<std::uint32_t> heaviest_first);

// K of a mesh, by the joint of the lowest rank.
const Affine<double>& scene_from_bind(const std::vector<MeshJoint>& mesh,
                                      const std::vector<std::uint32_t>& ranks);

}  // namespace skinbake
