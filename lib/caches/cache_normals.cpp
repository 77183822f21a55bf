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

}  // namespace

const float* planned_normals(const float* normals) {
  if (normals == nullptr)
    throw std::logic_error("normals or tangents that are not there were planned");
  return normals;
}

void copy_normals(const float* normals, std::size_t vertices, float* lanes) {
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      const std::size_t place = v * 3 * kFramesPerBlock + frame;
      const Vec3<float> n = normal_or_z(normals + place);
      lanes[place] = n.x;
      lanes[place + kFramesPerBlock] = n.y;
      lanes[place + 2 * kFramesPerBlock] = n.z;
    }
  }
}

void normals_to_rows(const float* normals, std::size_t row_size, float* rows) {
  transpose_to_rows(planned_normals(normals), row_size, kFramesPerBlock, rows, row_size);
  replace_missing(rows, row_size * kFramesPerBlock);
}

void tangents_to_rows(const float* tangents, std::size_t row_size, float* rows) {
  transpose_to_rows(planned_normals(tangents), row_size, kFramesPerBlock, rows, row_size);
}

NormalSpool::NormalSpool(std::int64_t vertex_count, std::int64_t frame_count)
    : spool_(make_spool(vertex_count, frame_count)) {}

std::unique_ptr<BlockState> NormalSpool::new_state() const {
  auto state = std::make_unique<State>();
  state->spool = spool_->new_state();
  return state;
}

void NormalSpool::take(const float* normals, BlockState& state) const {
  static_cast<State&>(state).normals = planned_normals(normals);
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
