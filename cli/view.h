// --view of bake and compare: the mesh itself on the page of --html, out of the same pass.

#pragma once

#include <deque>
#include <string>

#include "bake_job.h"

namespace skinbake::cli {

// Throws Error (kUsage), saying how to come by one, in a build without the viewer. `option`: what
// asks for it.
void require_viewer(const std::string& option);

// Gives every job what keeps its frames.
void record_views(const Resolved& resolved, std::deque<MeshJobs>& meshes);

// What was kept, after the bake.
View recorded_view(const BakeOptions& options, const Resolved& resolved,
                   std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
