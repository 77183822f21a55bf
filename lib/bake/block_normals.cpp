#include "bake/block_normals.h"

#include "bake/tangents.h"

namespace skinbake {

namespace {

const float* rest_tangents(const Job& job, VertexRange vertices) {
  return job.plan.rig->mesh->tangents.data() + std::size_t{vertices.first} * 4;
}

}  // namespace

std::size_t normal_meshes(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks) {
  std::size_t count = 0;
  count += job.makes_normals(r, sinks, NormalKind::kSkinned) ? 1 : 0;
  count += job.makes_normals(r, sinks, NormalKind::kGeometric) ? 2 : 0;  // and their sums
  count += job.makes_tangents(r, sinks, NormalKind::kSkinned) ? 1 : 0;
  count += job.makes_tangents(r, sinks, NormalKind::kGeometric) ? 2 : 0;  // and skinned normals
  return count;
}

void evaluate_normals(const Job& job, Slot& slot, const RunTile& tile, float* positions) {
  Slot::Run& run = slot.runs[tile.r];
  const std::size_t first = std::size_t{tile.vertices.first} * kNumbersPerVertex;
  const bool skinned = run.tangents.size() > 0, geometric = run.geometric_tangents.size() > 0;
  SkinTask<float> task = slot.joints.task(job, tile.r, tile.vertices);
  task.positions = positions;
  task.normals = run.normals.data() + first;
  if (skinned || geometric) {
    task.tangents = (skinned ? run.tangents : run.geometric_tangents).data() + first;
  }
  float_kernels(job.methods[tile.r].method).skin(task);
  if (!skinned) return;
  if (geometric) {
    std::copy_n(task.tangents, tile.vertices.count * kNumbersPerVertex,
                run.geometric_tangents.data() + first);
  }
  finish_tangents(
      {task.normals, rest_tangents(job, tile.vertices), tile.vertices.count, task.tangents});
}

void make_geometric_normals(const Job& job, Slot& slot, std::size_t r, const float* positions) {
  AlignedArray<float>& normals = slot.runs[r].geometric;
  if (normals.size() == 0) return;
  slot.joints.find_sides(slot.sides.data());
  corner_normals(
      {positions, slot.sides.data(), &job.corners, slot.corner_sums.data(), normals.data()});
  AlignedArray<float>& tangents = slot.runs[r].geometric_tangents;
  if (tangents.size() == 0) return;
  for_each_tile(slot.block.vertices.count, [&](VertexRange vertices) {
    const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
    finish_tangents({normals.data() + first, rest_tangents(job, vertices), vertices.count,
                     tangents.data() + first});
  });
}

void give_normals(const Slot::Run& run, FrameSink& sink, BlockState& state) {
  const auto kind = wanted_normals(&sink);
  if (!kind) return;
  const auto there = [](const AlignedArray<float>& numbers) {
    return numbers.size() > 0 ? numbers.data() : nullptr;
  };
  const bool skinned = kind == NormalKind::kSkinned;
  auto& reader = dynamic_cast<NormalReader&>(sink);
  reader.read_normals(there(skinned ? run.normals : run.geometric), state);
  if (!reader.wants_tangents()) return;
  reader.read_tangents(there(skinned ? run.tangents : run.geometric_tangents), state);
}

}  // namespace skinbake
