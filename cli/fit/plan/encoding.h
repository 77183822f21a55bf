// --format glb:quantize=1,meshopt=1: how the output stores what the fit adds.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gltf/write/rig_file.h"

namespace skinbake::cli {

struct FitEncoding {
  ChangeEncoding changes;
  std::optional<int> bits;  // of a coordinate with quantize=1
};

// `texts`: the values of --format. Throws Error (kUsage, FORMAT_OPTION_UNKNOWN) and UsageError.
FitEncoding fit_encoding(const std::vector<std::string>& texts);

}  // namespace skinbake::cli
