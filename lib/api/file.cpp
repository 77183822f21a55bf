#include "api/one_run.h"

namespace skinbake {

namespace {

CacheHeader header_of(const BakePlan& plan, const CacheSettings& settings) {
  const Method& method = plan.runs.front().method;
  CacheHeader header;
  header.rig = plan.rig;
  header.clip = plan.clip == nullptr ? "" : plan.clip->id;
  header.frames = plan.frames;
  header.space = plan.space;
  header.method = method.canonical();
  header.inputs = settings.inputs;
  header.modifiers = settings.modifiers;
  header.axes = settings.axes;
  header.materials = settings.materials;
  header.options = settings.options;
  header.normals = available_normals(*plan.rig->mesh, method, settings.normals);
  header.tangents = header.normals && available_tangents(*plan.rig->mesh, method);
  header.cancelled = plan.cancelled;
  return header;
}

}  // namespace

BakedFile bake_to_file(const Rig& rig, const Clip* clip, const Method& method,
                       const FrameRange& frames, const std::string& path,
                       const CacheSettings& cache, const BakeSettings& settings) {
  const CacheFormat& format = cache_format_of(path);
  BakePlan plan = plan_one_run(rig, clip, method, frames, settings);
  const std::unique_ptr<CacheWriter> writer = format.open(path, header_of(plan, cache));
  plan.runs.front().sinks = {writer.get()};
  bake(plan);
  if (cache.sync) writer->sync();
  writer->commit();
  return {path, path + ".json", writer->bytes(), writer->xxh128(), writer->bound_m()};
}

}  // namespace skinbake
