#include "skinbake/frames.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "bake/block/block_loop.h"

namespace skinbake {

namespace {

struct ReadBlock final : BlockInFlight {
  ReadBlock(const StreamPlan& plan, std::size_t whole_numbers)
      : positions(*plan.frames), whole(whole_numbers) {
    if (plan.reference != nullptr) reference.emplace(*plan.reference);
  }

  SourceRows positions;
  std::optional<SourceRows> reference;
  AlignedArray<float> whole;  // [vertex][axis][frame]; empty unless a sink needs the whole mesh
};

// Streams the frames of a source; it has one run.
class ReadLoop final : public BlockLoop {
 public:
  ReadLoop(const StreamPlan& plan, int threads, Pass pass, const SinksOfRuns& sinks)
      : BlockLoop(
            {plan.frames->frame_count(), static_cast<VertexIndex>(plan.frames->vertex_count()),
             threads, plan.cancelled, plan.progress},
            pass, sinks),
        plan_(plan) {
    if (is_prepass()) plan_.reference = nullptr;
    needs_whole_ = std::any_of(sinks[0].begin(), sinks[0].end(),
                               [](const FrameSink* s) { return s->needs_whole_block(); });
  }

 private:
  std::unique_ptr<BlockInFlight> new_block() override {
    const std::size_t numbers = std::size_t{settings().vertex_count} * kNumbersPerVertex;
    auto block = std::make_unique<ReadBlock>(plan_, needs_whole_ ? numbers : 0);
    add_states(*block);
    return block;
  }

  void evaluate(BlockInFlight& in_flight) override {
    auto& read = static_cast<ReadBlock&>(in_flight);
    read.positions.read(read.block);
    if (read.reference) read.reference->read(read.block);
    for_each_tile(settings().vertex_count, [&](VertexRange vertices) {
      FrameBlock tile = read.block;
      tile.vertices = vertices;
      float* const positions =
          needs_whole_ ? read.whole.data() + std::size_t{vertices.first} * kNumbersPerVertex
                       : scratch().positions.data();
      read.positions.to_lanes(tile, positions);
      tile.positions = positions;
      if (read.reference) {
        read.reference->to_lanes(tile, scratch().reference.data());
        tile.reference = scratch().reference.data();
      }
      consume(read, 0, tile);
    });
  }

  FrameBlock whole_block(const BlockInFlight& in_flight, std::size_t) const override {
    FrameBlock block = in_flight.block;
    if (needs_whole_) block.positions = static_cast<const ReadBlock&>(in_flight).whole.data();
    return block;
  }

  StreamPlan plan_;
  bool needs_whole_ = false;
};

// Size of the rows that are compared at once. The rows of two sources fit into a second-level
// cache.
constexpr std::size_t kBytesAtOnce = std::size_t{512} << 10;

// The loop does not branch, so that compilers vectorise it.
bool all_finite(const float* numbers, std::size_t count) {
  constexpr std::uint32_t kExponent = 0x7F800000u;
  std::uint32_t not_finite = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(numbers[i]);
    not_finite |= static_cast<std::uint32_t>((bits & kExponent) == kExponent);
  }
  return not_finite == 0;
}

}  // namespace

void stream_frames(const StreamPlan& plan) {
  validate(plan);
  in_arena(plan.threads, [&](int threads) {
    for_each_pass({plan.sinks}, [&](Pass pass, const SinksOfRuns& sinks) {
      ReadLoop(plan, threads, pass, sinks).run();
    });
  });
}

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
