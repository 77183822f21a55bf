#include "jobs/text_outputs.h"

#include "outputs/depfile.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// The outputs that the rule of the depfile names.
std::vector<std::string> outputs_of(const BakeOptions& options,
                                    const std::deque<MeshJobs>& meshes) {
  std::vector<std::string> outputs;
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) outputs.push_back(cache.writer->path());
      for (const auto& matrix : job.matrices) outputs.push_back(matrix->path());
      for (const OutputFile& file : job.per_vertex) outputs.push_back(file.path());
    }
  }
  for (std::string& path : options.reports.paths()) outputs.push_back(std::move(path));
  if (outputs.empty()) outputs.push_back(options.depfile);  // a rule needs a target
  return outputs;
}

std::string timing_text(const Stopwatch& stopwatch, const Report& report) {
  std::int64_t frames = 0;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) frames += run.frames.frame_count;
  }
  return fmt::format(
      "{{\n  \"schema\": \"skinbake.timing\",\n  \"schema_version\": \"1.0\",\n"
      "  \"load_s\": {:.6f},\n  \"bake_s\": {:.6f},\n  \"total_s\": {:.6f},\n"
      "  \"frames\": {}\n}}\n",
      stopwatch.load_s, stopwatch.bake_s, stopwatch.seconds(), frames);
}

}  // namespace

TextOutputs::TextOutputs(const BakeOptions& options, const std::deque<MeshJobs>& meshes,
                         const std::vector<std::string>& inputs)
    : options_(options), reports_(options.reports) {
  // The depfile comes first, because it throws for some names.
  if (!options.depfile.empty()) depfile_ = depfile_text(outputs_of(options, meshes), inputs);
  for (const std::string& path : {options.depfile, options.timing}) {
    if (!path.empty()) files_.emplace_back(path);
  }
}

void TextOutputs::write(const Report& report, const Stopwatch& stopwatch, const View* view) {
  if (options_.reports.any()) {
    reports_.write(texts_of(report, options_.reports, report.inputs.front().path, view));
  }
  for (OutputFile& file : files_) {
    file.write(file.path() == options_.depfile ? depfile_ : timing_text(stopwatch, report));
  }
}

void TextOutputs::append(std::vector<OutputFile*>& files) {
  reports_.append(files);
  for (OutputFile& file : files_) files.push_back(&file);
}

}  // namespace skinbake::cli
