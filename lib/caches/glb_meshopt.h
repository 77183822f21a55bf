// Streams of EXT_meshopt_compression: of elements of 8 bytes, three shorts and a gap, or of 12,
// three floats.
//
// Arseny Kapoulkine. EXT_meshopt_compression. Khronos glTF extension, 2021.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skinbake {

inline constexpr std::size_t kShortsPerElement = 4;
inline constexpr std::size_t kElementBytes = kShortsPerElement * sizeof(std::int16_t);

// A stream has two bits for 16 bytes at the least.
inline constexpr std::uint64_t kMostBytesPerByte = 64;

// Vectors that follow one another; an element has a multiple of 4 bytes.
struct MeshoptElements {
  std::size_t count = 0;
  std::size_t bytes = kElementBytes;  // of one
};

std::size_t most_meshopt_bytes(const MeshoptElements& elements);

// `out` becomes the stream of what lies at `data`.
void encode_meshopt(const void* data, const MeshoptElements& elements,
                    std::vector<std::uint8_t>& out);

// False if the bytes, which may be any, are no stream of such elements.
bool decode_meshopt(std::span<const std::uint8_t> bytes, const MeshoptElements& elements,
                    void* data);

}  // namespace skinbake
