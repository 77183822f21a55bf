// What formats have in common whose rows, float32 or float16 [frame][vertex][axis], follow a head:
// rows are written where they belong in any order, hashed in theirs, and described by a sidecar.

#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "skinbake/caches.h"

namespace skinbake {

// Takes the head's bytes, front to back.
using PutBytes = std::function<void(const void* data, std::size_t size)>;

struct RowLayout {
  std::string_view format;  // id
  std::endian order = std::endian::little;
  std::uint64_t head_bytes = 0;
  std::function<void(const PutBytes&)> put_head;  // as many bytes as it says
  bool half = false;                              // float16, little-endian
};

// Counts that the format's 32-bit fields can hold; `what`: "points". Throws Error (kUsage).
std::int32_t checked_count(std::int64_t count, const char* what, std::string_view format,
                           const std::string& path);

// Opens the cache and its sidecar. Throws Error (kOutput; kUsage if no file can be so large).
std::unique_ptr<CacheWriter> write_rows(const std::string& path, const CacheHeader& header,
                                        const RowLayout& layout);

}  // namespace skinbake
