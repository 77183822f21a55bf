// `report --rig`: evaluates the frames of a report again for the 3D view.

#pragma once

#include <map>
#include <string>

#include "clips/clip_source.h"
#include "skinbake/bake.h"
#include "skinbake/gltf.h"
#include "skinbake/memory.h"
#include "skinbake/modifiers.h"
#include "skinbake/tool/report/parsed_report.h"
#include "skinbake/tool/report/viewer.h"

namespace skinbake::cli {

struct ReportRigOptions {
  std::string rig;   // empty: no view
  ClipSource clips;  // a file other than the rig's
  LoadOptions load;
};

class ReportRig {
 public:
  // Loads and evaluates. `held`: what the command holds beside it. Throws Error: kNotComparable if
  // the files are not those of the report, kUsage if the report is not of a rig or a file is
  // missing, kInput.
  ReportRig(const ReportRigOptions& options, const ParsedReport& report, MemoryPlan held);

  const Asset& asset() const { return asset_; }
  const View& view() const { return view_; }

 private:
  const std::vector<HumanoidBone>& bones();
  void take_rigs(const ParsedReport& report, const std::vector<Clip>& own_clips);
  MethodRun run_of(const ParsedRun& shown, std::size_t mesh);
  void add_runs(const ParsedReport& report, std::size_t mesh, std::int64_t stride, ViewClip& clip);
  std::uint64_t block_memory_of(const BakePlan& plan) const;

  MemoryPlan held_;
  std::uint64_t max_memory_;
  Asset asset_;
  MuscleRanges ranges_;  // of --ranges
  std::vector<ModifiedRig> modified_;
  std::map<std::string, std::vector<ModifiedRig>> profiled_;  // [profile][mesh]
  std::vector<const Rig*> rigs_;                              // [mesh of the report]
  View view_;
};

}  // namespace skinbake::cli
