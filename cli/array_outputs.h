// What a run leaves as NumPy arrays: every error (--error-matrix), and the errors per vertex beside
// the report (--per-vertex npy).

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "bake_job.h"
#include "output_paths.h"

namespace skinbake::cli {

// "run.json" -> "run.Body.walk.dqs.per_vertex.npy"; without names "run.per_vertex.npy".
std::string per_vertex_path(const std::string& report, const std::vector<std::string>& names);

// Throws CLI::ValidationError if the arrays have no report to lie beside.
void require_report(PerVertex per_vertex, const std::string& report);

// Appends the paths of a job's arrays, of all variants.
void append_array_paths(const BakeOptions& options, const Job& job,
                        const std::vector<Variant>& variants, std::vector<std::string>& paths);

// Throws Error (kUsage) if one matrix is for several meshes, clips or methods.
void require_unambiguous_matrix(const BakeOptions& options, const Resolved& resolved);

// Opens every array of every job, so that a bad path fails before the first frame.
void open_arrays(const BakeOptions& options, const Resolved& resolved,
                 std::deque<MeshJobs>& meshes);

// Gives a job's arrays their names.
void commit_arrays(Job& job, bool sync);

}  // namespace skinbake::cli
