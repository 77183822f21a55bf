// The options of commands as keys of manifests.

#pragma once

#include <vector>

#include "batch/jobs/manifest.h"

namespace skinbake::cli {

// The commands that jobs can name, with a key for each option that has a meaning in a batch.
std::vector<ManifestCommand> manifest_commands();

}  // namespace skinbake::cli
