// `skinbake convert walk.mdd walk.npy`: writes a cache in another format.

#pragma once

#include <cstdint>
#include <string>

#include "options/option_groups.h"

namespace skinbake::cli {

struct ConvertOptions : CommonOptions {
  std::string from, to;
  std::string mesh;  // of a cache of several meshes; empty: all of them
  double fps = 0;    // 0: by the sidecar or the cache
  bool strict = false;
  bool half = false;
  bool verify = false;
  bool sync = false;
};

// Returns the exit code. Throws Error and UsageError.
int run_convert(const ConvertOptions& options);

}  // namespace skinbake::cli
