// --view of bake and compare: records the frames for the animated mesh on the web page.

#pragma once

#include <deque>

#include "jobs/bake_job.h"

namespace skinbake::cli {

// Gives every job the sinks that record its frames.
void record_views(const ResolvedOptions& resolved, std::deque<MeshJobs>& meshes);

// The recorded frames, and the appearance of the meshes. Call after the bake.
View recorded_view(const BakeOptions& options, const ResolvedOptions& resolved,
                   std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
