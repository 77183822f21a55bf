// Streams of EXT_meshopt_compression, of elements of 8 bytes: three shorts and a gap.
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
inline constexpr std::uint64_t kMostElementsPerByte = 64 / kElementBytes;

std::size_t most_meshopt_bytes(std::size_t elements);

// `out` becomes the stream of `shorts`, of whole elements.
void encode_meshopt(std::span<const std::int16_t> shorts, std::vector<std::uint8_t>& out);

// False if the bytes, which may be any, are no stream of so many elements.
bool decode_meshopt(std::span<const std::uint8_t> bytes, std::span<std::int16_t> shorts);

}  // namespace skinbake
