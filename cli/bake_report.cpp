#include "bake_report.h"

#include <utility>

#include "cache_outputs.h"
#include "hold.h"
#include "output_paths.h"

namespace skinbake::cli {

namespace {

void append_outputs(const MeshJobs& mesh, const Resolved& resolved, Report& report) {
  for (const Job& job : mesh.jobs) {
    for (const JobCache& cache : job.caches) {
      const CacheWriter& writer = *cache.writer;
      const std::string name = resolved.variants[cache.variant].name();
      report.outputs.push_back({shown(writer.path()),
                                std::string(cache_format_of(writer.path()).id), job.rig->id,
                                cache.header.clip, name, writer.bytes(), writer.xxh128()});
      if (!cache.verification) continue;
      report.verification.push_back(*cache.verification);
      report.verification.back().path = shown(writer.path());
      report.verification.back().method = name;
    }
  }
}

std::vector<std::string> ids_of(const std::vector<EngineProfile>& profiles) {
  std::vector<std::string> ids;
  for (const EngineProfile& profile : profiles) ids.emplace_back(profile.id);
  return ids;
}

}  // namespace

Report make_report(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                   std::deque<MeshJobs>& meshes) {
  Report report;
  report.command = options.command;
  report.inputs = asset.inputs;
  report.settings = {options.frames.fps,
                     options.frames.frames,
                     options.frames.loop,
                     options.frames.space == Space::kScene ? "scene" : "mesh",
                     options.baseline == Baseline::kBind   ? "bind"
                     : options.baseline == Baseline::kRest ? "rest"
                                                           : "first-frame",
                     resolved.reference_name,
                     modifier_texts(options),
                     options.map.empty() ? "" : shown(options.map),
                     resolved.joint_parameters,
                     metric_setting(options.metrics),
                     ids_of(options.profiles)};
  report.per_vertex = options.per_vertex;
  report.issues = asset.issues;
  report.issues.insert(report.issues.end(), resolved.issues.begin(), resolved.issues.end());
  for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
    report.clips.push_back({resolved.clips[c], resolved.frames[c]});
  }
  for (MeshJobs& mesh : meshes) {
    append_outputs(mesh, resolved, report);
    if (!mesh.surfaces.empty()) mesh.record.topology = std::move(mesh.surfaces.front()->topology);
    for (Issue& issue : mesh.issues) issue.file = asset.inputs.front().path;
    report.issues.insert(report.issues.end(), mesh.issues.begin(), mesh.issues.end());
    report.meshes.push_back(std::move(mesh.record));
  }
  report.issues = sorted_unique(std::move(report.issues));
  check(options.thresholds, report);
  return report;
}

}  // namespace skinbake::cli
