// --verify: compares the written caches with the evaluated frames.

#pragma once

#include "bake/job.h"

namespace skinbake::cli {

// Throws Error (kOutput) if the difference exceeds the format's bound; the cache then does not get
// its name.
void require_within_bound(const VerificationRecord& record, const CacheAxes& axes);

// Evaluates the frames of a job again and compares them with its caches. Throws Error (kOutput) if
// a difference exceeds a format's bound.
void verify_job(const BakeOptions& options, const ResolvedOptions& resolved, MeshJobs& mesh,
                Job& job);

}  // namespace skinbake::cli
