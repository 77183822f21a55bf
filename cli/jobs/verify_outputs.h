// --verify: compares the written caches with the evaluated frames.

#pragma once

#include <deque>

#include "jobs/bake_job.h"

namespace skinbake::cli {

// Whether a difference passes; none passes a bound that is not finite.
bool is_within_bound(double difference, double bound);

// Throws Error (kOutput) if the difference exceeds the format's bound; the cache is then not
// committed.
void require_within_bound(const VerificationRecord& record, const CacheAxes& axes);

// Evaluates the frames of every job again, compares them with its caches, and hashes the written
// files. Throws Error (kOutput) if a difference exceeds a format's bound, or a file has other bytes
// than were written.
void verify_jobs(const BakeOptions& options, const ResolvedOptions& resolved,
                 std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
