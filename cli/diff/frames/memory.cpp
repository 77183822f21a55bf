#include "diff/frames/memory.h"

#include <algorithm>

#include "compare/surface/surfaces.h"
#include "memory/comparison_memory.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

void hold_files(const Compared& c, MemoryPlan& plan) {
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) plan.hold("the meshes and clips of the files", memory_of(*side->rig->asset));
    plan.hold("the open caches", side->counts().held);
  }
  if (c.rig) plan.hold("the meshes and clips of the files", memory_of(*c.rig->asset));
}

// Two rigs are compared at bind, else the first frame of both sides.
void add_order(const Compared& c, MemoryPlan& plan) {
  if (c.a.rig && c.b.rig) {
    const SurfaceMemory surfaces = surface_memory({&c.a.rig->rig, 1}, {&c.b.rig->rig, 1});
    plan.hold("the surfaces at bind", surfaces.surfaces);
    plan.use("the search for another order of vertices", surfaces.by_vertex);
    return;
  }
  // Two surfaces of one joint, and the search.
  constexpr std::uint64_t kOfVertex = 450, kOfTriangle = 152;
  std::uint64_t triangles = 0;
  for (const std::optional<ChosenRig>* rig : {&c.a.rig, &c.b.rig, &c.rig}) {
    if (*rig) triangles += (*rig)->rig->mesh->triangles.size();
  }
  plan.use("the search for another order of vertices",
           static_cast<std::uint64_t>(c.a.counts().vertices) * kOfVertex + triangles * kOfTriangle);
}

}  // namespace

std::uint64_t require_compared_memory(const DiffOptions& options, const Compared& c) {
  const FrameCounts counts = c.a.counts();
  const auto vertices = static_cast<std::uint64_t>(counts.vertices),
             frames = static_cast<std::uint64_t>(counts.frames);
  MemoryPlan plan;
  hold_files(c, plan);
  add_order(c, plan);
  hold_result(vertices, frames, text_of(options), plan);
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) use_bake(bake_plan(options, *side->rig), plan);
  }
  plan.use("16 frames of both sides", compared_block(vertices, frames));
  plan.require(options.load.max_memory,
               fmt::format("the comparison of {} vertices in {} frames", vertices, frames),
               "compare fewer frames", {counts.name, ""});
  return std::min(kBlockMemory, options.load.max_memory - plan.held());
}

}  // namespace skinbake::cli
