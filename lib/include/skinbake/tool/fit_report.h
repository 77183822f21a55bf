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

// What a fit found with helper joints, or with correctives alone.
struct FitAlternative {
  std::size_t helpers = 0, correctives = 0;
  std::uint64_t added_bytes = 0;
  double max_m = 0;  // the largest distance from the target
  bool is_met = false;
};

struct FitChoice {
  FitAlternative with_helpers, without_helpers;
  bool has_helpers = true;  // the choice
  // Both reach the bound; one does; none does.
  enum class Reason { kFewerBytes, kOnlyWithinBound, kSmallerError } reason = Reason::kFewerBytes;
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
  int helpers = 0;                // the most that were asked for
  std::optional<int> influences;  // likewise, of a vertex
  std::optional<int> bits;        // of quantised coordinates
  bool meshopt = false;
  std::optional<FitOutput> output;                // none: nothing was written
  bool is_verified = false;                       // the written file was read back and measured
  std::span<const FitResult> results;             // one for each mesh
  std::vector<std::optional<FitChoice>> choices;  // likewise; none: there was nothing to choose
  Issues issues;
  std::vector<std::string> allowed = {};  // as in Report
};

std::string to_json(const FitReport& report);

// The JSON schema of the report.
std::string_view fit_schema();

}  // namespace skinbake
