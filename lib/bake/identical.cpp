// Bytes against bytes, before anything is computed from them.

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "bake/arena.h"
#include "base/aligned_array.h"
#include "skinbake/error.h"
#include "skinbake/play.h"

namespace skinbake {

namespace {

// Two of them stay in a second-level cache while they are compared.
constexpr std::size_t kBytesAtOnce = std::size_t{512} << 10;

// Without a branch in the loop: compilers make lanes of it.
bool all_finite(const float* numbers, std::size_t count) {
  constexpr std::uint32_t kExponent = 0x7F800000u;
  std::uint32_t lost = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(numbers[i]);
    lost |= static_cast<std::uint32_t>((bits & kExponent) == kExponent);
  }
  return lost == 0;
}

}  // namespace

bool are_identical(const FrameSource& a, const FrameSource& b, int threads,
                   const std::atomic<bool>* cancelled) {
  const std::size_t row = static_cast<std::size_t>(a.vertex_count()) * 3;
  const auto frames_at_once =
      static_cast<std::int64_t>(std::max<std::size_t>(1, kBytesAtOnce / (row * sizeof(float) + 1)));
  const std::int64_t chunks = (a.frame_count() + frames_at_once - 1) / frames_at_once;
  struct Rows {
    AlignedArray<float> a, b;
  };
  tbb::enumerable_thread_specific<Rows> rows([&] {
    const std::size_t numbers = row * static_cast<std::size_t>(frames_at_once);
    return Rows{AlignedArray<float>(numbers), AlignedArray<float>(numbers)};
  });
  std::atomic<bool> same = true;
  const auto compare = [&](std::int64_t chunk) {
    if (!same.load(std::memory_order_relaxed)) return;
    if (cancelled != nullptr && cancelled->load()) throw Cancelled();
    Rows& mine = rows.local();
    const std::int64_t first = chunk * frames_at_once;
    const std::int64_t count = std::min(frames_at_once, a.frame_count() - first);
    a.read(first, count, mine.a.data());
    b.read(first, count, mine.b.data());
    const std::size_t numbers = row * static_cast<std::size_t>(count);
    const bool equal = std::memcmp(mine.a.data(), mine.b.data(), numbers * sizeof(float)) == 0;
    if (!equal || !all_finite(mine.a.data(), numbers)) same = false;
  };
  in_arena(threads, [&](int) { tbb::parallel_for(std::int64_t{0}, chunks, compare); });
  return same;
}

}  // namespace skinbake
