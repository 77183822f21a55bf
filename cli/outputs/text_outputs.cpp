#include "outputs/text_outputs.h"

#include "outputs/depfile.h"
#include "outputs/output_paths.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

bool is_file(const std::string& path) {
  return !path.empty() && path != "-";
}

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
  if (is_file(options.report)) outputs.push_back(options.report);
  for (const auto& [format, path] : options.pages.given()) outputs.push_back(path);
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
    : options_(options) {
  // The depfile comes first, because it throws for some names.
  if (!options.depfile.empty()) depfile_ = depfile_text(outputs_of(options, meshes), inputs);
  for (const std::string& path : {options.report, options.depfile, options.timing}) {
    if (is_file(path)) files_.emplace_back(path);
  }
  for (const auto& [format, path] : options.pages.given()) pages_.emplace_back(path);
}

std::string TextOutputs::write(Report& report, const Stopwatch& stopwatch, const View* view) {
  const bool needs_json = options_.report_to_stdout() || is_file(options_.report);
  std::string json = needs_json ? to_json(report, options_.threads) : "";
  write_pages(report, view);
  for (OutputFile& file : files_) {
    if (file.path() == options_.report) file.write(json);
    if (file.path() == options_.depfile) file.write(depfile_);
    if (file.path() == options_.timing) file.write(timing_text(stopwatch, report));
  }
  return json;
}

// The pages equal those that `skinbake report` makes from the JSON report.
void TextOutputs::write_pages(const Report& report, const View* view) {
  if (pages_.empty()) return;
  const std::string name =
      is_file(options_.report) ? shown(options_.report) : report.inputs.front().path;
  const ParsedReport parsed = parsed_report_of(report, name);
  const auto given = options_.pages.given();
  for (std::size_t i = 0; i < given.size(); ++i) {
    pages_[i].write(to_page(given[i].first, {&parsed, 1}, view));
  }
}

void TextOutputs::append(std::vector<OutputFile*>& files) {
  for (OutputFile& file : files_) files.push_back(&file);
  for (OutputFile& file : pages_) files.push_back(&file);
}

}  // namespace skinbake::cli
