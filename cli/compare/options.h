// The options of `skinbake compare` that `skinbake bake` does not have.

#pragma once

#include <string>
#include <vector>

#include "bake/options.h"
#include "report/recommendation.h"

namespace skinbake::cli {

struct CompareOptions : BakeOptions {
  int explained = 0;  // vertices for each method
  bool recommends = false;
  std::vector<RecommendLimit> limits;  // of --recommend
};

// Returns the exit code. Throws Error and UsageError.
int run_compare(CompareOptions options);

}  // namespace skinbake::cli
