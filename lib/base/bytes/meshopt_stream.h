// The streams of EXT_meshopt_compression in mode ATTRIBUTES, encoded and decoded by the
// meshoptimizer library.
//
// Arseny Kapoulkine. EXT_meshopt_compression. Khronos glTF extension, 2021.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skinbake {

// A meshopt stream spends at least 2 bits on 16 bytes, so a byte of it decodes to at most 64.
inline constexpr std::uint64_t kMaxMeshoptRatio = 64;

// Contiguous elements that one meshopt stream encodes.
struct MeshoptElements {
  std::size_t count = 0;
  std::size_t bytes = 8;  // of one element; a multiple of 4, at most 256
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
