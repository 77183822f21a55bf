// The NumPy arrays of a run. --error-matrix writes the error of every vertex in every frame.
// --per-vertex npy writes the statistics of each vertex to files beside the report.

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "jobs/bake_job.h"
#include "outputs/output_paths.h"

namespace skinbake::cli {

// Appends the paths of a job's arrays for all variants.
void append_array_paths(const BakeOptions& options, const Job& job,
                        const std::vector<Variant>& variants, std::vector<std::string>& paths);

// Throws Error (kUsage) if several meshes, clips or methods have the same matrix path.
void require_unambiguous_matrix(const BakeOptions& options, const ResolvedOptions& resolved);

// Opens every array of every job, so that an invalid path fails before the first frame.
void open_arrays(const BakeOptions& options, const ResolvedOptions& resolved,
                 std::deque<MeshJobs>& meshes);

// Appends a job's arrays, for the commit.
void append_arrays(Job& job, std::vector<OutputFile*>& files);

}  // namespace skinbake::cli
