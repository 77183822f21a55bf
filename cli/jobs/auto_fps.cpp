#include "jobs/auto_fps.h"

#include <algorithm>

#include "options/usage_error.h"
#include "outputs/format_options.h"
#include "skinbake/bake.h"
#include "skinbake/metrics.h"
#include "terminal/format.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

// Calls `visit` with the plan and the method of each run, until it returns false.
template <class Visit>
void visit_runs(const BakeOptions& options, const ResolvedOptions& resolved, const Visit& visit) {
  for (std::size_t m = 0; m < resolved.rigs.size(); ++m) {
    MeshJobs mesh;
    for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
      Job job;
      job.clip = resolved.clips[c];
      job.frames = resolved.frames[c];
      for (const Variant& variant : resolved.variants) {
        job.rig = variant.rigs[m];
        if (!visit(plan_of({options, resolved, mesh}, job), variant.method)) return;
      }
    }
  }
}

// The largest error of all runs. Stops at the first run that reaches the limit.
double largest_error(const BakeOptions& options, const ResolvedOptions& resolved, double limit_m) {
  double largest = 0;
  visit_runs(options, resolved, [&](const BakePlan& plan, const Method& method) {
    with_mesh_location(options.rig, *plan.rig,
                       [&] { largest = std::max(largest, in_between_error(plan, method)); });
    return largest < limit_m;
  });
  return largest;
}

// Whether a clip with a duration has a single frame: there is nothing to interpolate.
bool has_single_frame(const ResolvedOptions& resolved) {
  for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
    const Clip* const clip = resolved.clips[c];
    if (clip != nullptr && clip->duration_s > 0 && resolved.frames[c].frame_count < 2) return true;
  }
  return false;
}

}  // namespace

std::string fps_text(const FrameOptions& options) {
  if (!options.in_between_limit_m) return "";
  return fmt::format(
      "{} fps: the lowest usual rate that stays within {} m between frames ({:.3g} m)\n",
      options.fps, *options.in_between_limit_m, options.in_between_error_m);
}

void choose_fps(BakeOptions& options, const Asset& asset, ResolvedOptions& resolved) {
  const double limit_m = *options.frames.in_between_limit_m;
  double error_m = 0;
  for (const double hz : usual_rates_hz()) {
    options.frames.fps = hz;
    for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
      resolved.frames[c] = select_frames(asset.path, resolved.clips[c], options.frames);
    }
    if (has_single_frame(resolved) && hz != usual_rates_hz().back()) continue;
    error_m = largest_error(options, resolved, limit_m);
    if (!(error_m < limit_m)) continue;
    options.frames.in_between_error_m = error_m;
    return;
  }
  throw Error("FPS_INSUFFICIENT",
              fmt::format("auto:{}: at {} fps the interpolated frames are still {:.6g} m from the "
                          "motion",
                          limit_m, usual_rates_hz().back(), error_m));
}

void require_interpolation(const BakeOptions& options) {
  if (!options.frames.in_between_limit_m) return;
  for (const std::string& output : options.outputs) {
    const CacheFormat& format = cache_format_of(output);
    const FormatOptions words = options_of(format, options.formats);
    const auto found = words.find("interpolation");
    if (found == words.end() || found->second != "step") continue;
    throw UsageError("--fps", "auto searches for a rate at which frames can be interpolated, and " +
                                  std::string(format.id) +
                                  ":interpolation=step holds them; omit one of the two");
  }
}

}  // namespace skinbake::cli
