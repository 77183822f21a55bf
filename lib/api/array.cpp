// bake_to_array transposes each tile directly into the rows of the result, so that it does not
// store blocks.

#include <new>

#include "api/one_run.h"
#include "frames/transpose.h"

namespace skinbake {

namespace {

class ArraySink final : public FrameSink {
 public:
  explicit ArraySink(BakedArray& array) : array_(array) {}

  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }

  void consume(const FrameBlock& tile, BlockState&) override {
    const std::size_t row_size = static_cast<std::size_t>(array_.vertex_count) * 3;
    const std::size_t first = static_cast<std::size_t>(tile.first_frame) * row_size +
                              std::size_t{tile.vertices.first} * 3;
    transpose_to_rows(tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
                      array_.positions.data() + first, row_size);
  }

  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock&, BlockState&) override {}

 private:
  BakedArray& array_;
};

}  // namespace

BakedArray bake_to_array(const Rig& rig, const Clip* clip, const Method& method,
                         const FrameRange& frames, const BakeSettings& settings) {
  BakePlan plan = plan_one_run(rig, clip, method, frames, settings);
  BakedArray array;
  array.frames = frames;
  array.frame_count = frames.frame_count;
  array.vertex_count = rig.mesh->vertex_count();
  const std::size_t row_size = static_cast<std::size_t>(array.vertex_count) * 3;
  const auto row_count = static_cast<std::size_t>(array.frame_count);
  if (row_count > array.positions.max_size() / row_size) throw std::bad_alloc();
  array.positions.resize(row_count * row_size);
  ArraySink sink(array);
  plan.runs.front().sinks = {&sink};
  bake(plan);
  return array;
}

}  // namespace skinbake
