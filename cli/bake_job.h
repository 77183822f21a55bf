// One mesh with one clip: its sinks, and what becomes of them.

#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bake_options.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

// What the user asked for, resolved against the asset.
struct Resolved {
  Method method;
  Reference reference;
  std::string reference_name;  // "exact" or the method's canonical name; as reports say it
  std::vector<const Rig*> rigs;
  std::vector<const Clip*> clips;
  std::vector<FrameRange> frames;  // of each clip
};
Resolved resolve(const BakeOptions& options, const Asset& asset);

// A mesh with one clip.
struct Job {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;
  FrameRange frames;
  std::unique_ptr<CacheWriter> cache;
  double seconds = 0;  // that the bake took
};

// A mesh, in the report's sense, and its jobs. Its surface is welded once, for all clips.
struct MeshJobs {
  MeshRecord record;
  std::vector<Job> jobs;
};

// In the order of the file; every cache is open, so that a bad path fails before the first frame.
std::deque<MeshJobs> open_jobs(const BakeOptions& options, const Asset& asset,
                               const Resolved& resolved);

// Bakes a job and appends its run to the mesh's record.
void run_job(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh, Job& job,
             const std::function<void(std::int64_t)>& progress);

}  // namespace skinbake::cli
