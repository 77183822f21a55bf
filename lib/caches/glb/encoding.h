// How a baked GLB stores numbers: the component types of glTF and the streams of
// EXT_meshopt_compression.
//
// glTF 2.0 specification, 3.6.2.2 (component types).
// Arseny Kapoulkine. EXT_meshopt_compression. Khronos glTF extension, 2021.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skinbake {

// Values of an accessor's componentType.
inline constexpr int kComponentInt16 = 5122, kComponentUint16 = 5123, kComponentUint32 = 5125,
                     kComponentFloat = 5126;

// Chunks, and all data in the binary chunk, start at a multiple of 4 bytes.
constexpr std::uint64_t padded_to_4(std::uint64_t size) {
  return (size + 3) & ~std::uint64_t{3};
}

// Coordinates of a position.
inline constexpr std::size_t kAxes = 3;
// A quantized vertex is three int16 and one int16 of padding, or of a tangent's sign.
inline constexpr std::size_t kInt16PerVertex = 4;
inline constexpr std::size_t kQuantizedVertexBytes = kInt16PerVertex * sizeof(std::int16_t);
inline constexpr std::size_t kFloatVertexBytes = kAxes * sizeof(float);

// A meshopt stream spends at least 2 bits on 16 bytes, so a byte of it decodes to at most 64.
inline constexpr std::uint64_t kMaxMeshoptRatio = 64;

// Contiguous elements that one meshopt stream encodes.
struct MeshoptElements {
  std::size_t count = 0;
  std::size_t bytes = kQuantizedVertexBytes;  // of one element; a multiple of 4
};

// The upper bound of the size of a stream of these elements.
std::size_t max_meshopt_bytes(const MeshoptElements& elements);

// Replaces `out` by the stream of the elements at `data`.
void encode_meshopt(const void* data, const MeshoptElements& elements,
                    std::vector<std::uint8_t>& out);

// Decodes untrusted bytes. Returns false if they are not a stream of these elements.
bool decode_meshopt(std::span<const std::uint8_t> bytes, const MeshoptElements& elements,
                    void* data);

}  // namespace skinbake
