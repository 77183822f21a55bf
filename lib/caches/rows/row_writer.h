// The writer of the formats that are a header and rows, float32 or float16 [frame][vertex][axis].
// Every row has a known offset, so blocks are written in any order; the hash takes them in order.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "skinbake/caches.h"

namespace skinbake {

// Receives the bytes of the header, front to back.
using PutBytes = std::function<void(const void* data, std::size_t size)>;

struct RowLayout {
  std::string_view format;                  // id
  std::endian order = std::endian::little;  // of floats; halves are little-endian
  std::uint64_t head_bytes = 0;
  std::function<void(const PutBytes&)> put_head;  // puts head_bytes bytes
  bool half = false;                              // float16, else float32
};

// Returns a count that fits into the format's 32-bit field, else throws Error (kUsage,
// CACHE_TOO_LARGE). `what`: "points".
std::int32_t checked_count(std::int64_t count, const char* what, std::string_view format,
                           const std::string& path);

// Opens the cache and its sidecar. Throws Error (kOutput; kUsage if the file would exceed 2^63 - 1
// bytes).
std::unique_ptr<CacheWriter> write_rows(const std::string& path, const CacheHeader& header,
                                        const RowLayout& layout);

// Reverses the bytes of every number. The numbers may have any bits: they are moved as integers.
inline void swap_bytes(float* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, numbers + i, sizeof bits);
    bits = __builtin_bswap32(bits);
    std::memcpy(numbers + i, &bits, sizeof bits);
  }
}

}  // namespace skinbake
