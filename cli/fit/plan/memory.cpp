#include "fit/plan/memory.h"

#include <algorithm>

#include "bake/view.h"
#include "fit/plan/mesh_fit.h"
#include "memory/run_memory.h"
#include "skinbake/memory.h"
#include "skinbake/tool/words/printable.h"

namespace skinbake::cli {

void require_memory(const FitOptions& options, const Asset& asset, const FitPlan& plan) {
  const MemoryNeed need = memory_of(plan);
  MemoryPlan memory;
  memory.hold("the rig", skinbake::memory_of(asset));
  memory.use(need.consumer, need.bytes);
  std::uint64_t longest = 0, all = 0;  // frames of a clip, and of all
  for (const FitClip& clip : plan.clips) {
    const auto frames = static_cast<std::uint64_t>(clip.frames.frame_count);
    longest = std::max(longest, frames);
    all = saturated_sum(all, frames);
  }
  const std::uint64_t positions = std::uint64_t{12} * plan.rig->mesh->vertex_count();
  const auto targets =
      static_cast<std::uint64_t>(options.correctives.value_or(options.max_correctives));
  memory.hold("the correctives",
              saturated_product(positions * (options.normals ? 2 : 1), std::min(targets, all)));
  const std::uint64_t of_a_clip = saturated_product(positions, longest);
  if (options.verify) {
    memory.use("the file that is read back",
               saturated_sum(saturated_product(2, skinbake::memory_of(asset)), of_a_clip));
  }
  if (plan.helpers > 0 || plan.influences) {
    std::uint64_t frames = 0;
    for (const FitClip& clip : left_out_clips(options, asset, plan)) {
      frames = std::max(frames, static_cast<std::uint64_t>(clip.frames.frame_count));
    }
    memory.use("a clip outside the fit", saturated_product(positions, frames));
  }
  if (!options.pages.given().empty()) memory.use("the frames of a clip for the pages", of_a_clip);
  if (options.pages.view) hold_view(memory);
  memory.require(options.load.max_memory, "mesh '" + printable(plan.rig->id) + "'",
                 "lower the frame rate or fit fewer clips", {asset.path, ""});
}

}  // namespace skinbake::cli
