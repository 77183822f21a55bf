// --verify: whether the caches of a bake hold what was computed.

#pragma once

#include "bake_job.h"

namespace skinbake::cli {

// Throws Error (kOutput) if a cache is beyond its format's bound: it is not written then.
void require_within_bound(const VerificationRecord& record, const CacheAxes& axes);

// --verify: computes the frames of a job once more and compares. Throws Error (kOutput) if a cache
// is beyond its format's bound.
void verify_job(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh, Job& job);

}  // namespace skinbake::cli
