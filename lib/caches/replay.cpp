// Frames that are there already, brought into the form in which bake hands them out.

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/aligned_array.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kNumbersPerVertex = 3 * kFramesPerBlock;

// One tile: [frame][number] to [number][16 frames], the last frame repeated.
void transpose_to_lanes(const float* rows, std::size_t row_size, int frame_count, std::size_t count,
                        float* lanes) {
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    const float* row = rows + static_cast<std::size_t>(std::min(lane, frame_count - 1)) * row_size;
    for (std::size_t n = 0; n < count; ++n) {
      lanes[n * kFramesPerBlock + static_cast<std::size_t>(lane)] = row[n];
    }
  }
}

void check_finite(const CacheReader& from, const float* rows, std::int64_t first_frame,
                  std::size_t count, std::size_t row_size) {
  for (std::size_t n = 0; n < count; ++n) {
    if (std::isfinite(rows[n])) continue;
    throw Error(ErrorKind::kInput, "NON_FINITE_POSITION",
                "frame " + std::to_string(first_frame + static_cast<std::int64_t>(n / row_size)) +
                    ", vertex " + std::to_string(n % row_size / 3) +
                    ": the position is not a finite number; export the cache again",
                {from.path(), ""});
  }
}

void check_memory(const CacheReader& from, std::uint64_t max_memory) {
  constexpr std::uint64_t kBytesPerVertex = 3 * sizeof(float) * (kFramesPerBlock + 1) * 2;
  if (static_cast<std::uint64_t>(from.vertex_count()) <= max_memory / kBytesPerVertex) return;
  throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
              std::to_string(from.vertex_count()) + " vertices take more memory than the limit, " +
                  std::to_string(max_memory) +
                  " bytes; raise it with --max-memory if you trust "
                  "the file",
              {from.path(), ""});
}

}  // namespace

void replay(const CacheReader& from, FrameSink& sink, const ReplayOptions& options) {
  check_memory(from, options.max_memory);
  const auto row_size = static_cast<std::size_t>(from.vertex_count()) * 3;
  const std::int64_t frames = from.frame_count();
  AlignedArray<float> rows(
      row_size * static_cast<std::size_t>(std::min<std::int64_t>(frames, kFramesPerBlock)));
  AlignedArray<float> lanes(kVerticesPerTile * kNumbersPerVertex);
  const std::unique_ptr<BlockState> state = sink.new_state();
  for (std::int64_t first = 0; first < frames; first += kFramesPerBlock) {
    if (options.cancelled != nullptr && options.cancelled->load()) throw Cancelled();
    FrameBlock block;
    block.index = first / kFramesPerBlock;
    block.first_frame = first;
    block.frame_count = static_cast<int>(std::min<std::int64_t>(kFramesPerBlock, frames - first));
    block.vertices = {0, static_cast<VertexIndex>(from.vertex_count())};
    from.read(first, block.frame_count, rows.data());
    check_finite(from, rows.data(), first, row_size * static_cast<std::size_t>(block.frame_count),
                 row_size);
    for (VertexIndex v = 0; v < block.vertices.count; v += kVerticesPerTile) {
      FrameBlock tile = block;
      tile.vertices = {v, std::min(kVerticesPerTile, block.vertices.count - v)};
      tile.positions = lanes.data();
      transpose_to_lanes(rows.data() + std::size_t{v} * 3, row_size, block.frame_count,
                         std::size_t{tile.vertices.count} * 3, lanes.data());
      sink.consume(tile, *state);
    }
    sink.finish(block, *state);
    sink.merge(block, *state);
  }
  sink.end();
}

}  // namespace skinbake
