// The caches of a bake: where they go, what they hold, whether they hold it.

#pragma once

#include <deque>

#include "bake_job.h"

namespace skinbake::cli {

// What can be seen to be wrong without the rig: unknown formats and placeholders.
void check_output_words(const BakeOptions& options);

// What of a rig the caches ask for beside what moves.
void choose_extras(BakeOptions& options);

// Why a path is not enough for all meshes and clips, and the remedy. Empty: it is, by placeholders.
std::string ambiguity(const std::string& path, const Resolved& resolved);

// Throws Error (kUsage) if one file is for several meshes, clips or methods.
void require_unambiguous_outputs(const BakeOptions& options, const Resolved& resolved);

// Opens every cache of every job, so that a bad path fails before the first frame. Throws Error
// (kUsage) if two outputs are one file.
void open_caches(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                 std::deque<MeshJobs>& meshes);

// Throws Error (kOutput) if a cache is beyond its format's bound: it is not written then.
void require_within_bound(const VerificationRecord& record, const CacheAxes& axes);

// --verify: computes the frames of a job once more and compares. Throws Error (kOutput) if a cache
// is beyond its format's bound.
void verify_job(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh, Job& job);

}  // namespace skinbake::cli
