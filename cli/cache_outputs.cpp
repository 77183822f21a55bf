#include "cache_outputs.h"

#include <spdlog/fmt/fmt.h>

#include "output_paths.h"

namespace skinbake::cli {

namespace {

void require_placeholder(const std::string& output, bool several, const char* placeholder,
                         const char* what, const char* option) {
  if (!several || output.find(placeholder) != std::string::npos) return;
  throw Error(ErrorKind::kUsage, "OUTPUT_AMBIGUOUS",
              "output '" + output + "' is one file for several " + what + "; put " + placeholder +
                  " into it, or choose one with " + option);
}

std::string cache_path(const std::string& output, const Resolved& resolved, const Job& job) {
  return expand(output, {job.rig->id, clip_id(job.clip), resolved.method.canonical()});
}

// Every file of the run has a name of its own, and none is one of the rig's.
void require_distinct_outputs(const BakeOptions& options, const Asset& asset,
                              const Resolved& resolved, const std::deque<MeshJobs>& meshes) {
  std::vector<std::string> paths;
  for (const std::string& path : {options.report, options.depfile, options.timing}) {
    if (!path.empty() && path != "-") paths.push_back(path);
  }
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      for (const std::string& output : options.outputs) {
        paths.push_back(cache_path(output, resolved, job));
        paths.push_back(paths.back() + ".json");  // its sidecar
      }
    }
  }
  require_distinct(paths);
  require_no_input(paths, asset.files);
}

}  // namespace

void check_output_words(const BakeOptions& options) {
  for (const std::string& output : options.outputs) {
    cache_format_of(output);
    expand(output, {"mesh", "clip", "method"});
  }
}

void open_caches(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                 std::deque<MeshJobs>& meshes) {
  for (const std::string& output : options.outputs) {
    require_placeholder(output, resolved.rigs.size() > 1, "{mesh}", "mesh nodes", "--mesh");
    require_placeholder(output, resolved.clips.size() > 1, "{clip}", "clips", "--clip");
  }
  require_distinct_outputs(options, asset, resolved, meshes);
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      job.header = {job.rig,
                    clip_id(job.clip),
                    job.frames,
                    options.space,
                    resolved.method.canonical(),
                    asset.inputs,
                    modifier_texts(options),
                    options.axes};
      for (const std::string& output : options.outputs) {
        const std::string path = cache_path(output, resolved, job);
        job.caches.push_back(cache_format_of(output).open(path, job.header));
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
  std::vector<std::unique_ptr<CacheVerifier>> verifiers;
  MethodRun run{resolved.method, {}};
  for (const auto& cache : job.caches) {
    verifiers.push_back(verify_cache(*cache, job.header));
    run.sinks.push_back(verifiers.back().get());
  }
  BakePlan plan = plan_of(options, resolved, mesh, job);
  plan.runs = {run};
  bake(plan);
  for (std::size_t c = 0; c < verifiers.size(); ++c) {
    const CacheWriter& cache = *job.caches[c];
    const CacheDifference worst = verifiers[c]->result();
    VerificationRecord record;
    record.path = cache.path();
    record.format = cache_format_of(cache.path()).id;
    record.mesh = job.rig->id;
    record.clip = clip_id(job.clip);
    record.method = resolved.method.canonical();
    record.max_m = worst.max_m;
    record.bound_m = cache.bound_m();
    if (worst.max_m > 0) record.frame = job.frames.frame(worst.frame);
    record.vertex = worst.vertex;
    record.passed = worst.max_m <= record.bound_m;
    require_within_bound(record);
    job.verification.push_back(std::move(record));
  }
}

}  // namespace skinbake::cli
