#include "bake/normals/block_normals.h"

#include <algorithm>

#include "bake/normals/tangents.h"

namespace skinbake {

namespace {

const float* rest_tangents(const Job& job, VertexRange vertices) {
  return job.plan.rig->mesh->tangents.data() + std::size_t{vertices.first} * 4;
}

// Normals and tangents of some vertices; null: the run does not have them.
struct Vectors {
  const float* normals = nullptr;
  const float* tangents = nullptr;
};

void read(const BakedBlock::Reader& reader, const FrameBlock& tile, const Vectors& vectors) {
  reader.sink->read_normals(tile, vectors.normals, *reader.state);
  if (reader.wants_tangents) reader.sink->read_tangents(tile, vectors.tangents, *reader.state);
}

// The vectors from vertex `first` on. The arrays cover the whole mesh, or are empty.
Vectors vectors_from(VertexIndex first, const AlignedArray<float>& normals,
                     const AlignedArray<float>& tangents) {
  const auto from = [&](const AlignedArray<float>& all) {
    return all.size() > 0 ? all.data() + std::size_t{first} * kNumbersPerVertex : nullptr;
  };
  return {from(normals), from(tangents)};
}

Vectors compute_skinned(const Job& job, BakedBlock& baked, std::size_t r, VertexRange vertices,
                        TileScratch& scratch) {
  BakedBlock::Run& run = baked.runs[r];
  const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
  const auto room = [&](AlignedArray<float>& whole, AlignedArray<float>& tile) {
    return whole.size() > 0 ? whole.data() + first : tile.data();
  };
  const bool moves_tangents = run.geometric_tangents.size() > 0;
  SkinTask<float> task = baked.joints.skin_task<float>(job, r, vertices);
  task.positions = scratch.positions.data();
  task.normals = room(run.normals, scratch.normals);
  if (run.has_tangents || moves_tangents) task.tangents = room(run.tangents, scratch.tangents);
  const bool is_finite = kernels<float>(job.methods[r].method).skin(task);
  if (!is_finite) baked.find_bad("normal", vertices, task.normals);
  if (moves_tangents) {
    std::copy_n(task.tangents, vertices.count * kNumbersPerVertex,
                run.geometric_tangents.data() + first);
  }
  if (!run.has_tangents) return {task.normals};
  finish_tangents({task.normals, rest_tangents(job, vertices), vertices.count, task.tangents});
  return {task.normals, task.tangents};
}

void compute_geometric(const Job& job, BakedBlock& baked, std::size_t r, const float* positions) {
  BakedBlock::Run& run = baked.runs[r];
  baked.joints.find_sides(baked.sides.data());
  corner_normals({positions, baked.sides.data(), &job.corners, baked.corner_sums.data(),
                  run.geometric.data()});
  AlignedArray<float>& tangents = run.geometric_tangents;
  if (tangents.size() == 0) return;
  for_each_tile(baked.block.vertices.count, [&](VertexRange vertices) {
    const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
    finish_tangents({run.geometric.data() + first, rest_tangents(job, vertices), vertices.count,
                     tangents.data() + first});
  });
}

void stream_geometric_normals(const FrameBlock& block, const BakedBlock::Run& run) {
  const auto reads_tiles = [](const BakedBlock::Reader& reader) {
    return reader.kind == NormalKind::kGeometric && !reader.needs_whole;
  };
  if (std::none_of(run.readers.begin(), run.readers.end(), reads_tiles)) return;
  for_each_tile(block.vertices.count, [&](VertexRange vertices) {
    FrameBlock tile = block;
    tile.vertices = vertices;
    tile.positions = nullptr;
    for (const BakedBlock::Reader& reader : run.readers) {
      if (!reads_tiles(reader)) continue;
      read(reader, tile, vectors_from(vertices.first, run.geometric, run.geometric_tangents));
    }
  });
}

}  // namespace

void add_room_for_normals(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks,
                          const std::vector<std::unique_ptr<BlockState>>& states,
                          BakedBlock::Run& run) {
  for (std::size_t s = 0; s < sinks.size(); ++s) {
    const auto kind = wanted_normals(sinks[s]);
    if (!kind) continue;
    auto& reader = dynamic_cast<NormalReader&>(*sinks[s]);
    run.readers.push_back(
        {&reader, states[s].get(), *kind, reader.needs_whole_normals(), reader.wants_tangents()});
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
    std::fill_n(run.geometric.data(), numbers, 0.0F);  // for vertices without triangles
  }
  if (job.makes_tangents(r, sinks, NormalKind::kGeometric)) {
    run.geometric_tangents = AlignedArray<float>(numbers);
  }
}

void stream_skinned_normals(const Job& job, BakedBlock& baked, std::size_t r,
                            const FrameBlock& tile, TileScratch& scratch) {
  const BakedBlock::Run& run = baked.runs[r];
  Vectors skinned;
  if (run.has_skinned || run.geometric_tangents.size() > 0) {
    skinned = compute_skinned(job, baked, r, tile.vertices, scratch);
  }
  FrameBlock vertices = tile;
  vertices.positions = nullptr;
  for (const BakedBlock::Reader& reader : run.readers) {
    if (reader.kind == NormalKind::kSkinned && !reader.needs_whole) read(reader, vertices, skinned);
  }
}

void finish_normals(const Job& job, BakedBlock& baked, std::size_t r, const FrameBlock& block) {
  const BakedBlock::Run& run = baked.runs[r];
  if (run.geometric.size() > 0) compute_geometric(job, baked, r, block.positions);
  stream_geometric_normals(block, run);
  for (const BakedBlock::Reader& reader : run.readers) {
    if (!reader.needs_whole) continue;
    const bool is_skinned = reader.kind == NormalKind::kSkinned;
    read(reader, block,
         is_skinned ? vectors_from(0, run.normals, run.tangents)
                    : vectors_from(0, run.geometric, run.geometric_tangents));
  }
}

}  // namespace skinbake
