// `skinbake merge a.pc2 b.pc2 -o whole.pc2`: puts the parts of one run together, caches or reports.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options/option_groups.h"

namespace skinbake::cli {

struct MergePartsOptions : CommonOptions {
  std::vector<std::string> parts;
  std::string output;
  std::vector<std::string> caches;  // whole ones, which a merged report names
  std::uint64_t max_memory = LoadOptions().max_memory;
  bool sync = false;
  std::optional<std::string> frames;  // A:B[:STEP] of the whole; none: all of the clip
};

// Returns the exit code: 1 if a report exceeds a threshold. Throws Error and UsageError.
int run_merge(const MergePartsOptions& options);

}  // namespace skinbake::cli
