// The report of a bake: what the jobs measured and wrote, and whether it is within the thresholds.

#pragma once

#include <deque>

#include "bake_job.h"
#include "bake_options.h"

namespace skinbake::cli {

// Of jobs that are done; takes their records.
Report make_report(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                   std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
