// Normals on their way into a cache: of unit length in every one, also where there is none.

#pragma once

#include <cstddef>
#include <memory>

#include "skinbake/normals.h"
#include "skinbake/spool.h"

namespace skinbake {

// What a NormalReader is given, of a whole block, as rows [frame][vertex][axis], kFramesPerBlock of
// them; (0, 0, 1) where there is none. `row_size`: numbers per frame.
void normals_to_rows(const float* normals, std::size_t row_size, float* rows);

// The same of some vertices, as lanes [vertex][axis][frame].
void normals_to_lanes(const float* normals, std::size_t vertices, float* lanes);

// For formats that have normals after all positions: they wait in a temporary file, 12 bytes of
// disk per vertex and frame, and are read as rows like those above. Throws Error (kOutput).
class NormalSpool final : public FrameSource {
 public:
  NormalSpool(std::int64_t vertex_count, std::int64_t frame_count);

  // As a NormalReader and a FrameSink have them, in a state of its own.
  std::unique_ptr<BlockState> new_state() const;
  void take(const float* normals, BlockState& state) const;
  void finish(const FrameBlock& block, BlockState& state);

  std::int64_t frame_count() const override { return spool_->frame_count(); }
  std::int64_t vertex_count() const override { return spool_->vertex_count(); }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override;

 private:
  std::unique_ptr<Spool> spool_;
};

}  // namespace skinbake
