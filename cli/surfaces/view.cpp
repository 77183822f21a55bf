#include "surfaces/view.h"

#include <span>
#include <utility>

#include "outputs/output_paths.h"
#include "skinbake/stream_frames.h"

namespace skinbake::cli {

namespace {

// The vertices of the file: points between them would not be drawn.
std::span<const SurfacePoint> vertices_in(const SurfaceDirection& direction,
                                          const std::vector<SurfacePoint>& points) {
  return {points.data(), direction.of->positions.size()};
}

Rig rig_of_vertices(const Rig& points, const SurfaceDirection& direction) {
  auto mesh = std::make_shared<Mesh>(*points.mesh);
  mesh->positions.resize(direction.of->positions.size() * 3);
  mesh->primitives = {{0, mesh->vertex_count()}};
  Rig rig = points;
  rig.mesh = std::move(mesh);
  return rig;
}

ViewFrames recorded(const SurfaceOptions& options, const Rig& rig, const FrameRange& frames,
                    std::int64_t stride, const FrameSource& shown_frames,
                    const FrameSource& reference) {
  const auto recorder = skinbake::record_view(rig, frames, stride, true);
  StreamPlan plan;
  plan.frames = &shown_frames;
  plan.reference = &reference;
  plan.sinks = {recorder.get()};
  plan.threads = options.plan.threads;
  stream_frames(plan);
  return recorder->take();
}

}  // namespace

void begin_view(SurfaceComparison& c) {
  SurfaceView& view = c.view.emplace();
  for (std::size_t d = 0; d < c.directions.size(); ++d) {
    view.rigs.push_back(rig_of_vertices(c.rigs[d], c.directions[d]));
    view.view.meshes.push_back(&view.rigs.back());
  }
  view.view.space = Space::kMesh;  // without a skeleton there is no bind pose to compare edges with
  view.view.reference = "the other file";
  std::vector<ViewDemand> demands;
  for (const ClipPair& pair : c.clips) {
    demands.push_back({pair.frame_count, {&view.rigs.front(), &view.rigs.back()}});
  }
  view.strides = view_strides(demands);
}

void record_view(const SurfaceOptions& options, const FrameSource& a, const FrameSource& b,
                 const FrameRange& frames, const std::string& clip, SurfaceComparison& c) {
  SurfaceView& view = *c.view;
  const std::int64_t stride = view.strides[view.view.clips.size()];
  ViewClip& shown = view.view.clips.emplace_back();
  shown.id = clip;
  shown.all = frames;
  shown.kept = thinned(frames, stride);
  const SurfaceDirection &first = c.directions.front(), &last = c.directions.back();
  const bool has_two = c.directions.size() == 2;
  const auto of_a = frames_of_points(a, vertices_in(first, first.pairs->points));
  const auto partners_of_a = frames_of_points(b, vertices_in(first, first.pairs->partners));
  shown.runs.push_back(
      {0, "A", recorded(options, view.rigs.front(), frames, stride, *of_a, *partners_of_a)});
  if (!has_two) {
    shown.runs.push_back(
        {0, "B", recorded(options, view.rigs.front(), frames, stride, *partners_of_a, *of_a)});
    return;
  }
  const auto of_b = frames_of_points(b, vertices_in(last, last.pairs->points));
  const auto partners_of_b = frames_of_points(a, vertices_in(last, last.pairs->partners));
  shown.runs.push_back(
      {1, "B", recorded(options, view.rigs.back(), frames, stride, *of_b, *partners_of_b)});
}

}  // namespace skinbake::cli
