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
  for (std::uint32_t i = 0, last = 0; i < listed; ++i) {
    std::uint32_t v = 0;  // little-endian: the low bytes come first
    std::memcpy(&v, indices.data() + i * target.index_bytes, target.index_bytes);
    if (v >= target.count) refuse("a sparse target", "names a vertex that does not exist");
    if (i > 0 && v <= last) refuse("a sparse target", "names vertices that do not rise");
    last = v;
    for (std::size_t axis = 0; axis < 3; ++axis) row[3 * v + axis] += values[3 * i + axis];
  }
}

std::uint64_t element_count(const GlbDocument::Accessor& accessor) {
  return accessor.sparse == 0 ? accessor.count : accessor.sparse;
}

void read_elements(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                   const GlbRefusal& refuse, void* to) {
  const std::uint64_t count = element_count(accessor);
  if (accessor.packed == 0) {
    file.read_at(to, count * accessor.stride, accessor.values);
    return;
  }
  std::vector<std::uint8_t> stream(accessor.packed);
  file.read_at(stream.data(), stream.size(), accessor.values);
  if (!decode_meshopt(stream, {count, accessor.stride}, to)) {
    refuse("a meshopt stream", "is damaged");
  }
}

// All numbers, fillings and fourth ones too.
template <class T>
std::vector<T> elements_of(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                           const GlbRefusal& refuse) {
  std::vector<T> numbers(element_count(accessor) * accessor.stride / sizeof(T));
  read_elements(file, accessor, refuse, numbers.data());
  return numbers;
}

template <class T>
void copy_axes(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
               const GlbRefusal& refuse, float* values) {
  const std::vector<T> numbers = elements_of<T>(file, accessor, refuse);
  const std::size_t step = accessor.stride / sizeof(T);
  for (std::size_t i = 0; i < numbers.size(); i += step) {
    for (std::size_t axis = 0; axis < 3; ++axis) *values++ = numbers[i + axis];
  }
}

}  // namespace

void read_glb_vectors(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                      const GlbRefusal& refuse, float* values) {
  if (accessor.is_float && accessor.stride == 3 * sizeof(float)) {
    read_elements(file, accessor, refuse, values);
  } else if (accessor.is_float) {
    copy_axes<float>(file, accessor, refuse, values);
  } else {
    copy_axes<std::int16_t>(file, accessor, refuse, values);
  }
}

std::vector<float> read_glb_signs(const RandomAccessFile& file,
                                  const GlbDocument::Accessor& accessor, const GlbRefusal& refuse) {
  std::vector<float> signs;
  const auto append = [&](const auto& numbers, double unit) {
    for (std::size_t i = 3; i < numbers.size(); i += 4) {
      signs.push_back(static_cast<float>(numbers[i] / unit));
    }
  };
  if (accessor.is_float) {
    append(elements_of<float>(file, accessor, refuse), 1);
  } else {
    append(elements_of<std::int16_t>(file, accessor, refuse), kLargestShort);
  }
  return signs;
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
