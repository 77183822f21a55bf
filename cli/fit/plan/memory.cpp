#include "fit/plan/memory.h"

#include <algorithm>
#include <cmath>

#include "bake/view.h"
#include "fit/changes_memory.h"
#include "gltf/write/rig_file.h"
#include "gltf/write/size/added_bytes.h"
#include "json/text.h"
#include "memory/run_memory.h"
#include "skinbake/memory.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// The JSON of the target of a primitive, its accessor and its buffer views: in the document that is
// written, and where it is parsed and checked.
constexpr std::uint64_t kWrittenJsonBytes = 3072, kParsedJsonBytes = 16384;

std::uint64_t positions_of(const FitPlan& plan, std::uint64_t frames) {
  return saturated_product(std::uint64_t{12} * plan.rig->mesh->vertex_count(), frames);
}

std::uint64_t longest_of(const std::vector<FitClip>& clips) {
  std::uint64_t frames = 0;
  for (const FitClip& clip : clips) {
    frames = std::max(frames, static_cast<std::uint64_t>(clip.frames.frame_count));
  }
  return frames;
}

// Whether choose_fit() compares two fits, of which it keeps the first during the second.
bool may_choose(const FitPlan& plan) {
  return plan.helpers > 0 && !plan.correctives && std::isfinite(plan.max_error_m);
}

// The targets that all primitives of a mesh get.
std::uint64_t added_targets(const FitPlan& plan) {
  std::uint64_t frames = 0;
  for (const FitClip& clip : plan.clips) {
    frames = saturated_sum(frames, static_cast<std::uint64_t>(clip.frames.frame_count));
  }
  const auto targets = static_cast<std::uint64_t>(plan.correctives.value_or(plan.max_correctives));
  return saturated_product(plan.rig->mesh->primitives.size(), std::min(targets, frames));
}

std::string subject_of(const std::vector<MeshFit>& meshes) {
  if (meshes.size() > 1) return fmt::format("the fit of {} meshes", meshes.size());
  return "mesh '" + printable(meshes.front().plan.rig->id) + "'";
}

}  // namespace

void require_memory(const FitOptions& options, const Asset& asset,
                    const std::vector<MeshFit>& meshes) {
  MemoryPlan memory;
  memory.hold("the rig", skinbake::memory_of(asset));
  std::uint64_t all = 0, largest = 0, read_back = 0, of_a_clip = 0;
  for (const MeshFit& mesh : meshes) {
    const FitPlan& plan = mesh.plan;
    const std::uint64_t changes = memory_of_changes(plan);
    // All results are kept until the file is written.
    memory.hold("the correctives", changes);
    const MemoryNeed need = memory_of(plan);
    memory.use(need.consumer, saturated_sum(saturated_sum(need.bytes, AddedBytes::memory(asset)),
                                            may_choose(plan) ? changes : 0));
    if (plan.helpers > 0 || plan.influences) {
      memory.use("a clip outside the fit",
                 positions_of(plan, longest_of(left_out_clips(options, asset, plan).measurable)));
    }
    of_a_clip = std::max(of_a_clip, positions_of(plan, longest_of(plan.clips)));
    const std::uint64_t targets = added_targets(plan);
    const std::uint64_t written =
        saturated_sum(changes, saturated_product(kWrittenJsonBytes, targets));
    all = saturated_sum(all, written);
    largest = std::max(largest, written);
    read_back = saturated_sum(
        read_back,
        saturated_sum(saturated_product(2, changes), saturated_product(kParsedJsonBytes, targets)));
  }
  memory.use("the file that is written",
             saturated_sum(memory_of_document(asset), saturated_sum(all, largest)));
  if (options.verify) {
    const std::uint64_t own = saturated_product(2, skinbake::memory_of(asset));
    memory.use("the file that is read back",
               saturated_sum(saturated_sum(own, read_back), of_a_clip));
  }
  if (options.reports.any()) memory.use("the frames of a clip for the pages", of_a_clip);
  if (options.reports.view) hold_view(memory);
  memory.require(options.load.max_memory, subject_of(meshes),
                 meshes.size() > 1 ? "lower the frame rate or fit fewer clips or meshes"
                                   : "lower the frame rate or fit fewer clips",
                 {asset.path, ""});
}

}  // namespace skinbake::cli
