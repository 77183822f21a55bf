// The comparison of the frames of two files: its report, its text, its run.

#pragma once

#include <string>
#include <vector>

#include "diff/compared.h"
#include "diff/options.h"
#include "report/report.h"
#include "skinbake/caches.h"
#include "skinbake/compare.h"

namespace skinbake::cli {

// ---- The report of a comparison of frames.

// The report with its checks. It refers to `c`, which is completed by the clip of a cache.
Report make_report(const DiffOptions& options, Compared& c, const Difference& difference);

// The files that issues may refer to.
std::vector<std::string> files_of(const Compared& c);

// ---- The text that `diff` of frames prints.

// Whether the relative errors of a mesh are parts of the diagonal of a bind pose; else, of the
// first frame of A: caches without a rig do not have a node.
inline bool has_bind_pose(const MeshRecord& mesh) {
  return mesh.rig->node >= 0;
}

// What else than positions differs between rigs of the report: "triangles" between the same
// vertices, "channels" of clips, or "triangles and channels". Equal frames are not equal files
// then. Empty: nothing.
std::string other_differences(const Report& report);

// The difference of two caches, in the only run of the report. `parts`: the meshes of a cache of
// several.
std::string difference_text(const Report& report, const std::vector<CachePart>& parts);

// ---- `diff` of two caches or rigs, frame by frame and vertex by vertex.

// Returns the exit code. Throws Error and UsageError.
int diff_frames(DiffOptions options);

}  // namespace skinbake::cli
