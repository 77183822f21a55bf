// The options of `skinbake compare` that `skinbake bake` does not have.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "bake/options.h"
#include "compare/surface/surfaces.h"
#include "report/recommendation.h"

namespace skinbake::cli {

struct CompareOptions : BakeOptions {
  std::vector<std::string> lods;           // files of levels of detail; empty: methods are compared
  double sampling = MatchPlan{}.sampling;  // of the surfaces of levels
  bool overlap = false;                    // clips of levels of unequal length are meant
  std::set<std::string> typed;             // "--clip": the options on the command line
  int explained = 0;                       // vertices for each method
  bool recommends = false;
  std::vector<RecommendLimit> limits;  // of --recommend
};

// Returns the exit code. Throws Error and UsageError.
int run_compare(CompareOptions options);

}  // namespace skinbake::cli
