#include "caches/glb_attribute.h"

#include <algorithm>
#include <cstring>

#include "caches/glb_meshopt.h"

namespace skinbake {

namespace {

// Adds a target to a row of frame 0. What is wide goes on the lattice.
void add(const RandomAccessFile& file, const GlbDocument::Accessor& target, bool has_lattice,
         const GlbRefusal& refuse, float* row) {
  const std::uint64_t listed = target.sparse == 0 ? target.count : target.sparse;
  std::vector<float> values(3 * listed);
  read_glb_vectors(file, target, refuse, values.data());
  if (target.is_float && has_lattice) {
    for (float& value : values) value *= kLargestShort;
  }
  if (target.sparse == 0) {
    for (std::size_t i = 0; i < values.size(); ++i) row[i] += values[i];
    return;
  }
  std::vector<char> indices(listed * target.index_bytes);
  file.read_at(indices.data(), indices.size(), target.indices);
  for (std::size_t i = 0; i < listed; ++i) {
    std::uint32_t v = 0;  // little-endian: the low bytes come first
    std::memcpy(&v, indices.data() + i * target.index_bytes, target.index_bytes);
    if (v >= target.count) refuse("a sparse target", "names a vertex that does not exist");
    for (std::size_t axis = 0; axis < 3; ++axis) row[3 * v + axis] += values[3 * i + axis];
  }
}

}  // namespace

void read_glb_vectors(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                      const GlbRefusal& refuse, float* values) {
  const std::uint64_t count = accessor.sparse == 0 ? accessor.count : accessor.sparse;
  const auto read = [&](void* to) {
    if (accessor.packed == 0) {
      file.read_at(to, count * accessor.stride, accessor.values);
      return;
    }
    std::vector<std::uint8_t> stream(accessor.packed);
    file.read_at(stream.data(), stream.size(), accessor.values);
    if (!decode_meshopt(stream, {count, accessor.stride}, to)) {
      refuse("a meshopt stream", "is damaged");
    }
  };
  if (accessor.is_float) {
    read(values);
    return;
  }
  std::vector<std::int16_t> shorts(count * accessor.stride / sizeof(std::int16_t));
  read(shorts.data());
  const std::size_t step = accessor.stride / sizeof(std::int16_t);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) values[3 * i + axis] = shorts[step * i + axis];
  }
}

void GlbAttribute::read(const RandomAccessFile& file, std::int64_t frame, const GlbRefusal& refuse,
                        float* row) const {
  std::copy(base.begin(), base.end(), row);
  if (frame > 0) {
    add(file, targets[static_cast<std::size_t>(frame - 1)], lattice.has_value(), refuse, row);
  }
  if (!lattice) return;
  for (std::size_t i = 0; i < base.size(); ++i) row[i] = lattice->position(row[i], i % 3);
}

}  // namespace skinbake
