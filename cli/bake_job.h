// One mesh with one clip: its sinks, and what becomes of them.

#pragma once

#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bake_options.h"
#include "reference_cache.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

// What the user asked for, resolved against the asset.
struct Resolved {
  std::vector<Method> methods;
  Reference reference;
  // As reports say it: "exact", the method's canonical name, the cache's path with placeholders.
  std::string reference_name;
  std::vector<ModifiedRig> modified;  // what `rigs` point at, if there are modifiers
  JointParameters joint_parameters;
  std::vector<const Rig*> rigs;
  std::vector<const Clip*> clips;
  std::vector<FrameRange> frames;  // of each clip
  Issues issues;
};

// Reads --joint-params, which then is an input of the asset.
Resolved resolve(const BakeOptions& options, Asset& asset);

// What can be seen to be wrong without the rig: unknown methods, formats and placeholders.
void check_words(const BakeOptions& options);

// As reports and paths name a clip; empty: the rest pose.
std::string clip_id(const Clip* clip);
// A cache on its way to the disk.
struct JobCache {
  std::size_t method = 0;  // whose frames it takes
  CacheHeader header;      // what it was opened with
  std::unique_ptr<CacheWriter> writer;
  std::optional<VerificationRecord> verification;  // with --verify
};

// A mesh with one clip.
struct Job {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;
  FrameRange frames;
  std::vector<JobCache> caches;                          // of each -o and method
  std::unique_ptr<ReferenceCache> reference;             // if the reference is a cache
  double seconds = 0;                                    // that the bake took
  std::vector<std::unique_ptr<ViewRecorder>> recorders;  // [method], with --view
  std::int64_t view_stride = 1;                          // of which frames they keep
};

// The pose that volumes are compared with, and the surface welded in it: in the background, while
// the first frames are computed.
struct Surface {
  BaselinePose baseline;
  std::optional<Topology> topology;  // once `built` is ready; none without triangles
  std::shared_future<void> built;
};

// A mesh, in the report's sense, and its jobs.
struct MeshJobs {
  MeshRecord record;  // its runs: of the first job by every method, then of the next
  std::vector<Job> jobs;
  // Of each method whose poses are the baseline, else one. Of all jobs, or of the first if each has
  // a baseline of its own.
  std::vector<std::shared_ptr<Surface>> surfaces;
  Issues issues;  // of the measurements, one for each code
};

// The modifiers as reports name them, in their order.
std::vector<std::string> modifier_texts(const BakeOptions& options);

// In the order of the file; every cache is open, so that a bad path fails before the first frame.
// Caches that are references then are inputs of the asset.
std::deque<MeshJobs> open_jobs(const BakeOptions& options, Asset& asset, const Resolved& resolved);

// Who is told how far a job is: of frames done, and of what a method does before the first.
struct JobProgress {
  std::function<void(std::int64_t frames)> frames;
  std::function<void(std::string_view method, double done)> bind;
};

// Every clip finds the same about a mesh: each code is said once.
void add_once(const Issues& found, Issues& issues);

// A job's frames, for nobody yet.
BakePlan plan_of(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh,
                 const Job& job);

// Bakes a job by every method in one pass and appends its runs to the mesh's record.
void run_job(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh, Job& job,
             const JobProgress& progress);

}  // namespace skinbake::cli
