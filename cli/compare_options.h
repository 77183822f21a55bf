// The options that only `skinbake compare` has.

#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "bake_options.h"

namespace skinbake::cli {

struct CompareOptions : BakeOptions {
  int explained = 0;  // vertices for each method
  bool recommends = false;
  std::vector<RecommendLimit> limits;  // of --recommend
};

void add_compare_options(CLI::App& command, CompareOptions& options);

// --recommend and its limits want each other. Throws CLI::ValidationError.
void check_recommendation(const CompareOptions& options);

}  // namespace skinbake::cli
