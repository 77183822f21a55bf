// Two sides whose frames are compared by index: caches, or rigs that are evaluated.

#pragma once

#include <optional>
#include <vector>

#include "diff/frames/side.h"
#include "diff/frames/vertex_order.h"
#include "diff/options.h"
#include "report/report.h"
#include "skinbake/caches.h"

namespace skinbake::cli {

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

// Opens both sides and evaluates those that are rigs. Throws Error and UsageError.
void open_sides(const DiffOptions& options, Compared& c);

// Reads the sidecars, which takes as long as reading the caches.
void read_provenance(Compared& c);

// The meshes in a cache of several.
std::vector<CachePart> parts_of(const Compared& c);

}  // namespace skinbake::cli
