// Auxiliary files: files that a format writes beside a cache, other than the sidecar.

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "jobs/bake_job.h"
#include "outputs/format_options.h"

namespace skinbake::cli {

std::vector<std::string> auxiliary_files_of(const std::string& path, const FormatOptions& options);

// Returns an issue, COMPANION_OLDER, for each auxiliary file that an earlier bake with other
// options has left beside a cache and that this run does not replace. The file is not removed:
// another program may use it. Reports do not contain these issues, because they do not concern the
// input.
Issues older_auxiliary_files(const std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
