// The text that `diff` of frames prints.

#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "skinbake/caches.h"

namespace skinbake::cli {

// Whether the relative errors of a mesh are parts of the diagonal of a bind pose; else, of the
// first frame of A: caches without a rig do not have a node.
inline bool has_bind_pose(const MeshRecord& mesh) {
  return mesh.rig->node >= 0;
}

// Whether rigs of the report have other triangles between the same vertices: then equal frames are
// not equal surfaces.
bool have_other_triangles(const Report& report);

// The difference of two caches, in the only run of the report. `parts`: the meshes of a cache of
// several.
std::string difference_text(const Report& report, const std::vector<CachePart>& parts);

}  // namespace skinbake::cli
