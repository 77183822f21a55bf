// The JSON report of a fit. lib/report/fit.schema.json fixes its layout.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/fit.h"
#include "skinbake/input_file.h"

namespace skinbake {

// The file that a fit wrote.
struct FitOutput {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t added_bytes = 0;  // more than a GLB without the changes
};

struct FitReport {
  std::vector<InputFile> inputs;
  double fps = 30;
  std::string method;                // canonical name; empty: the targets are caches
  std::vector<std::string> targets;  // paths of caches
  std::optional<double> max_error_m, max_error_relative;
  std::optional<int> correctives;
  int max_correctives = 64;
  bool normals = false;
  std::optional<FitOutput> output;     // none: nothing was written
  bool is_verified = false;            // the written file was read back and measured
  std::span<const FitResult> results;  // one for each mesh
  Issues issues;
};

std::string to_json(const FitReport& report);

// The JSON schema of the report.
std::string_view fit_schema();

}  // namespace skinbake
