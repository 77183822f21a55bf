#include "surfaces/memory.h"

#include <algorithm>
#include <utility>

#include "compare/surface/measure/hausdorff.h"
#include "memory/comparison_memory.h"
#include "memory/run_memory.h"
#include "skinbake/bake.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

constexpr const char* kRemedy =
    "choose meshes with --mesh, or sample more coarsely with --sampling";

void require(const SurfaceOptions& options, const SurfaceComparison& c, const MemoryPlan& plan) {
  plan.require(options.load.max_memory, "the comparison with " + c.a.path, kRemedy, {c.b.path, ""});
}

std::int64_t most_frames(const SurfaceComparison& c) {
  std::int64_t most = 0;
  for (const ClipPair& pair : c.clips.pairs) most = std::max(most, pair.frame_count);
  return most;
}

void use_bakes(const SurfaceOptions& options, const SurfaceComparison& c, MemoryPlan& plan) {
  for (const ClipPair& pair : c.clips.pairs) {
    for (const auto& [side, clip] : {std::pair(&c.a, pair.a), std::pair(&c.b, pair.b)}) {
      if (side->cache) continue;
      for (const Rig* rig : side->rigs) {
        FrameRange frames = clip->frames;
        frames.frame_count = pair.frame_count;
        use_bake(bake_plan(options, *rig, *clip, frames), plan);
      }
    }
  }
}

void use_view(const SurfaceComparison& c, MemoryPlan& plan) {
  const std::uint64_t of_a = c.surfaces.a.positions.size(), of_b = c.surfaces.b.positions.size();
  constexpr std::uint64_t kOfRow = 3 * sizeof(float);
  // The recorder's frames, those of both files, and the frame of each that is read.
  plan.use("16 frames of the view",
           std::max(of_a, of_b) * kOfRow * (3 * kFramesPerBlock) + 2 * (of_a + of_b) * kOfRow);
}

}  // namespace

std::uint64_t require_search_memory(const SurfaceOptions& options, SurfaceComparison& c) {
  const SurfaceMemory surfaces = surface_memory(c.a.rigs, c.b.rigs);
  c.memory.hold(kOtherFiles, options.load.memory_taken);
  c.memory.hold("the meshes and clips of the files", memory_of(*c.a.asset) + memory_of(*c.b.asset));
  for (const SurfaceSide* side : {&c.a, &c.b}) {
    if (side->cache) c.memory.hold("the open caches", side->cache->memory());
  }
  c.memory.hold("the surfaces at bind", surfaces.surfaces);
  MemoryPlan search = c.memory;
  const bool is_by_vertex =
      options.plan.match == Match::kIndex || options.plan.match == Match::kOrder;
  search.use("the search for pairs", is_by_vertex ? surfaces.by_vertex : surfaces.by_surface);
  require(options, c, search);
  return search.bytes();
}

void hold_results(const SurfaceOptions& options, SurfaceComparison& c) {
  for (std::size_t d = 0; d < c.directions.size(); ++d) {
    const auto points = static_cast<std::uint64_t>(c.directions[d].pairs->points.size());
    c.memory.hold(
        "the pairs of points",
        points * (2 * sizeof(SurfacePoint) + sizeof(std::uint32_t)) + memory_of(*c.rigs[d].mesh));
    for (const ClipPair& pair : c.clips.pairs) {
      hold_result(points, static_cast<std::uint64_t>(pair.frame_count), options.text, c.memory);
    }
  }
}

std::uint64_t require_frame_memory(const SurfaceOptions& options, const SurfaceComparison& c) {
  MemoryPlan plan = c.memory;
  if (c.view) hold_view(plan);
  use_bakes(options, c, plan);
  const std::uint64_t rows =
      (c.surfaces.a.positions.size() + c.surfaces.b.positions.size()) * 3 * sizeof(float);
  for (const SurfaceDirection& direction : c.directions) {
    const std::uint64_t points = direction.pairs->points.size();
    plan.use("16 frames of the points",
             compared_block(points, static_cast<std::uint64_t>(most_frames(c))) + rows);
  }
  if (options.hausdorff) {
    plan.use("the Hausdorff distance", hausdorff_memory(c.surfaces.a, c.surfaces.b));
  }
  if (c.view) use_view(c, plan);
  require(options, c, plan);
  return std::min(kBlockMemory, options.load.max_memory - plan.held());
}

}  // namespace skinbake::cli
