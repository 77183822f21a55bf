#include "memory/freed_memory.h"

#include <malloc.h>

#include <algorithm>
#include <cstddef>

namespace skinbake::cli {

// Blocks of the threshold and more get pages of their own, which they return when they are freed.
// For them the first access to a page is cheap beside the work on it.
void bound_freed_memory([[maybe_unused]] std::uint64_t figure) {
#ifndef SKINBAKE_SANITIZED
  const auto part = [&](std::uint64_t share) {
    constexpr std::uint64_t kLeast = 128 << 10, kMost = 1 << 30;
    return static_cast<int>(std::clamp(figure / share, kLeast, kMost));
  };
  mallopt(M_MMAP_THRESHOLD, part(64));
  mallopt(M_TRIM_THRESHOLD, part(16));
#endif
}

void release_freed_memory() {
  malloc_trim(0);
}

void release_much_freed_memory(std::uint64_t figure) {
  constexpr std::uint64_t kShare = 16;
  if (mallinfo2().fordblks > figure / kShare) release_freed_memory();
}

}  // namespace skinbake::cli
