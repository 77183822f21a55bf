// The results of a fit: the choice that is written, its files, its report, and its verification.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "fit/options.h"
#include "fit/plan.h"
#include "gltf/write/added_bytes.h"
#include "report/write/fit_report.h"
#include "skinbake/fit.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// ---- --helpers with a bound: helper joints and correctives reach it in other ways, of which the
// file gets the cheaper one.

// The bytes that changes add to the file.
FitBytes bytes_of(const RigChanges& changes, AddedBytes& sizes);

struct ChosenFit {
  FitResult result;
  std::optional<FitChoice> choice;  // none: there was nothing to choose
};

// Fits the rig of the plan with its helpers, and, where correctives alone may reach the bound too,
// without them. Where both reach it, the result with fewer bytes is chosen; where one does, that
// one; else the one with the smaller error. Throws as fit_rig does.
ChosenFit choose_fit(const FitPlan& plan, AddedBytes& sizes);

// ---- The files that a fit writes.

// The outputs of a run, which appear together.
class FitOutputs {
 public:
  // Opens the files, so that an invalid path fails before the first frame.
  explicit FitOutputs(const FitOptions& options);

  // Writes the rig, and reads it back with --verify. The results are the same afterwards.
  FitOutput write_rig(const Asset& asset, const std::vector<MeshFit>& meshes,
                      std::vector<FitResult>& results);

  void write_depfile(const std::vector<std::string>& inputs);
  void write_reports(const ReportTexts& texts);
  // The form of the report for standard output.
  const std::string& printed() const { return reports_.printed(); }

  // Gives the files that were written their names.
  void commit();

 private:
  const FitOptions& options_;
  OutputFile rig_;
  std::optional<OutputFile> depfile_;
  ReportFiles reports_;
  std::vector<OutputFile*> files_;
};

// ---- The report of a run of `skinbake fit`.

// The fits of all meshes, and for each what was chosen, and the bytes that it adds.
struct Fits {
  std::vector<FitResult> results;
  std::vector<std::optional<FitChoice>> choices;
  std::vector<FitBytes> bytes;
};

// Without its output and issues. `targets`: paths of caches. The report points to `fits`.
FitReport report_of(const FitOptions& options, const Asset& asset,
                    const std::vector<std::string>& targets, const Fits& fits);

// ---- --verify: reads the written rig back and measures it again.

// Returns the largest error. Throws Error (kOutput, VERIFICATION_FAILED) if the file cannot be
// read, if a mesh or a clip is missing, or if an error of the meshes is larger than its result
// states. `plans` and `results`: one for each mesh. The file is not committed yet.
FitReadBack verify_fit(const OutputFile& file, std::span<const FitPlan* const> plans,
                       std::span<const FitResult> results, const LoadOptions& load);

}  // namespace skinbake::cli
