// What a format writes beside a cache, its sidecar apart.

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "bake_job.h"
#include "format_options.h"

namespace skinbake::cli {

std::vector<std::string> companions_of(const std::string& path, const FormatOptions& options);

// COMPANION_OLDER: companions that are there though this run writes none; they are of an earlier
// bake, with other options. They stay: nobody says that they are not wanted. No report has them,
// for they are nothing of the input.
Issues older_companions(const std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
