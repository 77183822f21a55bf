// The files that a fit writes.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "fit/options.h"
#include "fit/plan/mesh_fit.h"
#include "report/write/fit_report.h"

namespace skinbake::cli {

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

}  // namespace skinbake::cli
