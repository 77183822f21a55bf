// Frames that are compared, and the order of their vertices.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/surface/surfaces.h"
#include "diff/options.h"
#include "diff/side.h"
#include "report/report.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "surfaces/triangle_issue.h"

namespace skinbake::cli {

// ---- Whether the vertices of two sides have the same order, so that they can be compared by
// index.

// Two rigs with equally many vertices in the bind pose.
class RigsAtBind {
 public:
  // Throws Error (kInput) if a position is not finite.
  RigsAtBind(const ChosenRig& a, const ChosenRig& b);

  // Throws Error (kNotComparable) if the vertices have another order, so that a comparison by index
  // would pair vertices of other places.
  void require_same_order() const;

  // Warns if there are other triangles between equal indices.
  Issues other_triangles() const;

  SurfaceAreas areas() const;

 private:
  std::string path_a_, path_b_;
  BindSurfaces surfaces_;
};

// Warns if the vertices of the first frame are at the places of one another, but have other
// indices. `rig`: of either side; null: unknown.
Issues other_order(const DiffSide& a, const DiffSide& b, const Rig* rig);

// ---- Whether equal frames are of equal clips.

struct ClipOfSkeleton {
  const Skeleton* skeleton;  // not null
  const Clip* clip;          // null: the rest pose
};

// Warns if channels of the clips differ, although their frames do not. `path_b`: of the issue.
Issues other_channels(const std::string& path_b, const ClipOfSkeleton& a, const ClipOfSkeleton& b);

// ---- Two sides whose frames are compared by index: caches, or rigs that are evaluated.

// The two sides and the data that a report of their frames refers to.
struct Compared {
  DiffSide a, b;
  std::optional<RigsAtBind> at_bind;                          // of two rigs
  std::optional<ChosenRig> rig;                               // --rig
  std::optional<CacheProvenance> a_provenance, b_provenance;  // read only for a report
  Rig first_frame;  // the mesh of A's first frame, if there is no rig
  Clip clip;        // the clip of a cache, by its sidecar
  MeshRecord mesh;  // without runs
  FrameRange frames;
};

// Opens both sides and evaluates those that are rigs, at the rate of --fps, which `clip` settles.
// Throws Error and UsageError.
void open_sides(DiffOptions& options, Compared& c);

// Reads the sidecars, which takes as long as reading the caches.
void read_provenance(Compared& c);

// The meshes in a cache of several.
std::vector<CachePart> parts_of(const Compared& c);

}  // namespace skinbake::cli
