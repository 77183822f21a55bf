#include <new>

#include "api/one_run.h"
#include "frames/array_sink.h"

namespace skinbake {

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
  ArraySink sink(array.positions.data(), array.vertex_count);
  plan.runs.front().sinks = {&sink};
  bake(plan);
  return array;
}

}  // namespace skinbake
