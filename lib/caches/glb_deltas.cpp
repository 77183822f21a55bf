#include "caches/glb_deltas.h"

#include <algorithm>
#include <cstring>

#include "caches/glb_numbers.h"
#include "frames/row_difference.h"

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;
constexpr std::size_t kPositionBytes = kAxes * sizeof(float);

bool moves(const float* delta) {
  return delta[0] != 0 || delta[1] != 0 || delta[2] != 0;
}

// Rows of one primitive become differences.
GlbTarget subtract(const float* base, float* row, std::size_t vertices) {
  const RowDifference difference = subtract_row(base, row, vertices);
  GlbTarget target;
  target.bounds = {difference.range.low, difference.range.high};
  target.moved = static_cast<std::uint32_t>(difference.moved);
  return target;
}

// Moves the values of the vertices that move to the front, and puts their indices behind: together
// they take less than all values.
void compact(float* row, std::size_t vertices, std::span<std::uint32_t> scratch,
             std::size_t moved) {
  std::size_t next = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (!moves(row + kAxes * v)) continue;
    std::copy_n(row + kAxes * v, kAxes, row + kAxes * next);
    scratch[next++] = static_cast<std::uint32_t>(v);
  }
  auto* out = reinterpret_cast<char*>(row + kAxes * moved);
  if (glb_index_bytes(vertices) == sizeof(std::uint32_t)) {
    std::memcpy(out, scratch.data(), moved * sizeof(std::uint32_t));
    return;
  }
  for (std::size_t i = 0; i < moved; ++i, out += sizeof(std::uint16_t)) {
    const auto index = static_cast<std::uint16_t>(scratch[i]);
    std::memcpy(out, &index, sizeof index);
  }
  if (moved % 2 != 0) std::memset(out, 0, sizeof(std::uint16_t));
}

class DeltaMaker {
 public:
  DeltaMaker(std::span<std::uint32_t> scratch, GlbDeltas& out) : scratch_(scratch), out_(out) {}

  void add(const float* base, float* row, std::size_t vertices) {
    GlbTarget& target = out_.targets.emplace_back(subtract(base, row, vertices));
    if (target.moved == 0) return;
    const std::size_t values = target.moved * kPositionBytes;
    const std::size_t indices = filled_up(target.moved * glb_index_bytes(vertices));
    if (values + indices >= vertices * kPositionBytes) {
      target.kind = GlbTarget::Kind::kDense;
      target.values_offset = take(dense_bytes_, vertices * kPositionBytes);
      add_run(out_.dense, row, vertices * kPositionBytes);
      return;
    }
    target.kind = GlbTarget::Kind::kSparse;
    compact(row, vertices, scratch_, target.moved);
    target.values_offset = take(values_bytes_, values);
    target.indices_offset = take(indices_bytes_, indices);
    add_run(out_.values, row, values);
    add_run(out_.indices, row + kAxes * target.moved, indices);
  }

 private:
  // The whole file has less than 4 GiB.
  static std::uint32_t take(std::size_t& used, std::size_t size) {
    const auto offset = static_cast<std::uint32_t>(used);
    used += size;
    return offset;
  }

  std::span<std::uint32_t> scratch_;
  GlbDeltas& out_;
  std::size_t dense_bytes_ = 0, values_bytes_ = 0, indices_bytes_ = 0;
};

}  // namespace

void add_run(std::vector<GlbRun>& runs, const void* data, std::size_t size) {
  if (!runs.empty() && static_cast<const char*>(runs.back().data) + runs.back().size == data) {
    runs.back().size += size;
    return;
  }
  runs.push_back({data, size});
}

GlbBounds bounds_of(const float* positions, std::size_t vertices) {
  GlbBounds bounds;
  for (std::size_t i = 0; i < kAxes * vertices; ++i) {
    bounds.min[i % kAxes] = std::min(bounds.min[i % kAxes], positions[i]);
    bounds.max[i % kAxes] = std::max(bounds.max[i % kAxes], positions[i]);
  }
  return bounds;
}

void make_deltas(std::span<const GlbPrimitive> primitives, const float* base, std::size_t row_size,
                 std::span<float> rows, std::span<std::uint32_t> scratch, GlbDeltas& out) {
  out.targets.clear(), out.dense.clear(), out.values.clear(), out.indices.clear();
  DeltaMaker maker(scratch, out);
  for (std::size_t row = 0; row < rows.size(); row += row_size) {
    for (const GlbPrimitive& primitive : primitives) {
      const std::size_t first = kAxes * primitive.vertices.first_vertex;
      maker.add(base + first, rows.data() + row + first, primitive.vertices.vertex_count);
    }
  }
}

}  // namespace skinbake
