#include "caches/glb/displacements.h"

#include <algorithm>
#include <cstring>

#include "caches/kernels/kernels.h"

namespace skinbake {

namespace {

bool is_displaced(const float* displacement) {
  return displacement[0] != 0 || displacement[1] != 0 || displacement[2] != 0;
}

// Replaces the row of one primitive by displacements. Returns their number and their bounds.
GlbTarget subtract(const float* base, float* row, std::size_t vertices) {
  const RowDifference difference = subtract_row(base, row, vertices);
  GlbTarget target;
  target.bounds = difference.bounds;
  target.displaced = static_cast<std::uint32_t>(difference.moved);
  return target;
}

// Moves the values of displaced vertices to the front and writes their indices behind them.
// Precondition: values and indices together take less memory than the row.
void compact(float* row, std::size_t vertices, std::span<std::uint32_t> scratch,
             std::size_t displaced) {
  std::size_t next = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (!is_displaced(row + kAxes * v)) continue;
    std::copy_n(row + kAxes * v, kAxes, row + kAxes * next);
    scratch[next++] = static_cast<std::uint32_t>(v);
  }
  auto* out = reinterpret_cast<char*>(row + kAxes * displaced);
  if (glb_index_bytes(vertices) == sizeof(std::uint32_t)) {
    std::memcpy(out, scratch.data(), displaced * sizeof(std::uint32_t));
    return;
  }
  for (std::size_t i = 0; i < displaced; ++i, out += sizeof(std::uint16_t)) {
    const auto index = static_cast<std::uint16_t>(scratch[i]);
    std::memcpy(out, &index, sizeof index);
  }
  if (displaced % 2 != 0) std::memset(out, 0, sizeof(std::uint16_t));  // padding
}

class TargetBuilder {
 public:
  TargetBuilder(std::span<std::uint32_t> scratch, GlbDisplacements& out)
      : scratch_(scratch), out_(out) {}

  void add(const float* base, float* row, std::size_t vertices) {
    GlbTarget& target = out_.targets.emplace_back(subtract(base, row, vertices));
    if (target.displaced == 0) return;
    const std::size_t values = target.displaced * kFloatVertexBytes;
    const std::size_t indices = padded_to_4(target.displaced * glb_index_bytes(vertices));
    if (values + indices >= vertices * kFloatVertexBytes) {
      target.kind = GlbTarget::Kind::kDense;
      target.values_offset = reserve(dense_bytes_, vertices * kFloatVertexBytes);
      append_run(out_.dense, row, vertices * kFloatVertexBytes);
      return;
    }
    target.kind = GlbTarget::Kind::kSparse;
    compact(row, vertices, scratch_, target.displaced);
    target.values_offset = reserve(values_bytes_, values);
    target.indices_offset = reserve(indices_bytes_, indices);
    append_run(out_.sparse_values, row, values);
    append_run(out_.sparse_indices, row + kAxes * target.displaced, indices);
  }

 private:
  // Offsets fit 32 bits, because the whole file has less than 4 GiB.
  static std::uint32_t reserve(std::size_t& used, std::size_t size) {
    const auto offset = static_cast<std::uint32_t>(used);
    used += size;
    return offset;
  }

  std::span<std::uint32_t> scratch_;
  GlbDisplacements& out_;
  std::size_t dense_bytes_ = 0, values_bytes_ = 0, indices_bytes_ = 0;
};

}  // namespace

void append_run(std::vector<MemoryRun>& runs, const void* data, std::size_t size) {
  if (!runs.empty() && static_cast<const char*>(runs.back().data) + runs.back().size == data) {
    runs.back().size += size;
    return;
  }
  runs.push_back({data, size});
}

void compute_displacements(std::span<const GlbPrimitive> primitives,
                           std::span<const float* const> bases, std::size_t row_size, float* rows,
                           std::span<std::uint32_t> scratch, GlbDisplacements& out) {
  out.targets.clear();
  out.dense.clear();
  out.sparse_values.clear();
  out.sparse_indices.clear();
  TargetBuilder builder(scratch, out);
  for (const float* base : bases) {
    for (const GlbPrimitive& primitive : primitives) {
      const std::size_t first = kAxes * primitive.vertices.first_vertex;
      builder.add(base + first, rows + first, primitive.vertices.vertex_count);
    }
    rows += row_size;
  }
}

}  // namespace skinbake
