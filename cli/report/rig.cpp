#include "report/rig.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "bake/appearance.h"
#include "bake/mesh_errors.h"
#include "bake/reference_cache.h"
#include "memory/run_memory.h"
#include "options/fit_training.h"
#include "options/frame_options.h"
#include "options/selection.h"
#include "report/clips.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

const InputFile* input_like(const std::vector<InputFile>& inputs, const InputFile& wanted) {
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const InputFile& input) {
    return input.role == wanted.role && input.xxh128 == wanted.xxh128;
  });
  return found == inputs.end() ? nullptr : &*found;
}

[[noreturn]] void differs(const InputFile& file, const std::string& cause) {
  throw Error(ErrorKind::kNotComparable, "RIG_DIFFERS",
              fmt::format("{}: {}; give the file of the report, or create the report again",
                          file.path, cause));
}

// Requires the input files of the report: each with the same content, and none missing.
void require_same_files(const Asset& asset, const ParsedReport& report) {
  for (const InputFile& input : asset.inputs) {
    if (input_like(report.inputs, input) != nullptr) continue;
    std::string known;
    for (const InputFile& other : report.inputs) {
      if (other.role == input.role) known += (known.empty() ? "" : ", ") + other.xxh128;
    }
    differs(input, known.empty() ? fmt::format("the report does not have a {}", input.role)
                                 : fmt::format("its xxh128 is {}, the report's {} has {}",
                                               input.xxh128, input.role, known));
  }
  for (const InputFile& input : report.inputs) {
    if (input.role != "clip" || input_like(asset.inputs, input) != nullptr) continue;
    missing_file(report, {"clips are", input.path, "--clip"});
  }
}

void require_rig(const ParsedReport& report) {
  const bool is_of_a_rig = report.command == "bake" || report.command == "compare";
  const bool has_runs = std::any_of(report.meshes.begin(), report.meshes.end(),
                                    [](const ParsedMesh& mesh) { return !mesh.runs.empty(); });
  if (is_of_a_rig && has_runs) return;
  throw Error(ErrorKind::kUsage, "VIEW_WITHOUT_RIG",
              fmt::format("{}: does not contain runs of a rig; --rig is for reports of bake and "
                          "compare",
                          report.name));
}

Modifier modifier_of(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  return parse_modifier(text.substr(0, equals),
                        std::string_view(text).substr(std::min(equals + 1, text.size())));
}

// The reference of the errors; none if it is a cache, which --rig does not read.
Reference reference_of(const ParsedReport& report) {
  const std::string& name = report.settings.reference;
  if (name.empty() || names_cache(name)) return {};
  if (name == "exact") return {Reference::Kind::kExact, parse_method("lbs")};
  return {Reference::Kind::kMethod, parse_method(name)};
}

// The clip with the id; null: the rest pose. Throws Error (kUsage) that lists the clips.
const Clip* clip_of(const Asset& asset, const std::string& id) {
  return id.empty() ? nullptr : select_clips(asset.clips, asset.path, {id}).front();
}

// Throws Error if the clip does not have the frames.
void require_frames(const Asset& asset, const Clip* clip, const FrameRange& frames) {
  FrameOptions wanted;
  wanted.fps = frames.fps;
  wanted.frames = fmt::format("{}:{}:{}", frames.first_frame, frames.frame(frames.frame_count - 1),
                              frames.frame_step);
  select_frames(asset.path, clip, wanted);
}

// Adds the clips to the view and returns the space that each needs on the page.
std::vector<ViewDemand> add_clips(const Asset& asset, const ParsedReport& report,
                                  const std::vector<const Rig*>& rigs, View& view) {
  std::vector<ViewDemand> demands;
  for (std::size_t m = 0; m < rigs.size(); ++m) {
    for (const ParsedRun& run : report.meshes[m].runs) {
      const auto known = std::find_if(view.clips.begin(), view.clips.end(),
                                      [&](const ViewClip& clip) { return clip.id == run.clip; });
      const auto place = static_cast<std::size_t>(known - view.clips.begin());
      if (known == view.clips.end()) {
        require_frames(asset, clip_of(asset, run.clip), run.frames);
        view.clips.push_back({run.clip, run.frames, {}, {}});
        demands.push_back({run.frames.frame_count, {}});
      }
      demands[place].rigs.push_back(rigs[m]);
    }
  }
  return demands;
}

}  // namespace

ReportRig::ReportRig(const ReportRigOptions& options, const ParsedReport& report, MemoryPlan held)
    : held_(std::move(held)), max_memory_(options.load.max_memory) {
  require_rig(report);
  asset_ = load_asset(options.rig, options.load);
  const std::vector<Clip> own_clips = asset_.clips;
  const std::string& ranges = options.clips.ranges;
  if (!ranges.empty())
    ranges_ = load_muscle_ranges(ranges, memory_beside(options.load, asset_)).ranges;
  use_report_clips(options.clips, options.load, report, asset_);
  require_same_files(asset_, report);
  take_rigs(report, own_clips);
  view_.meshes = rigs_;
  view_.space = report.settings.space;
  view_.reference = report.settings.reference;
  make_profiles(report);
  const auto strides = view_strides(add_clips(asset_, report, rigs_, view_));
  require_memory(report);
  for (std::size_t c = 0; c < strides.size(); ++c) {
    ViewClip& clip = view_.clips[c];
    clip.kept = thinned(clip.all, strides[c]);
    const Clip* const motion = clip_of(asset_, clip.id);
    clip.poses = view_poses(motion, clip.kept);
    clip.skeleton = view_skeleton(rigs_, motion, clip.kept, view_.space);
    for (std::size_t m = 0; m < rigs_.size(); ++m) add_runs(report, m, strides[c], clip);
  }
  view_.appearance = appearance_of(asset_, rigs_, options.load);
}

// Selects the report's meshes and applies its modifiers, in the order of the report.
void ReportRig::take_rigs(const ParsedReport& report, const std::vector<Clip>& own_clips) {
  for (const ParsedMesh& mesh : report.meshes) {
    const auto found = std::find_if(asset_.rigs.begin(), asset_.rigs.end(),
                                    [&](const Rig& rig) { return rig.id == mesh.id; });
    if (found == asset_.rigs.end()) {
      throw Error(
          ErrorKind::kUsage, "MESH_UNKNOWN",
          fmt::format("{}: does not have the report's mesh node '{}'; choose its scene with "
                      "--scene",
                      asset_.path, mesh.id));
    }
    rigs_.push_back(&*found);
  }
  std::vector<Modifier> modifiers;
  for (const std::string& text : report.settings.modifiers) modifiers.push_back(modifier_of(text));
  if (modifiers.empty()) return;
  std::vector<const Rig*> file;
  for (const Rig& rig : asset_.rigs) file.push_back(&rig);
  FitTraining training(own_clips, asset_, ranges_, {0, max_memory_});
  const auto fit = [&](const Rig& rig, const FitInfluences& to) { return training.fit(rig, to); };
  modified_ = modify(rigs_, modifiers, {bones(), file, fit});
  for (std::size_t r = 0; r < rigs_.size(); ++r) rigs_[r] = &modified_[r].rig;
}

// The bones that modifiers apply to, as the run of the report found them.
const std::vector<HumanoidBone>& ReportRig::bones() {
  if (asset_.humanoid.bones.empty()) asset_.humanoid = find_humanoid(*asset_.skeleton);
  return asset_.humanoid.bones;
}

void ReportRig::make_profiles(const ParsedReport& report) {
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      if (run.profile.empty() || profiled_.contains(run.profile)) continue;
      const Modifier modifier = parse_modifier("profile", run.profile);
      profiled_[run.profile] = modify(rigs_, {&modifier, 1}, {bones()});
    }
  }
}

MethodRun ReportRig::run_of(const ParsedRun& shown, std::size_t mesh) const {
  MethodRun run{parse_method(shown.method_alone()), {}};
  if (!shown.profile.empty()) run.rig = &profiled_.at(shown.profile)[mesh].rig;
  return run;
}

// `recorded`: the frames that the recorders have room for.
RecordedRuns ReportRig::runs_of(const ParsedReport& report, std::size_t mesh, const ViewClip& clip,
                                const FrameRange& recorded, std::int64_t stride) const {
  RecordedRuns runs;
  BakePlan& plan = runs.plan;
  plan.rig = rigs_[mesh];
  plan.clip = clip_of(asset_, clip.id);
  plan.frames = clip.all;
  plan.space = view_.space;
  plan.reference = reference_of(report);
  plan.joint_parameters = report.settings.joint_params;
  const bool has_reference = plan.reference.kind != Reference::Kind::kNone;
  for (const ParsedRun& run : report.meshes[mesh].runs) {
    if (run.clip != clip.id) continue;
    runs.recorders.push_back(record_view(*plan.rig, recorded, stride, has_reference));
    plan.runs.push_back(run_of(run, mesh));
    runs.names.push_back(run.method);
    plan.runs.back().sinks = {runs.recorders.back().get()};
  }
  return runs;
}

// Evaluates all methods of a mesh and clip in one pass, as the run of the report did.
void ReportRig::add_runs(const ParsedReport& report, std::size_t mesh, std::int64_t stride,
                         ViewClip& clip) {
  RecordedRuns runs = runs_of(report, mesh, clip, clip.all, stride);
  BakePlan& plan = runs.plan;
  if (plan.runs.empty()) return;
  plan.block_memory = left_for_frames(memory_of(plan), max_memory_);
  with_mesh_location(asset_.path, *plan.rig, [&] { bake(plan); });
  for (std::size_t r = 0; r < runs.recorders.size(); ++r) {
    clip.runs.push_back({mesh, runs.names[r], runs.recorders[r]->take()});
  }
}

MemoryPlan ReportRig::memory_of(const BakePlan& plan) const {
  MemoryPlan held = held_;
  hold_view(held);
  const auto hold_changed = [&](const std::vector<ModifiedRig>& rigs) {
    for (const ModifiedRig& rig : rigs) {
      held.hold("the influences of modifiers", skinbake::memory_of(rig.rig));
    }
  };
  hold_changed(modified_);
  for (const auto& [profile, rigs] : profiled_) hold_changed(rigs);
  return while_baking(skinbake::memory_of(plan), asset_, std::move(held));
}

// Throws Error (kInput, MEMORY_LIMIT) before the first frame. Recorders of a single frame have
// blocks of the same memory.
void ReportRig::require_memory(const ParsedReport& report) const {
  LargestBake most;
  for (const ViewClip& clip : view_.clips) {
    for (std::size_t m = 0; m < rigs_.size(); ++m) {
      const RecordedRuns runs = runs_of(report, m, clip, {}, 1);
      if (!runs.plan.runs.empty()) most.add(*rigs_[m], memory_of(runs.plan));
    }
  }
  most.require(asset_, max_memory_, "write the page without --rig");
}

}  // namespace skinbake::cli
