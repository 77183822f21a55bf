#include <cmath>

#include "api/one_run.h"
#include "base/output_file.h"
#include "caches/format_list.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

void require_usable(const CacheAxes& axes) {
  const bool is_known = axes.up == CacheAxes::Up::kY || axes.up == CacheAxes::Up::kZ;
  if (is_known && std::isfinite(axes.scale) && axes.scale > 0) return;
  throw Error("AXES_INVALID",
              "axes have a scale of " + std::to_string(axes.scale) +
                  "; it must be finite and above 0, and `up` must be an enumerator");
}

CacheHeader header_of(const BakePlan& plan, const CacheSettings& settings) {
  const Method& method = plan.runs.front().method;
  CacheHeader header;
  header.rig = plan.rig;
  header.clip = plan.clip == nullptr ? "" : plan.clip->id;
  header.frames = plan.frames;
  header.space = plan.space;
  header.method = method.canonical();
  header.method_on_mesh = name_on_mesh(method, *plan.rig);
  header.inputs = settings.inputs;
  header.modifiers = settings.modifiers;
  header.axes = settings.axes;
  header.materials = settings.materials;
  header.options = settings.options;
  header.normals = available_normals(*plan.rig->mesh, method, settings.normals);
  header.tangents = header.normals && available_tangents(*plan.rig->mesh, method);
  header.cancelled = plan.cancelled;
  if (plan.clip != nullptr) {
    header.clip_frame_count = last_frame(plan.clip->duration_s, plan.frames.fps) + 1;
  }
  return header;
}

void report_issues(const std::string& path, const CacheHeader& header, const Method& method,
                   NormalKind wanted, const std::function<void(const Issue&)>& found) {
  const CacheFormat& format = cache_format_of(path);
  if (!found) return;
  for (const Issue& issue : vector_issues(format, header, method, wanted)) found(issue);
  if (format.find_issues == nullptr) return;
  for (const Issue& issue : format.find_issues(path, {&header, 1})) found(issue);
}

}  // namespace

BakedFile bake_to_file(const Rig& rig, const Clip* clip, const Method& method,
                       const FrameRange& frames, const std::string& path,
                       const CacheSettings& cache, const BakeSettings& settings) {
  const CacheFormat& format = cache_format_of(path);
  BakePlan plan = plan_one_run(rig, clip, method, frames, settings);
  require_usable(cache.axes);
  require_no_input({path, path + ".json"}, named_inputs(cache.files, cache.inputs));
  const FormatOptions checked(format.id, format.options, cache.options);
  const CacheHeader header = header_of(plan, cache);
  const std::unique_ptr<CacheWriter> writer = format.open(path, header);
  report_issues(path, header, method, cache.normals, settings.found);
  plan.runs.front().sinks = {writer.get()};
  bake(plan);
  if (cache.sync) writer->sync();
  writer->commit();
  return {path, path + ".json", writer->bytes(), writer->xxh128(), writer->bound_m()};
}

}  // namespace skinbake
