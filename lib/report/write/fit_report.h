// The JSON report of a fit. lib/report/fit.schema.json fixes its layout.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/fit.h"

namespace skinbake {

// The largest error of the written file, which was read back and measured again.
struct FitReadBack {
  std::string mesh, clip;
  FitError error;
};

// The file that a fit wrote.
struct FitOutput {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t added_bytes = 0;         // more than a GLB without the changes
  std::optional<FitReadBack> read_back;  // none: it was not verified
};

// The result of a fit with helper joints, or with correctives alone.
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

// The bytes that the changes of a mesh add to a file.
struct FitBytes {
  std::uint64_t correctives = 0, joints = 0;  // joints: helpers and influences
};

// The effect of a fit on clips that it does not contain.
struct FitLeftOut {
  // Whether the fit may move them: helper joints and influences do, correctives are at rest there.
  bool is_moved = false;
  struct Of {
    FitClip clip;
    LeftOutErrors errors;
  };
  std::vector<Of> clips;                   // that are moved and were measured
  std::vector<const Clip*> too_long = {};  // moved, and too long to be measured
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
  int helpers = 0;                // the requested limit
  std::optional<int> influences;  // likewise, of a vertex
  // What they learn from: "clips", "rom", "rom:arms".
  std::vector<std::string> influences_training;
  std::optional<int> bits;  // of quantised coordinates
  bool meshopt = false;
  std::optional<FitOutput> output;                // none: nothing was written
  std::span<const FitResult> results;             // one for each mesh
  std::vector<std::optional<FitChoice>> choices;  // likewise; none: there was nothing to choose
  std::vector<FitLeftOut> left_out;               // likewise
  std::vector<FitBytes> bytes;                    // likewise
  Issues issues;
  std::vector<std::string> allowed = {};  // as in Report
};

// Why a mesh has fewer correctives than requested: each frame of the fit has one, or no other
// corrective moves a vertex.
enum class FewerCorrectives { kFrames, kNothingLeft };
// None: the mesh has as many, or no number was requested.
std::optional<FewerCorrectives> fewer_correctives(const FitReport& report, const FitResult& result);

std::string to_json(const FitReport& report);

}  // namespace skinbake
