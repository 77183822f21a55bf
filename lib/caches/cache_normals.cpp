#include "caches/cache_normals.h"

#include <stdexcept>

#include "frames/transpose.h"

namespace skinbake {

namespace {

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

void normals_to_rows(const FrameBlock& tile, const float* normals, std::size_t row_size,
                     float* rows) {
  tangents_to_rows(tile, normals, row_size, rows);
  const std::size_t first = std::size_t{tile.vertices.first} * 3;
  for (std::size_t frame = 0; frame < static_cast<std::size_t>(tile.frame_count); ++frame) {
    replace_missing(rows + frame * row_size + first, std::size_t{tile.vertices.count} * 3);
  }
}

void tangents_to_rows(const FrameBlock& tile, const float* tangents, std::size_t row_size,
                      float* rows) {
  transpose_to_rows(planned_normals(tangents), std::size_t{tile.vertices.count} * 3,
                    tile.frame_count, rows + std::size_t{tile.vertices.first} * 3, row_size);
}

NormalSpool::NormalSpool(std::int64_t vertex_count, std::int64_t frame_count)
    : spool_(make_spool(vertex_count, frame_count)) {}

std::unique_ptr<BlockState> NormalSpool::new_state() const {
  return spool_->new_state();
}

void NormalSpool::take(const FrameBlock& tile, const float* normals, BlockState& state) const {
  FrameBlock as_positions = tile;
  as_positions.positions = planned_normals(normals);
  spool_->consume(as_positions, state);
}

void NormalSpool::finish(const FrameBlock& block, BlockState& state) {
  spool_->finish(block, state);
}

void NormalSpool::read(std::int64_t first_frame, std::int64_t count, float* rows) const {
  spool_->read(first_frame, count, rows);
  replace_missing(rows, static_cast<std::size_t>(count * vertex_count()) * 3);
}

}  // namespace skinbake
