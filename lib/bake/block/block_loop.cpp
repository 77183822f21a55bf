#include "bake/block/block_loop.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <utility>

#include "frames/transpose.h"

namespace skinbake {

void for_each_tile(VertexIndex vertex_count, const std::function<void(VertexRange)>& visit) {
  const VertexIndex tiles = (vertex_count + kVerticesPerTile - 1) / kVerticesPerTile;
  tbb::parallel_for(VertexIndex{0}, tiles, [&](VertexIndex tile) {
    const VertexIndex first = tile * kVerticesPerTile;
    visit({first, std::min(kVerticesPerTile, vertex_count - first)});
  });
}

void for_each_pass(const SinksOfRuns& sinks,
                   const std::function<void(Pass pass, const SinksOfRuns& sinks)>& run) {
  SinksOfRuns prepasses(sinks.size());
  bool has_prepass = false;
  for (std::size_t r = 0; r < sinks.size(); ++r) {
    for (FrameSink* sink : sinks[r]) {
      if (sink->prepass() == nullptr) continue;
      prepasses[r].push_back(sink->prepass());
      has_prepass = true;
    }
  }
  if (has_prepass) run(Pass::kFirst, prepasses);
  run(has_prepass ? Pass::kSecond : Pass::kOnly, sinks);
}

SourceRows::SourceRows(const FrameSource& source)
    : source_(&source),
      rows_(
          static_cast<std::size_t>(source.vertex_count()) * 3 *
          static_cast<std::size_t>(std::min<std::int64_t>(source.frame_count(), kFramesPerBlock))) {
}

void SourceRows::read(const FrameBlock& block) {
  source_->read(block.first_frame, block.frame_count, rows_.data());
}

void SourceRows::to_lanes(const FrameBlock& tile, float* lanes) const {
  transpose_from_rows(rows_.data() + std::size_t{tile.vertices.first} * 3,
                      static_cast<std::size_t>(source_->vertex_count()) * 3,
                      std::size_t{tile.vertices.count} * 3, tile.frame_count, lanes);
}

BlockLoop::BlockLoop(StreamSettings settings, Pass pass, SinksOfRuns sinks)
    : settings_(std::move(settings)), pass_(pass), sinks_(std::move(sinks)) {}

// One block per thread. With one block more, no thread would wait while another thread merges, but
// the rows of the other blocks would leave the cache before they are written. Blocks of a large
// mesh are fewer: each sink may have an array of the whole mesh for each.
std::size_t BlockLoop::count_blocks_in_flight() const {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  std::size_t arrays = 1;
  for (const std::vector<FrameSink*>& sinks_of_run : sinks_) arrays += 1 + sinks_of_run.size();
  const std::size_t bytes =
      arrays * std::size_t{settings_.vertex_count} * kNumbersPerVertex * sizeof(float);
  const std::int64_t blocks = (settings_.frame_count + kFramesPerBlock - 1) / kFramesPerBlock;
  const auto most = static_cast<std::int64_t>(kMostBytes / (bytes + 1));
  return static_cast<std::size_t>(
      std::max<std::int64_t>(1, std::min({blocks, std::int64_t{settings_.threads}, most})));
}

void BlockLoop::run() {
  const std::size_t count = count_blocks_in_flight();
  while (blocks_.size() < count) blocks_.push_back(new_block());
  const auto start_filter = tbb::make_filter<void, BlockInFlight*>(
      tbb::filter_mode::serial_in_order, [this](tbb::flow_control& flow) {
        BlockInFlight* const next = start_next();
        if (next == nullptr) flow.stop();
        return next;
      });
  const auto evaluate_filter = tbb::make_filter<BlockInFlight*, BlockInFlight*>(
      tbb::filter_mode::parallel, [this](BlockInFlight* in_flight) {
        evaluate(*in_flight);
        finish(*in_flight);
        return in_flight;
      });
  const auto merge_filter = tbb::make_filter<BlockInFlight*, void>(
      tbb::filter_mode::serial_in_order, [this](BlockInFlight* in_flight) { merge(*in_flight); });
  tbb::parallel_pipeline(count, start_filter & evaluate_filter & merge_filter);
  for (const std::vector<FrameSink*>& sinks_of_run : sinks_) {
    for (FrameSink* sink : sinks_of_run) {
      sink->end();
      stop_if_cancelled();  // `end` may take long
    }
  }
}

// Returns null if all blocks are started.
BlockInFlight* BlockLoop::start_next() {
  stop_if_cancelled();
  const std::int64_t first = next_block_ * kFramesPerBlock;
  const std::int64_t left = settings_.frame_count - first;
  if (left <= 0) return nullptr;
  // Blocks are reused in turn. The pipeline has as many tokens as there are blocks, and tokens end
  // in order, so the next block is free.
  BlockInFlight& next = *blocks_[static_cast<std::size_t>(next_block_) % blocks_.size()];
  next.block = {next_block_,
                first,
                static_cast<int>(std::min<std::int64_t>(kFramesPerBlock, left)),
                {0, settings_.vertex_count},
                nullptr,
                nullptr,
                nullptr};
  next.failure.reset();
  start(next);
  ++next_block_;
  return &next;
}

void BlockLoop::consume(BlockInFlight& in_flight, std::size_t r, const FrameBlock& tile) const {
  const auto& states = in_flight.states[r];
  for (std::size_t s = 0; s < states.size(); ++s) sinks_[r][s]->consume(tile, *states[s]);
}

void BlockLoop::add_states(BlockInFlight& in_flight) const {
  for (const std::vector<FrameSink*>& sinks_of_run : sinks_) {
    auto& states = in_flight.states.emplace_back();
    for (const FrameSink* sink : sinks_of_run) states.push_back(sink->new_state());
  }
}

void BlockLoop::finish(BlockInFlight& in_flight) {
  if (in_flight.failure) return;
  for_each_sink(in_flight, [&](FrameSink& sink, std::size_t r, BlockState& state) {
    sink.finish(whole_block(in_flight, r), state);
  });
}

void BlockLoop::merge(BlockInFlight& in_flight) {
  if (in_flight.failure) throw Error(*in_flight.failure);
  for_each_sink(in_flight, [&](FrameSink& sink, std::size_t r, BlockState& state) {
    sink.merge(whole_block(in_flight, r), state);
  });
  show_progress(in_flight.block.first_frame + in_flight.block.frame_count);
}

void BlockLoop::stop_if_cancelled() const {
  if (settings_.cancelled != nullptr && settings_.cancelled->load()) throw Cancelled();
}

// If there are two passes, a frame of one pass counts as half a frame.
void BlockLoop::show_progress(std::int64_t frames_done) const {
  if (!settings_.progress) return;
  if (pass_ == Pass::kSecond) frames_done += settings_.frame_count;
  settings_.progress(pass_ == Pass::kOnly ? frames_done : frames_done / 2);
}

template <class Visit>
void BlockLoop::for_each_sink(BlockInFlight& in_flight, const Visit& visit) const {
  for (std::size_t r = 0; r < sinks_.size(); ++r) {
    for (std::size_t s = 0; s < in_flight.states[r].size(); ++s) {
      visit(*sinks_[r][s], r, *in_flight.states[r][s]);
    }
  }
}

}  // namespace skinbake
