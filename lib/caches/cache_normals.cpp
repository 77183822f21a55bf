#include "caches/cache_normals.h"

#include <algorithm>
#include <stdexcept>

#include "frames/transpose.h"

namespace skinbake {

namespace {

struct State : BlockState {
  const float* normals = nullptr;  // until the block is merged
  std::unique_ptr<BlockState> spool;
};

void replace_missing(float* rows, std::size_t numbers) {
  for (float* n = rows; n != rows + numbers; n += 3) {
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) n[2] = 1;
  }
}

const float* there(const float* normals) {
  if (normals == nullptr) throw std::logic_error("normals that there are not were planned");
  return normals;
}

}  // namespace

void normals_to_rows(const float* normals, std::size_t row_size, float* rows) {
  transpose_to_rows(there(normals), row_size, kFramesPerBlock, rows, row_size);
  replace_missing(rows, row_size * kFramesPerBlock);
}

void normals_to_lanes(const float* normals, std::size_t vertices, float* lanes) {
  constexpr std::size_t kNumbers = 3 * kFramesPerBlock;
  std::copy_n(there(normals), vertices * kNumbers, lanes);
  for (float* n = lanes; n != lanes + vertices * kNumbers; n += kNumbers) {
    for (int i = 0; i < kFramesPerBlock; ++i) {
      const bool is_missing =
          n[i] == 0 && n[kFramesPerBlock + i] == 0 && n[2 * kFramesPerBlock + i] == 0;
      n[2 * kFramesPerBlock + i] = is_missing ? 1 : n[2 * kFramesPerBlock + i];
    }
  }
}

NormalSpool::NormalSpool(std::int64_t vertex_count, std::int64_t frame_count)
    : spool_(make_spool(vertex_count, frame_count)) {}

std::unique_ptr<BlockState> NormalSpool::new_state() const {
  auto state = std::make_unique<State>();
  state->spool = spool_->new_state();
  return state;
}

void NormalSpool::take(const float* normals, BlockState& state) const {
  static_cast<State&>(state).normals = there(normals);
}

void NormalSpool::finish(const FrameBlock& block, BlockState& state) {
  State& mine = static_cast<State&>(state);
  FrameBlock normals = block;
  normals.positions = mine.normals;
  spool_->consume(normals, *mine.spool);
  spool_->finish(normals, *mine.spool);
}

void NormalSpool::read(std::int64_t first_frame, std::int64_t count, float* rows) const {
  spool_->read(first_frame, count, rows);
  replace_missing(rows, static_cast<std::size_t>(count * vertex_count()) * 3);
}

}  // namespace skinbake
