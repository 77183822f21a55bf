// A run resolved against a file: meshes, clips and methods, and for each mesh and clip a job with
// its sinks.

#pragma once

#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "clips/clip_collection.h"
#include "comparison/reference_cache.h"
#include "jobs/options.h"
#include "metrics/position_error/percentiles.h"
#include "report/report.h"
#include "report/viewer/viewer.h"
#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// A method, on the unmodified meshes or on meshes with the influences of an engine's profile.
struct Variant {
  Method method;
  std::string profile;           // "unreal-4"; empty: none
  std::vector<const Rig*> rigs;  // [mesh], in the order of ResolvedOptions::rigs

  std::string name() const { return run_name(method.canonical(), profile); }
};

// The options of the run, resolved against the file: meshes, clips and methods in place of names.
struct ResolvedOptions {
  std::vector<Variant> variants;
  Reference reference;
  // As reports contain it: "exact", the method's canonical name, or the cache's path with
  // placeholders.
  std::string reference_name;
  std::vector<ModifiedRig> modified;               // with modifiers: owns `rigs`
  std::vector<std::vector<ModifiedRig>> profiled;  // [profile][mesh]: owns the variants' rigs
  JointParameters joint_parameters;
  std::vector<const Rig*> rigs;
  std::vector<const Clip*> clips;
  std::vector<FrameRange> frames;  // of each clip
  UsedClips used_clips = {};
  Issues issues;
};

// Selects clips, meshes and frames, whose rate --fps clip settles; keeps and prints the asset's
// issues that concern them; applies modifiers, and reads --joint-params, which becomes an input of
// the asset. `own`: the clips of the rig's file, which modifiers may learn from although the run
// selects others. Throws Error.
ResolvedOptions resolve(BakeOptions& options, Asset& asset, const std::vector<Clip>& own,
                        UsedClips used);

// Checks the options that do not depend on the rig: names of methods, formats and placeholders.
// Throws Error and UsageError.
void check_words(const BakeOptions& options);

// A clip's name in reports and paths; empty: the rest pose.
std::string clip_id(const Clip* clip);

// A cache that is being written.
struct JobCache {
  std::size_t variant = 0;  // index of the variant whose frames it stores
  CacheHeader header;
  std::unique_ptr<CacheWriter> writer;
  std::optional<VerificationRecord> verification;  // with --verify
};

// One mesh with one clip, and its sinks.
struct Job {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;
  FrameRange frames;
  std::vector<JobCache> caches;                          // of each -o and variant
  std::vector<std::unique_ptr<ErrorMatrix>> matrices;    // [variant] with --error-matrix
  std::vector<OutputFile> per_vertex;                    // [variant] with --per-vertex npy
  std::vector<std::unique_ptr<ViewRecorder>> recorders;  // [variant] with --view
  std::int64_t view_stride = 1;                          // recorders store every n-th frame
  std::unique_ptr<ReferenceCache> reference;             // if the reference is a cache
  double seconds = 0;                                    // duration of the bake
};

// The pose that volumes are compared with, and the mesh's surface welded in that pose. The surface
// is built in the background while the first frames are evaluated.
struct Surface {
  BaselinePose baseline;
  std::optional<Topology> topology;  // valid when `built` is ready; none without triangles
  std::shared_future<void> built;
};

// A mesh and its jobs.
struct MeshJobs {
  std::size_t number = 0;  // index in ResolvedOptions::rigs
  MeshRecord record;       // runs: [job][variant]
  std::vector<Job> jobs;   // [clip]
  // One for all variants if the baseline is the bind pose, else [variant]. A first-frame baseline
  // is taken from the first job.
  std::vector<std::shared_ptr<Surface>> surfaces;
  Issues issues;  // of the measurements, each code and element once
};

// The frames of a job's caches. With --end exact, they also have the end of a clip between two
// frames, which the frames of the job, those of the report, do not have.
FrameRange cache_frames(const BakeOptions& options, const Job& job);

// The modifiers as reports contain them, in their order.
std::vector<std::string> modifier_texts(const BakeOptions& options);

// The jobs in the order of the file, without outputs and references.
std::deque<MeshJobs> list_jobs(const ResolvedOptions& resolved);

// Opens every output, so that an invalid path fails before the first frame. The jobs are in the
// order of the file. Caches that are references become inputs of the asset. Throws Error.
std::deque<MeshJobs> open_jobs(const BakeOptions& options, Asset& asset,
                               const ResolvedOptions& resolved);

// Callbacks for the progress of a job: evaluated frames, and the bind-time work of a method.
struct JobProgress {
  std::function<void(std::int64_t frames)> frames;
  std::function<void(std::string_view method, double done)> bind;
};

// Appends the issues whose code and element are not in the list yet: every clip finds the same
// issues of a mesh.
void add_once(const Issues& found, Issues& issues);

// The run of a variant, without sinks.
MethodRun run_of(const Variant& variant, const MeshJobs& mesh);

// A mesh of a run, whose jobs are evaluated.
struct MeshRun {
  const BakeOptions& options;
  const ResolvedOptions& resolved;
  MeshJobs& mesh;
};

// The plan of a job, without runs.
BakePlan plan_of(const MeshRun& on, const Job& job);

// Evaluates all clips of a mesh for the caches that need every frame before they write the first
// one (CacheWriter::joint_prepass).
void run_joint_prepasses(const MeshRun& on);

// Evaluates every variant of a job in one pass and appends the runs to the mesh's record.
void run_job(const MeshRun& on, Job& job, const JobProgress& progress);

}  // namespace skinbake::cli
