// Normals and tangents of blocks, and which of them a bake can compute.

#include <algorithm>
#include <cmath>

#include "bake/normals.h"
#include "math/scalar.h"
#include "rig/primitive_normals.h"
#include "skinbake/bake.h"
#include "skinbake/frames.h"

namespace skinbake {

namespace {

// The part of d that is perpendicular to n, whose length is 1 up to rounding.
Vec3<double> perpendicular_part(const Vec3<double>& d, const Vec3<double>& n) {
  return d - dot(n, d) / dot(n, n) * n;
}

Vec3<double> farthest_axis(const Vec3<double>& n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  if (x <= y && x <= z) return {1, 0, 0};
  return y <= z ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1};
}

Vec3<double> unit_tangent(const Vec3<double>& n, const Vec3<double>& t) {
  if (!(dot(n, n) > 0)) return {1, 0, 0};
  constexpr double kRounding2 = 1e-12;  // a smaller share of t's square is rounding error
  Vec3<double> d = perpendicular_part(t, n);
  const double length2 = dot(d, d);
  if (!std::isfinite(length2) || !(length2 > kRounding2 * dot(t, t)))
    d = perpendicular_part(farthest_axis(n), n);
  return 1 / std::sqrt(dot(d, d)) * d;
}

Vec3<double> vector_at(const float* numbers) {
  return {numbers[0], numbers[kFramesPerBlock], numbers[2 * kFramesPerBlock]};
}

}  // namespace

void finish_tangents(const TangentTask& task) {
  for (std::size_t v = 0; v < task.vertices; ++v) {
    const bool has_tangent = task.rest[4 * v + 3] != 0;
    const std::size_t first = v * 3 * kFramesPerBlock;
    for (std::size_t i = first; i < first + kFramesPerBlock; ++i) {
      const Vec3<double> t =
          has_tangent ? unit_tangent(vector_at(task.normals + i), vector_at(task.tangents + i))
                      : Vec3<double>{0, 0, 0};
      task.tangents[i] = static_cast<float>(t.x);
      task.tangents[i + kFramesPerBlock] = static_cast<float>(t.y);
      task.tangents[i + 2 * kFramesPerBlock] = static_cast<float>(t.z);
    }
  }
}

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

void compute_corner_normals(const CornerGroups& corners, BakedBlock& baked, const float* positions,
                            AlignedArray<float>& normals) {
  corner_normals(
      {positions, baked.sides.data(), &corners, baked.corner_sums.data(), normals.data()});
}

void compute_geometric(const Job& job, BakedBlock& baked, std::size_t r, const float* positions) {
  BakedBlock::Run& run = baked.runs[r];
  compute_corner_normals(job.corners, baked, positions, run.geometric);
  AlignedArray<float>& tangents = run.geometric_tangents;
  if (tangents.size() == 0) return;
  for_each_tile(baked.block.vertices.count, [&](VertexRange vertices) {
    const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
    finish_tangents({run.geometric.data() + first, rest_tangents(job, vertices), vertices.count,
                     tangents.data() + first});
  });
}

// Of a reader, from vertex `first` on.
Vectors vectors_for(const BakedBlock::Reader& reader, const BakedBlock::Run& run,
                    VertexIndex first) {
  return reader.kind == NormalKind::kSkinned
             ? vectors_from(first, run.normals, run.tangents)
             : vectors_from(first, run.geometric, run.geometric_tangents);
}

// Streams the normals that are complete only after the last tile.
void stream_late_normals(const FrameBlock& block, const BakedBlock::Run& run) {
  const auto reads_tiles = [&](const BakedBlock::Reader& reader) {
    return !reader.needs_whole && (reader.kind == NormalKind::kGeometric || run.fills_skinned);
  };
  if (std::none_of(run.readers.begin(), run.readers.end(), reads_tiles)) return;
  for_each_tile(block.vertices.count, [&](VertexRange vertices) {
    FrameBlock tile = block;
    tile.vertices = vertices;
    tile.positions = nullptr;
    for (const BakedBlock::Reader& reader : run.readers) {
      if (!reads_tiles(reader)) continue;
      read(reader, tile, vectors_for(reader, run, vertices.first));
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
  run.fills_skinned = run.has_skinned && !job.corners_without_normals.vertices.empty();
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
  if (run.fills_skinned) return;  // the normals are not complete
  FrameBlock vertices = tile;
  vertices.positions = nullptr;
  for (const BakedBlock::Reader& reader : run.readers) {
    if (reader.kind == NormalKind::kSkinned && !reader.needs_whole) read(reader, vertices, skinned);
  }
}

void finish_normals(const Job& job, BakedBlock& baked, std::size_t r, const FrameBlock& block) {
  BakedBlock::Run& run = baked.runs[r];
  if (run.geometric.size() > 0 || run.fills_skinned) baked.joints.find_sides(baked.sides.data());
  if (run.geometric.size() > 0) compute_geometric(job, baked, r, block.positions);
  if (run.fills_skinned) {
    compute_corner_normals(job.corners_without_normals, baked, block.positions, run.normals);
  }
  stream_late_normals(block, run);
  for (const BakedBlock::Reader& reader : run.readers) {
    if (reader.needs_whole) read(reader, block, vectors_for(reader, run, 0));
  }
}

// ---- The normals and tangents that a bake can compute and that its sinks request.

namespace {

// A method that relaxes computes points, without a transform that could turn a normal.
bool transforms_normals(const Method& method) {
  const auto count = hooks(method).sweep_count;
  return count == nullptr || count(method.values) == 0;
}

}  // namespace

std::optional<NormalKind> wanted_normals(const FrameSink* sink) {
  const auto* const reader = dynamic_cast<const NormalReader*>(sink);
  return reader == nullptr ? std::nullopt : reader->wanted_normals();
}

bool Job::makes_tangents(std::size_t r, const std::vector<FrameSink*>& sinks,
                         NormalKind kind) const {
  return available_tangents(*plan.rig->mesh, methods[r].method) && makes_normals(r, sinks, kind) &&
         std::any_of(sinks.begin(), sinks.end(), [&](const FrameSink* sink) {
           return wanted_normals(sink) == kind &&
                  dynamic_cast<const NormalReader&>(*sink).wants_tangents();
         });
}

bool Job::makes_normals(std::size_t r, const std::vector<FrameSink*>& sinks,
                        NormalKind kind) const {
  const Mesh& mesh = *plan.rig->mesh;
  const bool has_them = kind == NormalKind::kGeometric
                            ? !mesh.triangles.empty()
                            : has_normals(mesh.normals) && transforms_normals(methods[r].method);
  return has_them && std::any_of(sinks.begin(), sinks.end(), [&](const FrameSink* sink) {
           return wanted_normals(sink) == kind;
         });
}

bool Job::keeps_skinned(std::size_t r, const std::vector<FrameSink*>& sinks) const {
  if (!makes_normals(r, sinks, NormalKind::kSkinned)) return false;
  return !corners_without_normals.vertices.empty() ||
         std::any_of(sinks.begin(), sinks.end(), [](const FrameSink* sink) {
           return wanted_normals(sink) == NormalKind::kSkinned &&
                  dynamic_cast<const NormalReader&>(*sink).needs_whole_normals();
         });
}

std::optional<NormalKind> available_normals(const Mesh& mesh, const Method& method,
                                            NormalKind wanted) {
  const bool is_skinned = wanted == NormalKind::kSkinned;
  if (is_skinned && !has_normals(mesh.normals)) return std::nullopt;
  if (is_skinned && transforms_normals(method)) return NormalKind::kSkinned;
  return mesh.triangles.empty() ? std::nullopt : std::optional(NormalKind::kGeometric);
}

bool available_tangents(const Mesh& mesh, const Method& method) {
  return !mesh.tangents.empty() && transforms_normals(method);
}

}  // namespace skinbake
