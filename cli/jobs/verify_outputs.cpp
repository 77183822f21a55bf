#include "jobs/verify_outputs.h"

#include <cmath>
#include <set>
#include <string>

#include "terminal/format.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

VerificationRecord record_of(const JobCache& cache, const CacheVerifier& verifier) {
  const FrameRange& frames = cache.header.frames;
  const CacheDifference worst = verifier.result();
  VerificationRecord record;
  record.path = cache.writer->path();
  record.format = cache_format_of(record.path).id;
  record.mesh = cache.header.rig->id;
  record.clip = cache.header.clip;
  record.method = cache.header.method;
  record.max_m = worst.max_m;
  record.bound_m = cache.writer->bound_m();
  if (worst.max_m > 0) record.frame = frames.frame(worst.frame);
  record.vertex = worst.vertex;
  record.passed = is_within_bound(worst.max_m, record.bound_m);
  const auto add = [&](const std::optional<NormalDifference>& found, std::optional<double> bound,
                       std::optional<VerificationRecord::Directions>& directions) {
    if (!found) return;
    directions = {found->max, *bound, {}, found->vertex};
    if (found->max > 0) directions->frame = frames.frame(found->frame);
    record.passed = record.passed && is_within_bound(found->max, *bound);
  };
  add(verifier.normals(), cache.writer->normal_bound(), record.normals);
  add(verifier.tangents(), cache.writer->tangent_bound(), record.tangents);
  return record;
}

// Evaluates the frames of a job again and compares them with its caches.
void verify_job(const BakeOptions& options, const ResolvedOptions& resolved, MeshJobs& mesh,
                Job& job) {
  BakePlan plan = plan_of({options, resolved, mesh}, job);
  plan.frames = cache_frames(options, job);
  for (const Variant& variant : resolved.variants) plan.runs.push_back(run_of(variant, mesh));
  std::vector<std::unique_ptr<CacheVerifier>> verifiers;
  for (const JobCache& cache : job.caches) {
    verifiers.push_back(verify_cache(*cache.writer, cache.header));
    plan.runs[cache.variant].sinks.push_back(verifiers.back().get());
  }
  bake(plan);
  for (std::size_t c = 0; c < verifiers.size(); ++c) {
    JobCache& cache = job.caches[c];
    cache.verification = record_of(cache, *verifiers[c]);
    require_within_bound(*cache.verification, cache.header.axes);
  }
}

// Hashes each file once: a file can have hundreds of writers, one for each mesh and clip.
void verify_files(const CacheWriter& writer, std::set<std::string>& verified) {
  bool is_new = false;
  for (const WrittenFile& file : writer.written_files())
    is_new |= verified.insert(file.path).second;
  if (is_new) verify_bytes(writer);
}

}  // namespace

bool is_within_bound(double difference, double bound) {
  return std::isfinite(bound) && difference <= bound;
}

void require_within_bound(const VerificationRecord& record, const CacheAxes& axes) {
  if (record.passed) return;
  // Below the smallest normal number, a float has fewer significant digits.
  const char* const remedy =
      axes.scale < 1 || cache_format_of(record.path).supports_half_precision != nullptr
          ? "the positions are too small for the numbers of the file: use --precision single, a "
            "larger --scale, or write to another disk"
          : "write to another disk: this one may be defective";
  const bool is_position = !is_within_bound(record.max_m, record.bound_m);
  const bool is_normal = record.normals && record.normals->max > record.normals->bound;
  const auto& direction = is_normal ? record.normals : record.tangents;
  const std::string what =
      is_position ? fmt::format(
                        "frame {}, vertex {} was read back {:.6g} m from its evaluated position, "
                        "more than the format's bound of {:.6g} m",
                        record.frame.value_or(0), record.vertex, record.max_m, record.bound_m)
                  : fmt::format(
                        "frame {}, vertex {}: the {} was read back with a difference of {:.6g}, "
                        "more than the format's bound of {:.6g}",
                        direction->frame.value_or(0), direction->vertex,
                        is_normal ? "normal" : "tangent", direction->max, direction->bound);
  throw Error("VERIFICATION_FAILED", what + "; " + remedy, {record.path, ""});
}

void verify_jobs(const BakeOptions& options, const ResolvedOptions& resolved,
                 std::deque<MeshJobs>& meshes) {
  std::set<std::string> verified;
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      if (job.caches.empty()) continue;
      with_mesh_location(options.rig, *job.rig, [&] { verify_job(options, resolved, mesh, job); });
      for (const JobCache& cache : job.caches) verify_files(*cache.writer, verified);
    }
  }
}

}  // namespace skinbake::cli
