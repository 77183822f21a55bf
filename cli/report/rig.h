// `report --rig`: evaluates the frames of a report again for the 3D view.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "clips/clip_source.h"
#include "report/read/parsed_report.h"
#include "report/viewer/viewer.h"
#include "skinbake/bake.h"
#include "skinbake/gltf.h"
#include "skinbake/memory.h"
#include "skinbake/modifiers.h"

namespace skinbake::cli {

struct ReportRigOptions {
  std::string rig;   // empty: no view
  ClipSource clips;  // a file other than the rig's
  LoadOptions load;
};

// The runs of a mesh and clip in one pass, and what records the frames of each.
struct RecordedRuns {
  BakePlan plan;
  std::vector<std::unique_ptr<ViewRecorder>> recorders;  // [run]
  std::vector<std::string> names;                        // likewise
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
  void make_profiles(const ParsedReport& report);
  MethodRun run_of(const ParsedRun& shown, std::size_t mesh) const;
  RecordedRuns runs_of(const ParsedReport& report, std::size_t mesh, const ViewClip& clip,
                       const FrameRange& recorded, std::int64_t stride) const;
  void add_runs(const ParsedReport& report, std::size_t mesh, std::int64_t stride, ViewClip& clip);
  MemoryPlan memory_of(const BakePlan& plan) const;
  void require_memory(const ParsedReport& report) const;

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
