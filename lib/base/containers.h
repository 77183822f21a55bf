// File formats that several folders write: containers and streams.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// Constants of the GLB container.
//
//   offset  type     field
//        0  char[4]  "glTF"
//        4  uint32   version, 2
//        8  uint32   length of the whole file in bytes
//       12           chunks: uint32 length, uint32 type, bytes; the first is JSON, the second BIN
//
// glTF 2.0 specification, 4.4 (GLB). Little-endian.

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

// The start of a NumPy array file, version 1.0:
//
//   offset  type        field
//        0  char[6]     "\x93NUMPY"
//        6  uint8[2]    1, 0
//        8  uint16      length H of the dictionary
//       10  char[H]     {'descr': '<f4', 'fortran_order': False, 'shape': (F, V, 3), }, then
//                       spaces and '\n'
//   10 + H              the numbers, last index fastest; at a multiple of 64
//
// After numpy.lib.format's documentation.

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// Everything before the numbers. Precondition: at least two dimensions.
std::string npy_head(std::initializer_list<std::int64_t> shape, std::string_view descr = "<f4");

// The streams of EXT_meshopt_compression in mode ATTRIBUTES, encoded and decoded by the
// meshoptimizer library.
//
// Arseny Kapoulkine. EXT_meshopt_compression. Khronos glTF extension, 2021.

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
