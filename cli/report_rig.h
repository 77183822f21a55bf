// --rig of report: the frames that a report is of, evaluated once more to be shown in space.

#pragma once

#include <map>
#include <string>

#include "load_options.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

struct ReportRigOptions {
  std::string rig;        // empty: no view
  std::string clip, map;  // of clips from another file
  LoadOptions load;
};

class ReportRig {
 public:
  // Loads and evaluates. Throws Error: kNotComparable if the files are not those of the report,
  // kUsage if the report has no rig or was made of a file that is not given, kInput.
  ReportRig(const ReportRigOptions& options, const ReportView& report);

  const View& view() const { return view_; }

 private:
  void take_rigs(const ReportView& report);
  MethodRun run_of(const RunView& shown, std::size_t mesh);
  void add_runs(const ReportView& report, std::size_t mesh, std::int64_t stride, ViewClip& clip);

  Asset asset_;
  std::vector<ModifiedRig> modified_;
  std::map<std::string, std::vector<ModifiedRig>> profiled_;  // [profile][mesh]
  std::vector<const Rig*> rigs_;                              // of the report's meshes
  View view_;
};

}  // namespace skinbake::cli
