#include "surfaces/comparison.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/paths.h"
#include "json/text.h"
#include "skinbake/compare.h"
#include "skinbake/methods.h"
#include "surfaces/triangle_issue.h"
#include "surfaces/view.h"
#include "terminal/progress.h"

namespace skinbake::cli {

namespace {

// The mesh's id, or the file's name if the surface consists of several meshes.
std::string surface_name(const SurfaceSide& side) {
  return side.rigs.size() == 1 ? side.rigs.front()->id
                               : std::filesystem::path(side.path).stem().string();
}

void add_direction(Toward toward, const std::string& id, const PointPairs& pairs,
                   SurfaceComparison& c) {
  c.directions.push_back(direction_of(c.surfaces, toward, pairs));
  c.directions.back().placement = c.placement;
  c.rigs.push_back(rig_of_points(id, c.directions.back()));
  MeshRecord& mesh = c.meshes.emplace_back();
  mesh.rig = &c.rigs.back();
  mesh.bbox_diagonal_m = c.surfaces.a.diagonal_m;
}

void add_directions(SurfaceComparison& c) {
  if (!c.matched.b_to_a) {
    add_direction(Toward::kB, surface_name(c.a), c.matched.a_to_b, c);
    return;
  }
  add_direction(Toward::kB, "a: " + surface_name(c.a), c.matched.a_to_b, c);
  add_direction(Toward::kA, "b: " + surface_name(c.b), *c.matched.b_to_a, c);
}

// The clip of a pair in the report: A's clip.
const Clip* report_clip(const ClipPair& pair, SurfaceComparison& c) {
  if (pair.a->clip != nullptr || pair.a->id.empty()) return pair.a->clip;
  Clip& clip = c.cache_clips.emplace_back();
  clip.id = pair.a->id;
  clip.index = -1;
  clip.duration_s = pair.a->frames.time_s(pair.frame_count - 1);
  return &clip;
}

// Whether the vertices pair, and the triangles between them are the same.
bool have_same_triangles(const MatchedSurfaces& matched) {
  return matched.match != Match::kSurface && !matched.triangles.any();
}

Issues triangle_issues(const SurfaceComparison& c) {
  if (have_same_triangles(c.matched)) return {};
  return c.matched.triangles.any() ? triangle_issue(c.matched.triangles, c.a.path, c.b.path)
                                   : surface_issues(c.directions, c.a.path, c.b.path);
}

// The bounds of the Hausdorff distance are this part of the diagonal apart.
constexpr double kHausdorffTolerance = 1e-4;

HausdorffBounds hausdorff_at_rest(const SurfaceComparison& c) {
  const BindSurface &a = c.surfaces.a, &b = c.surfaces.b;
  if (a.triangles.empty() || b.triangles.empty() || !(a.diagonal_m > 0)) {
    throw Error("NOT_COMPARABLE",
                "not comparable: " + (a.triangles.empty() ? c.a.path + " has no triangles"
                                      : b.triangles.empty()
                                          ? c.b.path + " has no triangles"
                                          : "all vertices of " + c.a.path + " are at one point"));
  }
  return hausdorff_distance({a.positions, a.triangles}, {b.positions, b.triangles},
                            kHausdorffTolerance * a.diagonal_m);
}

MetricResult hausdorff_of(const SurfaceOptions& options, const SurfaceComparison& c,
                          const PairFrames& sources, Passes& passes) {
  passes.begin("Hausdorff distance", sources.frames.frame_count);
  const double tolerance_m = kHausdorffTolerance * c.surfaces.a.diagonal_m;
  HausdorffPlan plan;
  plan.a = &c.surfaces.a;
  plan.b = &c.surfaces.b;
  plan.a_frames = sources.a;
  plan.b_frames = sources.b;
  plan.frame_count = sources.frames.frame_count;
  plan.tolerance_m = tolerance_m;
  plan.threads = options.threads;
  plan.progress = passes.updates();
  const auto frames = hausdorff_distances(plan);
  return hausdorff_section(c.at_rest, frames, tolerance_m, c.surfaces.a.diagonal_m);
}

Difference difference_of_points(const SurfaceOptions& options, const SurfaceComparison& c,
                                std::size_t d, const PairFrames& sources, Passes& passes) {
  const PointPairs& pairs = *c.directions[d].pairs;
  const FrameSource& of = d == 0 ? *sources.a : *sources.b;
  const FrameSource& other = d == 0 ? *sources.b : *sources.a;
  const auto points = frames_of_points(of, pairs.points);
  const auto partners = frames_of_points(other, pairs.partners);
  passes.begin(std::string(c.directions[d].name), sources.frames.frame_count);
  DiffPlan plan;
  plan.a = points.get();
  plan.b = partners.get();
  plan.rig = &c.rigs[d];
  plan.frames = sources.frames;
  plan.bbox_diagonal_m = c.surfaces.a.diagonal_m;
  plan.limits_m = options.thresholds.vertex_limits_m(plan.bbox_diagonal_m);
  plan.equal_m = kEqualPart * plan.bbox_diagonal_m;
  plan.threads = options.threads;
  plan.progress = passes.updates();
  return difference_of(plan);
}

// The clips of both files have one rate.
void choose_frames(FrameOptions& options, SurfaceComparison& c) {
  std::vector<KeyedClip> clips;
  for (const SurfaceSide* side : {&c.a, &c.b}) {
    if (side->cache) continue;
    for (const SideClip& of : side->clips) {
      clips.push_back({of.clip, side->asset->skeleton.get(), side->asset->path});
    }
  }
  settle_fps(clips, options);
  for (SurfaceSide* side : {&c.a, &c.b}) {
    if (side->cache) continue;
    for (SideClip& of : side->clips) {
      of.frames = select_frames(side->asset->path, of.clip, options);
    }
  }
}

// The frames that all passes read: of each mesh, of each direction, of the Hausdorff distance.
std::int64_t frames_of_passes(const SurfaceOptions& options, const SurfaceComparison& c) {
  std::int64_t frames = 0;
  for (const ClipPair& pair : c.clips.pairs) frames += pair.of_a.frame_count;
  std::size_t passes = c.directions.size() + (options.hausdorff ? 1 : 0);
  for (const SurfaceSide* side : {&c.a, &c.b}) passes += side->cache ? 0 : side->rigs.size();
  return frames * static_cast<std::int64_t>(passes);
}

void measure_pair(const SurfaceOptions& options, const ClipPair& pair, Passes& passes,
                  SurfaceComparison& c) {
  const SideFrames a(options, c.a, *pair.a, pair.of_a, passes);
  const SideFrames b(options, c.b, *pair.b, pair.of_b, passes);
  FrameRange frames = pair.of_a;
  if (!pair.a->has_rate) frames.fps = pair.b->frames.fps;
  const Clip* clip = report_clip(pair, c);
  const PairFrames sources{&a.source(), &b.source(), frames};
  if (c.view) {
    record_view(options, sources, clip == nullptr ? "" : clip->id, c);
  }
  c.records.push_back({clip, frames});
  for (std::size_t d = 0; d < c.directions.size(); ++d) {
    RunRecord run;
    run.clip = clip == nullptr ? "" : clip->id;
    run.method = parse_method(options.method).canonical();
    run.frames = {frames, clip};
    run.reference = shown(d == 0 ? c.a.path : c.b.path);
    run.difference = difference_of_points(options, c, d, sources, passes);
    run.error = run.difference->error;
    run.metrics.push_back(surface_section(c.directions[d], *run.error,
                                          d == 0 ? pair.b->id : pair.a->id, pair.frames_left_out));
    // The distance is symmetric.
    if (options.hausdorff && d == 0) {
      run.metrics.push_back(hausdorff_of(options, c, sources, passes));
    }
    c.meshes[d].runs.push_back(std::move(run));
  }
}

}  // namespace

bool SurfaceComparison::differs() const {
  return std::any_of(meshes.begin(), meshes.end(), [](const MeshRecord& mesh) {
    return std::any_of(mesh.runs.begin(), mesh.runs.end(),
                       [](const RunRecord& run) { return run.difference->vertices > 0; });
  });
}

void open_surfaces(SurfaceOptions& options, const std::string& a, const std::string& b,
                   SurfaceComparison& c) {
  c.a = open_surface_side(options, a, options.rig_a, "a");
  c.b = open_surface_side(options, b, options.rig_b, "b");
  choose_frames(options.frames, c);
  c.clips = pair_clips(options, c.a, c.b, c.issues);
  for (const SurfaceSide* side : {&c.a, &c.b}) {
    c.issues.insert(c.issues.end(), side->issues.begin(), side->issues.end());
  }
  PlacedSurfaces placed = placed_surfaces(c.a.rigs, c.b.rigs);
  c.surfaces = std::move(placed.surfaces);
  c.placement = std::move(placed.placement);
  MatchPlan plan = options.plan;
  plan.threads = options.threads;
  plan.names = {c.a.path, c.b.path};
  plan.mesh_counts = {c.a.asset->rigs.size(), c.b.asset->rigs.size()};
  Progress progress(0, options.bar());
  progress.begin(printable(b));
  plan.progress = [&](double part) { progress.prepare("the pairs of points", part); };
  c.matched = match_surfaces(c.surfaces, plan);
  add_directions(c);
  const Issues differences = triangle_issues(c);
  c.issues.insert(c.issues.end(), differences.begin(), differences.end());
}

void add_area_check(const SurfaceComparison& c, Report& report) {
  if (have_same_triangles(c.matched)) return;
  add_area_check(areas_of(c.directions), c.a.path, c.b.path, report);
  add_facing_check(c.directions, c.a.path, c.b.path, report);
}

std::vector<std::string> files_of(const SurfaceComparison& comparison) {
  std::vector<std::string> files;
  for (const SurfaceSide* side : {&comparison.a, &comparison.b}) {
    files.push_back(side->path);
    if (side->cache) files.push_back(side->path + ".json");
    files.insert(files.end(), side->asset->files.begin(), side->asset->files.end());
  }
  return files;
}

void measure_surfaces(const SurfaceOptions& options, SurfaceComparison& c) {
  if (options.view) begin_view(c);
  if (options.hausdorff) c.at_rest = hausdorff_at_rest(c);
  Passes passes(frames_of_passes(options, c), options.bar());
  for (const ClipPair& pair : c.clips.pairs) measure_pair(options, pair, passes, c);
}

}  // namespace skinbake::cli
