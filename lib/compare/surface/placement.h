// How one surface is placed on another, and the extent of surfaces.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/surface/bind_surface.h"
#include "compare/surface/surfaces.h"
#include "rig/rest_pose.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- Which joint places two surfaces in their bind pose.

// Another joint than the heaviest of A places the meshes, because the bind matrices of the heaviest
// or its places at rest differ between the files.
struct OtherPlacement {
  std::string joint, heaviest;  // names in A
  double apart_m = 0;           // the mean distance of both files at bind by the heaviest
};

struct PlacedSurfaces {
  BindSurfaces surfaces;
  std::optional<OtherPlacement> placement;  // none: the heaviest joint places them
};

// bind_surfaces, which also says how the surfaces are placed.
PlacedSurfaces placed_surfaces(std::span<const Rig* const> a, std::span<const Rig* const> b);

// ---- What tells two surfaces apart that cannot be compared: their sizes, their areas, their
// triangles.

// The extent of the triangles of a surface: files may have other vertices anywhere.
struct SurfaceExtent {
  std::size_t triangles = 0;
  std::array<double, 3> edges{};  // of the bounding box, metres, the longest first
  double diagonal_m = 0;
  double area_m2 = 0;
};
// Precondition: there are triangles.
SurfaceExtent extent_of(const BindSurface& surface);

// Why two surfaces are not comparable, as the end of a message: other units only if both have one
// shape, else the parts that one lacks. "; B is 100 times as large as A (diagonals of 180 m and
// 1.8 m): if the files have other units, scale one of them first"; "; B has 1 triangle, 0.2 % of
// the area and 4 % of the diagonal of A, which has 1000 triangles: …"; empty: sizes and areas are
// alike. `has_several_meshes`: --mesh can choose a part of either.
std::string cause_text(const std::array<SurfaceExtent, 2>& extents,
                       const std::array<std::string, 2>& names, bool has_several_meshes);

// ---- Which joint places the meshes of two files in the scene at bind.
//
// The bind pose of a mesh is K . POSITION (metrics/baseline.cpp), but the joint of K is not the
// heaviest of each mesh: simplified vertices may give another joint the most weight, and where the
// rest pose is not the bind pose, two joints place the mesh differently. All meshes of both files
// take one joint: of the joints that they have, the one with the greatest weight in A. If its bind
// matrix or its place at rest is not the same in both files, it moves all of B. Another joint,
// which brings both files nearer to each other, then takes its place.

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
