#include "bake/block_normals.h"

#include <algorithm>

#include "bake/tangents.h"

namespace skinbake {

namespace {

const float* rest_tangents(const Job& job, VertexRange vertices) {
  return job.plan.rig->mesh->tangents.data() + std::size_t{vertices.first} * 4;
}

// Null: there are none.
struct Vectors {
  const float* normals = nullptr;
  const float* tangents = nullptr;
};

void give(const Slot::Reader& reader, const FrameBlock& tile, const Vectors& vectors) {
  reader.sink->read_normals(tile, vectors.normals, *reader.state);
  if (reader.wants_tangents) reader.sink->read_tangents(tile, vectors.tangents, *reader.state);
}

// Of arrays of the whole mesh, which may be empty, those from a vertex on.
Vectors vectors_from(VertexIndex first, const AlignedArray<float>& normals,
                     const AlignedArray<float>& tangents) {
  const auto from = [&](const AlignedArray<float>& all) {
    return all.size() > 0 ? all.data() + std::size_t{first} * kNumbersPerVertex : nullptr;
  };
  return {from(normals), from(tangents)};
}

Vectors make_skinned(const Job& job, Slot& slot, std::size_t r, VertexRange vertices,
                     TileScratch& scratch) {
  Slot::Run& run = slot.runs[r];
  const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
  const auto room = [&](AlignedArray<float>& whole, AlignedArray<float>& tile) {
    return whole.size() > 0 ? whole.data() + first : tile.data();
  };
  const bool moves_tangents = run.geometric_tangents.size() > 0;
  SkinTask<float> task = slot.joints.task(job, r, vertices);
  task.positions = scratch.positions.data();
  task.normals = room(run.normals, scratch.normals);
  if (run.has_tangents || moves_tangents) task.tangents = room(run.tangents, scratch.tangents);
  float_kernels(job.methods[r].method).skin(task);
  if (moves_tangents) {
    std::copy_n(task.tangents, vertices.count * kNumbersPerVertex,
                run.geometric_tangents.data() + first);
  }
  if (!run.has_tangents) return {task.normals};
  finish_tangents({task.normals, rest_tangents(job, vertices), vertices.count, task.tangents});
  return {task.normals, task.tangents};
}

void make_geometric(const Job& job, Slot& slot, std::size_t r, const float* positions) {
  Slot::Run& run = slot.runs[r];
  slot.joints.find_sides(slot.sides.data());
  corner_normals(
      {positions, slot.sides.data(), &job.corners, slot.corner_sums.data(), run.geometric.data()});
  AlignedArray<float>& tangents = run.geometric_tangents;
  if (tangents.size() == 0) return;
  for_each_tile(slot.block.vertices.count, [&](VertexRange vertices) {
    const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
    finish_tangents({run.geometric.data() + first, rest_tangents(job, vertices), vertices.count,
                     tangents.data() + first});
  });
}

void give_geometric_tiles(const FrameBlock& block, const Slot::Run& run) {
  const auto reads_tiles = [](const Slot::Reader& reader) {
    return reader.kind == NormalKind::kGeometric && !reader.takes_whole;
  };
  if (std::none_of(run.readers.begin(), run.readers.end(), reads_tiles)) return;
  for_each_tile(block.vertices.count, [&](VertexRange vertices) {
    FrameBlock tile = block;
    tile.vertices = vertices;
    tile.positions = nullptr;
    for (const Slot::Reader& reader : run.readers) {
      if (!reads_tiles(reader)) continue;
      give(reader, tile, vectors_from(vertices.first, run.geometric, run.geometric_tangents));
    }
  });
}

}  // namespace

std::size_t normal_meshes(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks) {
  std::size_t count = 0;
  const bool keeps_skinned = job.keeps_skinned(r, sinks);
  count += keeps_skinned ? 1 : 0;
  count += keeps_skinned && job.makes_tangents(r, sinks, NormalKind::kSkinned) ? 1 : 0;
  count += job.makes_normals(r, sinks, NormalKind::kGeometric) ? 2 : 0;  // and their sums
  count += job.makes_tangents(r, sinks, NormalKind::kGeometric) ? 1 : 0;
  return count;
}

void add_room_for_normals(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks,
                          Slot::Run& run) {
  for (std::size_t s = 0; s < sinks.size(); ++s) {
    const auto kind = wanted_normals(sinks[s]);
    if (!kind) continue;
    auto& reader = dynamic_cast<NormalReader&>(*sinks[s]);
    run.readers.push_back({&reader, run.states[s].get(), *kind, reader.needs_whole_normals(),
                           reader.wants_tangents()});
  }
  const std::size_t numbers = job.plan.rig->mesh->vertex_count() * kNumbersPerVertex;
  run.has_skinned = job.makes_normals(r, sinks, NormalKind::kSkinned);
  run.has_tangents = job.makes_tangents(r, sinks, NormalKind::kSkinned);
  if (job.keeps_skinned(r, sinks)) {
    run.normals = AlignedArray<float>(numbers);
    if (run.has_tangents) run.tangents = AlignedArray<float>(numbers);
  }
  if (job.makes_normals(r, sinks, NormalKind::kGeometric)) {
    run.geometric = AlignedArray<float>(numbers);
    std::fill_n(run.geometric.data(), numbers, 0.0F);  // of vertices without triangles
  }
  if (job.makes_tangents(r, sinks, NormalKind::kGeometric)) {
    run.geometric_tangents = AlignedArray<float>(numbers);
  }
}

void give_skinned_tile(const Job& job, Slot& slot, std::size_t r, const FrameBlock& tile,
                       TileScratch& scratch) {
  const Slot::Run& run = slot.runs[r];
  Vectors skinned;
  if (run.has_skinned || run.geometric_tangents.size() > 0) {
    skinned = make_skinned(job, slot, r, tile.vertices, scratch);
  }
  FrameBlock bare = tile;
  bare.positions = nullptr;
  for (const Slot::Reader& reader : run.readers) {
    if (reader.kind == NormalKind::kSkinned && !reader.takes_whole) give(reader, bare, skinned);
  }
}

void give_the_rest(const Job& job, Slot& slot, std::size_t r, const FrameBlock& block) {
  const Slot::Run& run = slot.runs[r];
  if (run.geometric.size() > 0) make_geometric(job, slot, r, block.positions);
  give_geometric_tiles(block, run);
  for (const Slot::Reader& reader : run.readers) {
    if (!reader.takes_whole) continue;
    const bool is_skinned = reader.kind == NormalKind::kSkinned;
    give(reader, block,
         is_skinned ? vectors_from(0, run.normals, run.tangents)
                    : vectors_from(0, run.geometric, run.geometric_tangents));
  }
}

}  // namespace skinbake
