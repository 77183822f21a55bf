#include "cache_outputs.h"

#include <spdlog/fmt/fmt.h>

#include "output_paths.h"

namespace skinbake::cli {

namespace {

std::string cache_path(const std::string& output, const Job& job, const Method& method) {
  return expand(output, {job.rig->id, clip_id(job.clip), method.canonical()});
}

// Every file of the run has a name of its own, and none is one of the rig's.
void require_distinct_outputs(const BakeOptions& options, const Asset& asset,
                              const std::deque<MeshJobs>& meshes,
                              const std::vector<Method>& methods) {
  std::vector<std::string> paths;
  for (const std::string& path : {options.report, options.depfile, options.timing}) {
    if (!path.empty() && path != "-") paths.push_back(path);
  }
  for (const auto& [format, path] : options.pages.given()) paths.push_back(path);
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      for (const std::string& output : options.outputs) {
        for (const Method& method : methods) {
          paths.push_back(cache_path(output, job, method));
          paths.push_back(paths.back() + ".json");  // its sidecar
        }
      }
    }
  }
  require_distinct(paths);
  require_no_input(paths, asset.files);
}

VerificationRecord record_of(const JobCache& cache, const CacheDifference& worst) {
  VerificationRecord record;
  record.path = cache.writer->path();
  record.format = cache_format_of(record.path).id;
  record.mesh = cache.header.rig->id;
  record.clip = cache.header.clip;
  record.method = cache.header.method;
  record.max_m = worst.max_m;
  record.bound_m = cache.writer->bound_m();
  if (worst.max_m > 0) record.frame = cache.header.frames.frame(worst.frame);
  record.vertex = worst.vertex;
  record.passed = worst.max_m <= record.bound_m;
  return record;
}

}  // namespace

void check_output_words(const BakeOptions& options) {
  for (const std::string& output : options.outputs) {
    cache_format_of(output);
    expand(output, {"mesh", "clip", "method"});
  }
}

std::string ambiguity(const std::string& path, const Resolved& resolved) {
  const auto of = [&](bool several, const std::string& placeholder, const std::string& what,
                      const std::string& option) -> std::string {
    if (!several || path.find(placeholder) != std::string::npos) return "";
    return "'" + path + "' is one file for several " + what + "; put " + placeholder +
           " into it, or choose one with " + option;
  };
  const std::string meshes = of(resolved.rigs.size() > 1, "{mesh}", "mesh nodes", "--mesh");
  return meshes.empty() ? of(resolved.clips.size() > 1, "{clip}", "clips", "--clip") : meshes;
}

void require_unambiguous_outputs(const BakeOptions& options, const Resolved& resolved) {
  for (const std::string& output : options.outputs) {
    const std::string text = ambiguity(output, resolved);
    if (!text.empty()) throw Error(ErrorKind::kUsage, "OUTPUT_AMBIGUOUS", "output " + text);
    if (resolved.methods.size() == 1 || output.find("{method}") != std::string::npos) continue;
    throw Error(ErrorKind::kUsage, "OUTPUT_AMBIGUOUS",
                "output '" + output + "' is one file for several methods; put {method} into it");
  }
}

void open_caches(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                 std::deque<MeshJobs>& meshes) {
  require_distinct_outputs(options, asset, meshes, resolved.methods);
  const auto open = [&](const std::string& output, Job& job, std::size_t m) {
    JobCache& cache = job.caches.emplace_back();
    const Method& method = resolved.methods[m];
    cache.method = m;
    cache.header = {
        job.rig,      clip_id(job.clip),       job.frames,  options.space, method.canonical(),
        asset.inputs, modifier_texts(options), options.axes};
    const std::string path = cache_path(output, job, method);
    cache.writer = cache_format_of(output).open(path, cache.header);
  };
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      for (const std::string& output : options.outputs) {
        for (std::size_t m = 0; m < resolved.methods.size(); ++m) open(output, job, m);
      }
    }
  }
}

void require_within_bound(const VerificationRecord& record) {
  if (record.passed) return;
  throw Error(ErrorKind::kOutput, "VERIFICATION_FAILED",
              fmt::format("frame {}, vertex {} was read back {:.6g} m from where it was computed; "
                          "the format's bound is {:.6g} m; write it elsewhere, the disk may be bad",
                          record.frame.value_or(0), record.vertex, record.max_m, record.bound_m),
              {record.path, ""});
}

void verify_job(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh, Job& job) {
  BakePlan plan = plan_of(options, resolved, mesh, job);
  for (const Method& method : resolved.methods) plan.runs.push_back({method, {}});
  std::vector<std::unique_ptr<CacheVerifier>> verifiers;
  for (const JobCache& cache : job.caches) {
    verifiers.push_back(verify_cache(*cache.writer, cache.header));
    plan.runs[cache.method].sinks.push_back(verifiers.back().get());
  }
  bake(plan);
  for (std::size_t c = 0; c < verifiers.size(); ++c) {
    JobCache& cache = job.caches[c];
    cache.verification = record_of(cache, verifiers[c]->result());
    require_within_bound(*cache.verification);
  }
}

}  // namespace skinbake::cli
