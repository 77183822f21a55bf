// The schedule of frames that need no computing: as in bake.cpp, blocks are read by any thread in
// any order and merged in theirs.

#include "skinbake/play.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <memory>

#include "bake/arena.h"
#include "bake/relax.h"
#include "base/aligned_array.h"
#include "frames/transpose.h"

namespace skinbake {

namespace {

constexpr std::size_t kNumbersPerVertex = 3 * kFramesPerBlock;

// What the blocks in flight may take together; one is always allowed.
constexpr std::size_t kBlockMemory = std::size_t{1} << 30;

// The rows of a source, and their tiles as lanes.
struct Stream {
  const FrameSource* source = nullptr;
  AlignedArray<float> rows;   // [frame][vertex][axis]
  AlignedArray<float> whole;  // [vertex][axis][frame]; empty: tiles are enough
};

struct TileScratch {
  AlignedArray<float> positions{kVerticesPerTile * kNumbersPerVertex};
  AlignedArray<float> reference{kVerticesPerTile * kNumbersPerVertex};
};

struct Slot {
  FrameBlock block;
  Stream positions, reference;
  std::vector<std::unique_ptr<BlockState>> states;
};

class Player {
 public:
  Player(const PlayPlan& plan, int threads)
      : plan_(plan), vertices_(static_cast<VertexIndex>(plan.frames->vertex_count())) {
    const std::int64_t frames = plan.frames->frame_count();
    const std::int64_t blocks = (frames + kFramesPerBlock - 1) / kFramesPerBlock;
    const bool needs_whole = std::any_of(plan.sinks.begin(), plan.sinks.end(),
                                         [](FrameSink* s) { return s->needs_whole_block(); });
    const std::size_t numbers = std::size_t{vertices_} * kNumbersPerVertex;
    const std::size_t row_numbers =  // a short clip's block is not full
        std::size_t{vertices_} * 3 *
        static_cast<std::size_t>(std::min<std::int64_t>(frames, kFramesPerBlock));
    const std::size_t arrays = 2 + (plan.reference != nullptr ? 1 : 0) + (needs_whole ? 1 : 0);
    const auto by_memory =
        static_cast<std::int64_t>(kBlockMemory / (numbers * sizeof(float) * arrays + 1));
    const auto slot_count =
        std::max<std::int64_t>(1, std::min({blocks, std::int64_t{threads}, by_memory}));
    for (std::int64_t i = 0; i < slot_count; ++i) {
      Slot& slot = *slots_.emplace_back(std::make_unique<Slot>());
      slot.positions = {plan.frames, AlignedArray<float>(row_numbers),
                        AlignedArray<float>(needs_whole ? numbers : 0)};
      if (plan.reference != nullptr) {
        slot.reference = {plan.reference, AlignedArray<float>(row_numbers), {}};
      }
      for (const FrameSink* sink : plan.sinks) slot.states.push_back(sink->new_state());
    }
  }

  void run() {
    tbb::parallel_pipeline(
        slots_.size(),
        tbb::make_filter<void, Slot*>(tbb::filter_mode::serial_in_order,
                                      [this](tbb::flow_control& flow) { return next(flow); }) &
            tbb::make_filter<Slot*, Slot*>(tbb::filter_mode::parallel,
                                           [this](Slot* slot) { return read(*slot); }) &
            tbb::make_filter<Slot*, void>(tbb::filter_mode::serial_in_order,
                                          [this](Slot* slot) { merge(*slot); }));
    for (FrameSink* sink : plan_.sinks) {
      sink->end();
      stop_if_cancelled();  // some take their time
    }
  }

 private:
  void stop_if_cancelled() const {
    if (plan_.cancelled != nullptr && plan_.cancelled->load()) throw Cancelled();
  }

  Slot* next(tbb::flow_control& flow) {
    stop_if_cancelled();
    const std::int64_t first = next_block_ * kFramesPerBlock;
    const std::int64_t left = plan_.frames->frame_count() - first;
    if (left <= 0) {
      flow.stop();
      return nullptr;
    }
    // Slots go round: there are as many as tokens, and tokens end in order.
    Slot& slot = *slots_[static_cast<std::size_t>(next_block_) % slots_.size()];
    slot.block = {};
    slot.block.index = next_block_++;
    slot.block.first_frame = first;
    slot.block.frame_count = static_cast<int>(std::min<std::int64_t>(kFramesPerBlock, left));
    slot.block.vertices = {0, vertices_};
    return &slot;
  }

  Slot* read(Slot& slot) {
    for (Stream* stream : {&slot.positions, &slot.reference}) {
      if (stream->source == nullptr) continue;
      stream->source->read(slot.block.first_frame, slot.block.frame_count, stream->rows.data());
    }
    for_each_tile(vertices_, [&](VertexRange vertices) { consume(slot, vertices); });
    if (slot.positions.whole.size() > 0) slot.block.positions = slot.positions.whole.data();
    for (std::size_t s = 0; s < slot.states.size(); ++s) {
      plan_.sinks[s]->finish(slot.block, *slot.states[s]);
    }
    return &slot;
  }

  void consume(Slot& slot, VertexRange vertices) {
    TileScratch& scratch = scratch_.local();
    FrameBlock tile = slot.block;
    tile.vertices = vertices;
    tile.positions = lanes_of(slot.positions, tile, scratch.positions.data());
    if (plan_.reference != nullptr) {
      tile.reference = lanes_of(slot.reference, tile, scratch.reference.data());
    }
    for (std::size_t s = 0; s < slot.states.size(); ++s) {
      plan_.sinks[s]->consume(tile, *slot.states[s]);
    }
  }

  // A tile's positions: in `scratch`, unless the whole mesh is kept.
  const float* lanes_of(Stream& stream, const FrameBlock& tile, float* scratch) const {
    const std::size_t first = std::size_t{tile.vertices.first};
    float* to =
        stream.whole.size() == 0 ? scratch : stream.whole.data() + first * kNumbersPerVertex;
    transpose_from_rows(stream.rows.data() + first * 3, std::size_t{vertices_} * 3,
                        std::size_t{tile.vertices.count} * 3, tile.frame_count, to);
    return to;
  }

  void merge(Slot& slot) {
    for (std::size_t s = 0; s < slot.states.size(); ++s) {
      plan_.sinks[s]->merge(slot.block, *slot.states[s]);
    }
    if (plan_.progress) plan_.progress(slot.block.first_frame + slot.block.frame_count);
  }

  const PlayPlan& plan_;
  VertexIndex vertices_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::int64_t next_block_ = 0;
  tbb::enumerable_thread_specific<TileScratch> scratch_;
};

}  // namespace

void play(const PlayPlan& plan) {
  PlayPlan first = plan;
  first.sinks.clear();
  for (FrameSink* sink : plan.sinks) {
    if (sink->survey() != nullptr) first.sinks.push_back(sink->survey());
  }
  first.reference = nullptr;
  first.progress = {};
  in_arena(plan.threads, [&](int threads) {
    if (!first.sinks.empty()) Player(first, threads).run();
    Player(plan, threads).run();
  });
}

}  // namespace skinbake
