#include "gltf/write/vertex_accessors.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr int kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;

std::span<const float> of_primitive(const std::vector<float>& values, const Primitive& vertices) {
  return {values.data() + std::size_t{vertices.first_vertex} * 3,
          std::size_t{vertices.vertex_count} * 3};
}

void set_bounds(std::span<const float> values, json& accessor) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float least = values[axis], greatest = values[axis];
    for (std::size_t i = axis; i < values.size(); i += 3) {
      least = std::min(least, values[i]);
      greatest = std::max(greatest, values[i]);
    }
    accessor["min"].push_back(least);
    accessor["max"].push_back(greatest);
  }
}

// The vertices whose vector is not zero, ascending.
std::vector<std::uint32_t> moved_vertices(std::span<const float> values) {
  std::vector<std::uint32_t> moved;
  for (std::size_t i = 0; i < values.size(); i += 3) {
    const bool is_zero = values[i] == 0 && values[i + 1] == 0 && values[i + 2] == 0;
    if (!is_zero) moved.push_back(static_cast<std::uint32_t>(i / 3));
  }
  return moved;
}

template <class Index>
Bytes bytes_of(const std::vector<std::uint32_t>& numbers) {
  Bytes bytes(numbers.size() * sizeof(Index));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = static_cast<Index>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
  }
  return bytes;
}

json sparse_of(DocumentWriter& writer, std::span<const float> values,
               const std::vector<std::uint32_t>& moved) {
  const bool is_short = moved.back() <= 0xFFFF;
  std::vector<float> vectors;
  for (const std::uint32_t v : moved) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(v) * 3;
    vectors.insert(vectors.end(), first, first + 3);
  }
  const std::size_t indices =
      writer.add_view(is_short ? bytes_of<std::uint16_t>(moved) : bytes_of<std::uint32_t>(moved));
  return {{"count", moved.size()},
          {"indices",
           {{"bufferView", indices}, {"componentType", is_short ? kUnsignedShort : kUnsignedInt}}},
          {"values", {{"bufferView", writer.add_view(std::move(vectors))}}}};
}

}  // namespace

std::size_t add_vectors(DocumentWriter& writer, const std::vector<float>& values,
                        const Primitive& vertices, Bounds bounds) {
  const std::span<const float> mine = of_primitive(values, vertices);
  const std::size_t view = writer.add_view(std::vector<float>(mine.begin(), mine.end()));
  const std::size_t accessor = writer.add_accessor(view, "VEC3", vertices.vertex_count);
  if (bounds == Bounds::kYes) set_bounds(mine, writer.array("accessors")[accessor]);
  return accessor;
}

std::size_t add_displacements(DocumentWriter& writer, const std::vector<float>& values,
                              const Primitive& vertices, Bounds bounds) {
  const std::span<const float> mine = of_primitive(values, vertices);
  const std::vector<std::uint32_t> moved = moved_vertices(mine);
  const std::size_t index_bytes = moved.empty() || moved.back() <= 0xFFFF ? 2 : 4;
  if (moved.size() * (12 + index_bytes) >= mine.size() * sizeof(float)) {
    return add_vectors(writer, values, vertices, bounds);
  }
  json accessor{{"componentType", kFloat}, {"count", vertices.vertex_count}, {"type", "VEC3"}};
  if (!moved.empty()) accessor["sparse"] = sparse_of(writer, mine, moved);
  if (bounds == Bounds::kYes) set_bounds(mine, accessor);
  json& accessors = writer.array("accessors");
  accessors.push_back(std::move(accessor));
  return accessors.size() - 1;
}

}  // namespace skinbake::gltf
