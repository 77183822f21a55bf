// The schedule of a stream of frames, whether they are computed (bake) or read (stream_frames): a
// pipeline over blocks. Any thread evaluates a block, in any order; blocks are merged in order.
// Inside a block, idle threads share its tiles.

#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/aligned_array.h"
#include "skinbake/error.h"
#include "skinbake/frames.h"

namespace skinbake {

inline constexpr std::size_t kNumbersPerVertex = 3 * kFramesPerBlock;

// Limits the thread count: calls work(threads) in an arena of `wanted` threads, or, for 0, of as
// many as there are processors. The arena never has more threads than there are processors, because
// oneTBB warns on standard error if it cannot provide them.
template <class Work>
void in_arena(int wanted, const Work& work) {
  const int processors = tbb::info::default_concurrency();
  const int threads = wanted > 0 ? wanted : processors;
  tbb::task_arena(std::min(threads, processors)).execute([&] { work(threads); });
}

// Calls visit(VertexRange) for every tile of a mesh, on several threads.
void for_each_tile(VertexIndex vertex_count, const std::function<void(VertexRange)>& visit);

using SinksOfRuns = std::vector<std::vector<FrameSink*>>;  // [run][sink]

// Frames are streamed once, or twice if a sink has a prepass (FrameSink::prepass).
enum class Pass { kOnly, kFirst, kSecond };

// Calls run(pass, sinks) for each pass that the sinks need. The sinks of the first of two passes
// are the prepasses; a run without prepasses does not have sinks in that pass.
void for_each_pass(const SinksOfRuns& sinks,
                   const std::function<void(Pass pass, const SinksOfRuns& sinks)>& run);

// The frames of one block of a source.
class SourceRows {
 public:
  explicit SourceRows(const FrameSource& source);

  void read(const FrameBlock& block);
  // The tile's positions, [vertex][axis][frame].
  void to_lanes(const FrameBlock& tile, float* lanes) const;

 private:
  const FrameSource* source_;
  AlignedArray<float> rows_;  // [frame][vertex][axis]
};

// Memory for tiles that are not kept after the sinks have consumed them. One per thread.
struct TileScratch {
  AlignedArray<float> positions{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<float> reference{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<float> normals{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<float> tangents{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<double> exact;
};

// A block that has been started and is not merged yet. Reused for later blocks.
struct BlockInFlight {
  virtual ~BlockInFlight() = default;

  FrameBlock block;
  std::vector<std::vector<std::unique_ptr<BlockState>>> states;  // [run][sink]
  std::optional<Error> failure;  // thrown in place of merging the block
};

// The part of a plan that bake and stream_frames share: counts, thread limit, callbacks.
struct StreamSettings {
  std::int64_t frame_count = 0;
  VertexIndex vertex_count = 0;
  int threads = 1;
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(std::int64_t frames_done)> progress;
};

// One pass over all frames. A derived class makes the blocks.
class BlockLoop {
 public:
  BlockLoop(StreamSettings settings, Pass pass, SinksOfRuns sinks);
  virtual ~BlockLoop() = default;

  // Feeds every frame to the sinks, then calls `end` of each sink. Throws the exceptions of sinks,
  // the failure of a block, and Cancelled.
  void run();

 protected:
  virtual std::unique_ptr<BlockInFlight> new_block() = 0;
  // Called in the order of the blocks, before `evaluate`.
  virtual void start(BlockInFlight& /*in_flight*/) {}
  // Makes the tiles of the block and passes them to the sinks.
  virtual void evaluate(BlockInFlight& in_flight) = 0;
  // The block for `finish` and `merge`, with the positions of the whole mesh if a sink needs them.
  virtual FrameBlock whole_block(const BlockInFlight& in_flight, std::size_t r) const = 0;

  void consume(BlockInFlight& in_flight, std::size_t r, const FrameBlock& tile) const;
  void add_states(BlockInFlight& in_flight) const;
  TileScratch& scratch() { return scratch_.local(); }

  // A prepass computes positions only, and only for the runs that have sinks in it.
  bool is_prepass() const { return pass_ == Pass::kFirst; }
  bool is_idle(std::size_t r) const { return is_prepass() && sinks_[r].empty(); }
  const SinksOfRuns& sinks() const { return sinks_; }
  const StreamSettings& settings() const { return settings_; }

 private:
  std::size_t count_blocks_in_flight() const;
  BlockInFlight* start_next();
  void finish(BlockInFlight& in_flight);
  void merge(BlockInFlight& in_flight);
  void stop_if_cancelled() const;
  void show_progress(std::int64_t frames_done) const;
  template <class Visit>
  void for_each_sink(BlockInFlight& in_flight, const Visit& visit) const;

  StreamSettings settings_;
  Pass pass_;
  SinksOfRuns sinks_;
  std::vector<std::unique_ptr<BlockInFlight>> blocks_;
  std::int64_t next_block_ = 0;
  tbb::enumerable_thread_specific<TileScratch> scratch_;
};

}  // namespace skinbake
