#include "jobs/array_outputs.h"

#include "jobs/cache_outputs.h"
#include "options/usage_error.h"
#include "report/report_form.h"

namespace skinbake::cli {

namespace {

OutputNames names_of(const Job& job, const Variant& variant) {
  return {job.rig->id, clip_id(job.clip), variant.name()};
}

std::string matrix_path(const BakeOptions& options, const Job& job, const Variant& variant) {
  return expand(options.error_matrix, names_of(job, variant), "error matrix");
}

std::string path_of_errors(const BakeOptions& options, const Job& job, const Variant& variant) {
  const OutputNames names = names_of(job, variant);
  return per_vertex_path(options.reports.json_path(), {names.mesh, names.clip, names.method});
}

bool has_per_vertex(const BakeOptions& options) {
  return options.per_vertex == PerVertex::kNpy && options.needs_error();
}

}  // namespace

void append_array_paths(const BakeOptions& options, const Job& job,
                        const std::vector<Variant>& variants, std::vector<std::string>& paths) {
  for (const Variant& variant : variants) {
    if (!options.error_matrix.empty()) paths.push_back(matrix_path(options, job, variant));
    if (has_per_vertex(options)) paths.push_back(path_of_errors(options, job, variant));
  }
}

void require_unambiguous_matrix(const BakeOptions& options, const ResolvedOptions& resolved) {
  if (options.error_matrix.empty()) return;
  const std::string text = ambiguity(options.error_matrix, resolved);
  if (!text.empty()) throw Error("OUTPUT_AMBIGUOUS", "error matrix " + text);
  require_one_method("error matrix", options.error_matrix, resolved);
}

void open_arrays(const BakeOptions& options, const ResolvedOptions& resolved,
                 std::deque<MeshJobs>& meshes) {
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      for (const Variant& variant : resolved.variants) {
        if (!options.error_matrix.empty()) {
          job.matrices.push_back(std::make_unique<ErrorMatrix>(matrix_path(options, job, variant),
                                                               job.frames.frame_count,
                                                               job.rig->mesh->vertex_count()));
        }
        if (has_per_vertex(options)) {
          job.per_vertex.emplace_back(path_of_errors(options, job, variant));
        }
      }
    }
  }
}

void append_arrays(Job& job, std::vector<OutputFile*>& files) {
  for (const auto& matrix : job.matrices) files.push_back(&matrix->file());
  for (OutputFile& file : job.per_vertex) files.push_back(&file);
}

}  // namespace skinbake::cli
