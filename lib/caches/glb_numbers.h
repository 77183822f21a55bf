// The numbers of glTF's binary form and of its accessors.
//
// glTF 2.0 specification, 3.6.2.2 (component types), 4.4 (GLB).

#pragma once

#include <cstdint>

namespace skinbake {

inline constexpr std::uint32_t kGlbMagic = 0x46546C67;  // "glTF"
inline constexpr std::uint32_t kGlbVersion = 2;
inline constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
inline constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
inline constexpr std::uint64_t kGlbHeaderBytes = 12, kChunkHeaderBytes = 8;

inline constexpr int kFloat = 5126, kU32 = 5125, kU16 = 5123, kShort = 5122;  // componentType

// Chunks, and all that is in the binary one, start at a multiple of 4.
constexpr std::uint64_t filled_up(std::uint64_t size) {
  return (size + 3) & ~std::uint64_t{3};
}

}  // namespace skinbake
