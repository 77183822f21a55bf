#include "surfaces/view.h"

#include <utility>

#include "skinbake/frames.h"

namespace skinbake::cli {

namespace {

Rig rig_of_vertices(const Rig& points, const SurfaceDirection& direction) {
  auto mesh = std::make_shared<Mesh>(*points.mesh);
  mesh->positions.resize(direction.of->positions.size() * 3);
  mesh->primitives = {{0, mesh->vertex_count()}};
  Rig rig = points;
  rig.mesh = std::move(mesh);
  return rig;
}

// `reference`: null for a plain surface.
ViewFrames recorded(const SurfaceOptions& options, const PairFrames& pair, const Rig& rig,
                    std::int64_t stride, const FrameSource& vertices,
                    const FrameSource* reference) {
  const auto recorder = skinbake::record_view(rig, pair.frames, stride, reference != nullptr);
  StreamPlan plan;
  plan.frames = &vertices;
  plan.reference = reference;
  plan.sinks = {recorder.get()};
  plan.threads = options.threads;
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
  view.view.reference = "the other surface (the largest around each vertex)";
  std::vector<ViewDemand> demands;
  for (const ClipPair& pair : c.clips.pairs) {
    demands.push_back(
        {pair.of_a.frame_count, {&view.rigs.front(), &view.rigs.front(), &view.rigs.back()}});
  }
  view.strides = view_strides(demands);
}

void record_view(const SurfaceOptions& options, const PairFrames& pair, const std::string& clip,
                 SurfaceComparison& c) {
  const FrameSource &a = *pair.a, &b = *pair.b;
  SurfaceView& view = *c.view;
  const std::int64_t stride = view.strides[view.view.clips.size()];
  ViewClip& shown = view.view.clips.emplace_back();
  shown.id = clip;
  shown.all = pair.frames;
  shown.kept = thinned(pair.frames, stride);
  const SurfaceDirection &of_a = c.directions.front(), &of_b = c.directions.back();
  const Rig& rig_a = view.rigs.front();
  const auto around_a = frames_of_worst_around(a, b, *of_a.pairs);
  shown.runs.push_back({0, "A", recorded(options, pair, rig_a, stride, a, nullptr)});
  shown.runs.push_back(
      {0, "A, by distance from B", recorded(options, pair, rig_a, stride, a, around_a.get())});
  if (c.directions.size() == 2) {
    const auto around_b = frames_of_worst_around(b, a, *of_b.pairs);
    shown.runs.push_back({1, "B, by distance from A",
                          recorded(options, pair, view.rigs.back(), stride, b, around_b.get())});
    return;
  }
  // Vertices pair with vertices: B is shown in the order of A.
  const auto partners = frames_of_points(b, of_a.pairs->partners);
  shown.runs.push_back(
      {0, "B, by distance from A", recorded(options, pair, rig_a, stride, *partners, &a)});
}

}  // namespace skinbake::cli
