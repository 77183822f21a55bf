#include "gltf/write/vertex_accessors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr int kShort = 5122, kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;
constexpr std::size_t kShortVectorBytes = 4 * sizeof(std::int16_t);

std::span<const float> of_primitive(const std::vector<float>& values, const Primitive& vertices) {
  return {values.data() + std::size_t{vertices.first_vertex} * 3,
          std::size_t{vertices.vertex_count} * 3};
}

// Whole arrays: an element that is added to null, and fails for want of memory, leaves a json that
// nlohmann-json 3.11 cannot destroy.
template <class Number>
void set_bounds(std::span<const Number> values, json& accessor) {
  std::array<Number, 3> least, greatest;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    least[axis] = greatest[axis] = values[axis];
    for (std::size_t i = axis; i < values.size(); i += 3) {
      least[axis] = std::min(least[axis], values[i]);
      greatest[axis] = std::max(greatest[axis], values[i]);
    }
  }
  accessor["min"] = least;
  accessor["max"] = greatest;
}

// The vertices whose vector is not zero, ascending.
template <class Number>
std::vector<std::uint32_t> moved_vertices(std::span<const Number> values) {
  std::vector<std::uint32_t> moved;
  for (std::size_t i = 0; i < values.size(); i += 3) {
    const bool is_zero = values[i] == 0 && values[i + 1] == 0 && values[i + 2] == 0;
    if (!is_zero) moved.push_back(static_cast<std::uint32_t>(i / 3));
  }
  return moved;
}

template <class Number>
json sparse_of(DocumentWriter& writer, std::span<const Number> values,
               const std::vector<std::uint32_t>& moved) {
  const bool is_short = moved.back() <= 0xFFFF;
  Bytes vectors(moved.size() * 3 * sizeof(Number));
  for (std::size_t i = 0; i < moved.size(); ++i) {
    std::memcpy(vectors.data() + i * 3 * sizeof(Number), &values[std::size_t{moved[i]} * 3],
                3 * sizeof(Number));
  }
  const std::size_t indices =
      writer.add_view(is_short ? bytes_as<std::uint16_t>(moved) : bytes_as<std::uint32_t>(moved));
  return {{"count", moved.size()},
          {"indices",
           {{"bufferView", indices}, {"componentType", is_short ? kUnsignedShort : kUnsignedInt}}},
          {"values", {{"bufferView", writer.add_view(std::move(vectors))}}}};
}

// Whether a sparse accessor is smaller than one of all vectors, each of so many bytes.
bool is_sparse_smaller(std::size_t vectors, std::size_t vector_bytes,
                       const std::vector<std::uint32_t>& moved, std::size_t moved_bytes) {
  const std::size_t index_bytes = moved.empty() || moved.back() <= 0xFFFF ? 2 : 4;
  return moved.size() * (moved_bytes + index_bytes) < vectors * vector_bytes;
}

// Vectors of int16, which stand for numbers or for fractions of 32767.
struct Integers {
  std::vector<std::int16_t> numbers;  // [vertex][axis]
  bool are_fractions = false;
};

constexpr int kMaxInt16 = 32767;

// The values in units of 1 / `per_one`; empty: some are not multiples, or too large.
std::vector<std::int16_t> multiples_of(std::span<const float> values, double per_one) {
  std::vector<std::int16_t> numbers;
  numbers.reserve(values.size());
  for (const float value : values) {
    const double number = std::round(double{value} * per_one);
    if (!(std::abs(number) <= kMaxInt16)) return {};
    if (static_cast<float>(number / per_one) != value) return {};
    numbers.push_back(static_cast<std::int16_t>(number));
  }
  return numbers;
}

std::optional<Integers> integers_of(std::span<const float> values, DisplacementsOf of) {
  Integers integers{multiples_of(values, kMaxInt16), true};
  if (integers.numbers.empty() && of == DisplacementsOf::kPositions) {
    integers = {multiples_of(values, 1), false};
  }
  if (integers.numbers.empty()) return {};
  return integers;
}

// Each vector has a fourth number, which is 0: vertices begin at multiples of four bytes.
Bytes padded_vectors(std::span<const std::int16_t> numbers) {
  Bytes bytes(numbers.size() / 3 * kShortVectorBytes);
  for (std::size_t v = 0; v * 3 < numbers.size(); ++v) {
    const std::int16_t vector[]{numbers[v * 3], numbers[v * 3 + 1], numbers[v * 3 + 2], 0};
    std::memcpy(bytes.data() + v * kShortVectorBytes, vector, sizeof vector);
  }
  return bytes;
}

std::size_t add_integers(DocumentWriter& writer, const Integers& integers, Bounds bounds) {
  const std::span<const std::int16_t> numbers = integers.numbers;
  const std::size_t count = numbers.size() / 3;
  const std::vector<std::uint32_t> moved = moved_vertices(numbers);
  json accessor{{"componentType", kShort}, {"count", count}, {"type", "VEC3"}};
  if (integers.are_fractions) accessor["normalized"] = true;
  const bool is_sparse =
      !writer.encoding().meshopt &&
      is_sparse_smaller(count, kShortVectorBytes, moved, 3 * sizeof(std::int16_t));
  if (!is_sparse) {
    accessor["bufferView"] =
        writer.add_elements(padded_vectors(numbers), {kShortVectorBytes, true});
  } else if (!moved.empty()) {
    accessor["sparse"] = sparse_of(writer, numbers, moved);
  }
  if (bounds == Bounds::kYes) set_bounds(numbers, accessor);
  writer.require_extension("KHR_mesh_quantization");
  return writer.document().append("accessors", std::move(accessor));
}

}  // namespace

std::size_t add_vectors(DocumentWriter& writer, const std::vector<float>& values,
                        const Primitive& vertices, Bounds bounds) {
  const std::span<const float> mine = of_primitive(values, vertices);
  const std::size_t view = writer.add_elements(std::vector<float>(mine.begin(), mine.end()), 3);
  const std::size_t accessor = writer.add_accessor(view, "VEC3", vertices.vertex_count);
  if (bounds == Bounds::kYes) set_bounds(mine, writer.document().element("accessors", accessor));
  return accessor;
}

std::size_t add_displacements(DocumentWriter& writer, const std::vector<float>& values,
                              const Primitive& vertices, DisplacementsOf of) {
  const std::span<const float> mine = of_primitive(values, vertices);
  const Bounds bounds = of == DisplacementsOf::kPositions ? Bounds::kYes : Bounds::kNo;
  if (writer.encoding().quantize) {
    if (const auto integers = integers_of(mine, of)) return add_integers(writer, *integers, bounds);
  }
  const std::vector<std::uint32_t> moved = moved_vertices(mine);
  constexpr std::size_t kVectorBytes = 3 * sizeof(float);
  const bool is_sparse =
      !writer.encoding().meshopt &&
      is_sparse_smaller(vertices.vertex_count, kVectorBytes, moved, kVectorBytes);
  if (!is_sparse) {
    return add_vectors(writer, values, vertices, bounds);
  }
  json accessor{{"componentType", kFloat}, {"count", vertices.vertex_count}, {"type", "VEC3"}};
  if (!moved.empty()) accessor["sparse"] = sparse_of(writer, mine, moved);
  if (bounds == Bounds::kYes) set_bounds(mine, accessor);
  return writer.document().append("accessors", std::move(accessor));
}

}  // namespace skinbake::gltf
