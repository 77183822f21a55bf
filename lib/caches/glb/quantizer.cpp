#include "caches/glb/quantizer.h"

#include <algorithm>
#include <cmath>

#include "caches/mesh_cache.h"

namespace skinbake {

namespace {

static_assert(kShortsPerPosition == kInt16PerVertex);

std::size_t total_bytes(const std::vector<MemoryRun>& runs) {
  std::size_t bytes = 0;
  for (const MemoryRun& run : runs) bytes += run.size;
  return bytes;
}

// Sets the bounds of a target. Returns the largest displacement along an axis, in steps.
std::int32_t set_bounds(const QuantizedRange& range, int frame, GlbTarget& target) {
  std::int32_t largest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const auto f = static_cast<std::size_t>(frame);
    const std::int32_t min = range.least[axis][f], max = range.most[axis][f];
    target.bounds.min[axis] = static_cast<float>(min);
    target.bounds.max[axis] = static_cast<float>(max);
    largest = std::max({largest, -min, max});
  }
  return largest;
}

}  // namespace

std::vector<char> Quantizer::base_bytes(std::vector<BinRange>& base_streams,
                                        std::vector<GlbPrimitive>* bounded) const {
  std::vector<std::int16_t> elements(vertex_count() * kInt16PerVertex);
  std::vector<char> streams;
  for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
    const Primitive& vertices = mesh_.primitives[p].vertices;
    const Box bounds = fill_base(vertices, elements);
    if (bounded != nullptr) (*bounded)[p].bounds.front() = bounds;
    if (compresses_) {
      compress(&elements[kInt16PerVertex * vertices.first_vertex], {vertices.vertex_count},
               base_streams[p], streams);
    }
  }
  if (compresses_) return streams;
  const auto* bytes = reinterpret_cast<const char*>(elements.data());
  return {bytes, bytes + elements.size() * sizeof(std::int16_t)};
}

void Quantizer::quantize(VertexRange vertices, const float* lanes, QuantizedBlock& block) const {
  const VertexIndex end = vertices.first + vertices.count;
  const auto ends_after = [](VertexIndex v, const GlbPrimitive& p) {
    return v < p.vertices.first_vertex + p.vertices.vertex_count;
  };
  auto primitive = std::upper_bound(mesh_.primitives.begin(), mesh_.primitives.end(),
                                    vertices.first, ends_after);
  for (; primitive != mesh_.primitives.end() && primitive->vertices.first_vertex < end;
       ++primitive) {
    const Primitive& source = primitive->vertices;
    const VertexIndex first = std::max(source.first_vertex, vertices.first);
    QuantizeTask task;
    task.lanes = lanes + std::size_t{first - vertices.first} * kAxes * kFramesPerBlock;
    task.vertices = std::min(source.first_vertex + source.vertex_count, end) - first;
    std::copy(grid_.centre.begin(), grid_.centre.end(), task.centre.begin());
    task.steps_per_metre = grid_.steps_per_metre();
    task.base = base_.data() + std::size_t{first} * kAxes;
    task.largest = may_exceed_int16_ ? 2 * kMaxInt16 : grid_.max_quantized;
    task.rows = block.rows + std::size_t{first} * kShortsPerPosition;
    task.row_stride = vertex_count() * kShortsPerPosition;
    QuantizedRange range;
    store_quantized(task, range);
    const std::lock_guard lock(block.mutex);
    block.ranges[static_cast<std::size_t>(primitive - mesh_.primitives.begin())].widen(range);
  }
}

void Quantizer::make_targets(int first, int end, const float* lanes, QuantizedBlock& block) const {
  block.targets.clear();
  block.dense.clear();
  block.float_runs.clear();
  block.streams.clear();
  block.floats.clear();
  // The vectors reserve their largest size: growing would copy them, while reserved memory that
  // is not used costs nothing. The floats must not move, because runs point to them.
  const auto frames = static_cast<std::size_t>(end - first);
  if (compresses_) block.streams.reserve(frames * max_stream_bytes());
  if (may_exceed_int16_) {
    block.floats.reserve((compresses_ ? 1 : frames) * vertex_count() * kAxes);
  }
  for (int frame = first; frame < end; ++frame) {
    for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
      add_target({p, frame}, lanes, block);
    }
  }
  std::fill(block.ranges.begin(), block.ranges.end(), QuantizedRange());
}

Box Quantizer::fill_base(const Primitive& vertices, std::vector<std::int16_t>& elements) const {
  Box bounds;
  for (std::size_t v = vertices.first_vertex; v < vertices.first_vertex + vertices.vertex_count;
       ++v) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      // Rounding may exceed the grid by one step.
      const int q = std::clamp(base_[kAxes * v + axis], -grid_.max_quantized, grid_.max_quantized);
      elements[kInt16PerVertex * v + axis] = static_cast<std::int16_t>(q);
      bounds.add(axis, static_cast<float>(q));
    }
    if (signs_.empty()) continue;
    elements[kInt16PerVertex * v + kAxes] = static_cast<std::int16_t>(signs_[v] * kMaxInt16);
  }
  return bounds;
}

void Quantizer::add_target(TargetIndex index, const float* lanes, QuantizedBlock& block) const {
  const Primitive& vertices = mesh_.primitives[index.primitive].vertices;
  GlbTarget& target = block.targets.emplace_back();
  const std::int32_t largest = set_bounds(block.ranges[index.primitive], index.frame, target);
  if (largest == 0) return;
  // The target is never sparse, because glTF-Transform 4.5.1 writes sparse normalized values as
  // zeros.
  target.displaced = vertices.vertex_count;
  if (largest > kMaxInt16) {
    add_float_target(index, lanes, target, block);
    return;
  }
  target.kind = GlbTarget::Kind::kDense;
  const std::int16_t* elements =
      block.rows +
      (static_cast<std::size_t>(index.frame) * vertex_count() + vertices.first_vertex) *
          kShortsPerPosition;
  if (compresses_) {
    compress(elements, {vertices.vertex_count}, target.stream, block.streams);
    return;
  }
  target.values_offset = static_cast<std::uint32_t>(total_bytes(block.dense));
  append_run(block.dense, elements, vertices.vertex_count * kQuantizedVertexBytes);
}

void Quantizer::add_float_target(TargetIndex index, const float* lanes, GlbTarget& target,
                                 QuantizedBlock& block) const {
  constexpr double kStepsPerUnit = 32768;
  const Primitive& vertices = mesh_.primitives[index.primitive].vertices;
  target.kind = GlbTarget::Kind::kFloat;
  const std::size_t first = block.floats.size();
  for (std::size_t v = vertices.first_vertex; v < vertices.first_vertex + vertices.vertex_count;
       ++v) {
    const auto frame = static_cast<std::size_t>(index.frame);
    const Vec3<float> vector = normal_or_z(lanes + v * kAxes * kFramesPerBlock + frame);
    const std::int32_t* base = &base_[kAxes * v];
    const auto displacement = [&](float x, std::int32_t from) {
      const double q = (double{x} - from * grid_.step()) * kStepsPerUnit;
      return static_cast<float>(std::floor(q + 0.5) / kStepsPerUnit);
    };
    for (const float x : {displacement(vector.x, base[0]), displacement(vector.y, base[1]),
                          displacement(vector.z, base[2])}) {
      block.floats.push_back(x);
    }
  }
  const float* floats = block.floats.data() + first;
  if (compresses_) {
    compress(floats, {vertices.vertex_count, kFloatVertexBytes}, target.stream, block.streams);
    block.floats.clear();
    return;
  }
  target.values_offset = static_cast<std::uint32_t>(total_bytes(block.float_runs));
  append_run(block.float_runs, floats, vertices.vertex_count * kFloatVertexBytes);
}

std::size_t Quantizer::max_stream_bytes() const {
  std::size_t bytes = 0;
  for (const GlbPrimitive& primitive : mesh_.primitives) {
    const std::size_t count = primitive.vertices.vertex_count;
    bytes += padded_to_4(
        std::max(max_meshopt_bytes({count}),
                 may_exceed_int16_ ? max_meshopt_bytes({count, kFloatVertexBytes}) : 0));
  }
  return bytes;
}

void Quantizer::compress(const void* data, const MeshoptElements& elements, BinRange& range,
                         std::vector<char>& streams) const {
  std::vector<std::uint8_t> stream;
  encode_meshopt(data, elements, stream);
  range = {streams.size(), stream.size()};
  stream.resize(padded_to_4(stream.size()));
  streams.insert(streams.end(), stream.begin(), stream.end());
}

}  // namespace skinbake
