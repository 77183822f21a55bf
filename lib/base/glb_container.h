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

#include <cstdint>

namespace skinbake {

inline constexpr std::uint32_t kGlbMagic = 0x46546C67;  // "glTF"
inline constexpr std::uint32_t kGlbVersion = 2;
inline constexpr std::uint32_t kGlbJsonChunk = 0x4E4F534A;  // "JSON"
inline constexpr std::uint32_t kGlbBinChunk = 0x004E4942;   // "BIN\0"
inline constexpr std::uint64_t kGlbHeaderBytes = 12, kGlbChunkHeaderBytes = 8;

}  // namespace skinbake
