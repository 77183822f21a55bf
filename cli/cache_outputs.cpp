#include "cache_outputs.h"

#include <spdlog/fmt/fmt.h>

#include "format_options.h"
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

// Whether all meshes of a clip are in one file.
bool is_shared(const std::string& output) {
  return cache_format_of(output).open_together != nullptr &&
         output.find("{mesh}") == std::string::npos;
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
        if (is_shared(output) && &mesh != &meshes.front()) continue;
        paths.push_back(cache_path(output, resolved, job));
        paths.push_back(paths.back() + ".json");  // its sidecar
      }
    }
  }
  require_distinct(paths);
  require_no_input(paths, asset.files);
}

// One output of all meshes with one clip.
void open_output(const std::string& output, const BakeOptions& options, const Asset& asset,
                 const Resolved& resolved, std::size_t clip, std::deque<MeshJobs>& meshes) {
  const CacheFormat& format = cache_format_of(output);
  std::vector<CacheHeader> headers;
  for (const MeshJobs& mesh : meshes) {
    headers.push_back(mesh.jobs[clip].header);
    headers.back().extras = asset.extras;
    headers.back().options = options_of(format, options.formats);
  }
  std::vector<std::unique_ptr<CacheWriter>> shared;
  if (is_shared(output)) {
    shared = format.open_together(cache_path(output, resolved, meshes.front().jobs[clip]), headers);
  }
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    Job& job = meshes[m].jobs[clip];
    job.caches.push_back(shared.empty() ? format.open(cache_path(output, resolved, job), headers[m])
                                        : std::move(shared[m]));
  }
}

}  // namespace

void check_output_words(const BakeOptions& options) {
  for (const std::string& output : options.outputs) {
    const CacheFormat& format = cache_format_of(output);
    options_of(format, options.formats);
    if (options.verify && format.read == nullptr) {
      throw Error(ErrorKind::kUsage, "FORMAT_OPTION_UNKNOWN",
                  "--verify: " + std::string(format.title) + " is not read back; leave it out");
    }
    expand(output, {"mesh", "clip", "method"});
  }
}

void open_caches(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                 std::deque<MeshJobs>& meshes) {
  for (const std::string& output : options.outputs) {
    require_placeholder(output, resolved.rigs.size() > 1 && !is_shared(output), "{mesh}",
                        "mesh nodes", "--mesh");
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
    }
  }
  for (const std::string& output : options.outputs) {
    for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
      open_output(output, options, asset, resolved, c, meshes);
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
