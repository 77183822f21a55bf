// Rejects positions of a cache file that are not finite. Positions of a bake are checked by the
// bake itself; those of a file are untrusted.

#include <cmath>
#include <mutex>
#include <tuple>

#include "skinbake/caches.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The first position of a block that is not finite, by frame, then vertex.
struct FirstNonFinite : BlockState {
  std::mutex mutex;  // tiles of one block come from several threads
  int lane = kFramesPerBlock;
  VertexIndex vertex = 0;

  void take(int l, VertexIndex v) {
    const std::lock_guard lock(mutex);
    if (std::tie(l, v) < std::tie(lane, vertex)) std::tie(lane, vertex) = std::tie(l, v);
  }
};

class FiniteCheck final : public FrameSink {
 public:
  explicit FiniteCheck(const CacheReader& cache) : path_(cache.path()), frames_(cache.frames()) {}

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<FirstNonFinite>();
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    constexpr std::size_t kNumbersPerVertex = 3 * kFramesPerBlock;
    const std::size_t count = std::size_t{tile.vertices.count} * kNumbersPerVertex;
    bool finite = true;  // the loop does not branch, so that the compiler vectorises it
    for (std::size_t n = 0; n < count; ++n) finite &= std::isfinite(tile.positions[n]);
    if (finite) return;
    for (std::size_t n = 0; n < count; ++n) {
      if (std::isfinite(tile.positions[n])) continue;
      static_cast<FirstNonFinite&>(state).take(
          static_cast<int>(n % kFramesPerBlock),
          tile.vertices.first + static_cast<VertexIndex>(n / kNumbersPerVertex));
    }
  }

  void finish(const FrameBlock&, BlockState&) override {}

  // Blocks merge in the order of the frames, so the message does not depend on the threads.
  void merge(const FrameBlock& block, BlockState& state) override {
    const FirstNonFinite& first = static_cast<FirstNonFinite&>(state);
    if (first.lane == kFramesPerBlock) return;
    throw Error("NON_FINITE_POSITION",
                "frame " + std::to_string(frames_.frame(block.first_frame + first.lane)) +
                    ", vertex " + std::to_string(first.vertex) +
                    ": the position is not a finite number; export the cache again",
                {path_, ""});
  }

 private:
  std::string path_;
  FrameRange frames_;
};

}  // namespace

std::unique_ptr<FrameSink> finite_check(const CacheReader& cache) {
  return std::make_unique<FiniteCheck>(cache);
}

}  // namespace skinbake
