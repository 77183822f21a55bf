// Constants of the GLB container.
//
//   offset  type     field
//        0  char[4]  "glTF"
//        4  uint32   version, 2
//        8  uint32   length of the whole file in bytes
//       12           chunks: uint32 length, uint32 type, bytes; the first is JSON, the second BIN
//
// glTF 2.0 specification, 4.4 (GLB). Little-endian.

#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace skinbake {

inline constexpr std::uint32_t kGlbMagic = 0x46546C67;  // "glTF"
inline constexpr std::uint32_t kGlbVersion = 2;
inline constexpr std::uint32_t kGlbJsonChunk = 0x4E4F534A;  // "JSON"
inline constexpr std::uint32_t kGlbBinChunk = 0x004E4942;   // "BIN\0"
inline constexpr std::uint64_t kGlbHeaderBytes = 12, kGlbChunkHeaderBytes = 8;
inline constexpr std::uint64_t kMaxGlbBytes = std::numeric_limits<std::uint32_t>::max();

// The offset of the binary chunk's bytes. `json_bytes`: with its padding to a multiple of 4.
constexpr std::uint64_t glb_bin_offset(std::uint64_t json_bytes) {
  return kGlbHeaderBytes + kGlbChunkHeaderBytes + json_bytes + kGlbChunkHeaderBytes;
}

// The numbers before the JSON, and those before the bytes of the binary chunk. The sum of the sizes
// is at most kMaxGlbBytes.
struct GlbHeads {
  std::array<std::uint32_t, 5> json;
  std::array<std::uint32_t, 2> bin;
};
constexpr GlbHeads glb_heads(std::uint64_t json_bytes, std::uint64_t bin_bytes) {
  const auto u32 = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  return {{kGlbMagic, kGlbVersion, u32(glb_bin_offset(json_bytes) + bin_bytes), u32(json_bytes),
           kGlbJsonChunk},
          {u32(bin_bytes), kGlbBinChunk}};
}

}  // namespace skinbake
