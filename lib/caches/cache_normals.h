// Normals and tangents on their way into a cache: of unit length, also where there is none.

#pragma once

#include <cstddef>
#include <memory>

#include "skinbake/normals.h"
#include "skinbake/spool.h"

namespace skinbake {

// What a NormalReader is given, into the rows of the block, [frame][vertex][axis]; (0, 0, 1) where
// there is none. `row_size`: numbers per frame.
void normals_to_rows(const FrameBlock& tile, const float* normals, std::size_t row_size,
                     float* rows);

// The same of tangents, as they are given: perpendicular to such normals.
void tangents_to_rows(const FrameBlock& tile, const float* tangents, std::size_t row_size,
                      float* rows);

// One of those lanes that a NormalReader is given: [axis][frame], from the frame in question.
inline Vec3<float> normal_or_z(const float* lanes) {
  const Vec3<float> n{lanes[0], lanes[kFramesPerBlock], lanes[2 * kFramesPerBlock]};
  return {n.x, n.y, n.x == 0 && n.y == 0 && n.z == 0 ? 1 : n.z};
}

// All frames of some vertices, as they are given, with (0, 0, 1) where there is none.
void copy_normals(const float* normals, std::size_t vertices, float* lanes);

// The normals or tangents that a NormalReader was given; they were planned. Throws
// std::logic_error.
const float* planned_normals(const float* normals);

// For formats that have normals after all positions: they wait in a temporary file, 12 bytes of
// disk per vertex and frame, and are read as rows like those above. Throws Error (kOutput).
class NormalSpool final : public FrameSource {
 public:
  NormalSpool(std::int64_t vertex_count, std::int64_t frame_count);

  // As a NormalReader and a FrameSink have them, in a state of its own.
  std::unique_ptr<BlockState> new_state() const;
  void take(const FrameBlock& tile, const float* normals, BlockState& state) const;
  void finish(const FrameBlock& block, BlockState& state);

  std::int64_t frame_count() const override { return spool_->frame_count(); }
  std::int64_t vertex_count() const override { return spool_->vertex_count(); }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override;

 private:
  std::unique_ptr<Spool> spool_;
};

}  // namespace skinbake
