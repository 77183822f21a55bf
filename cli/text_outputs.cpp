#include "text_outputs.h"

#include <spdlog/fmt/fmt.h>

#include "depfile.h"
#include "output_paths.h"

namespace skinbake::cli {

namespace {

bool is_file(const std::string& path) {
  return !path.empty() && path != "-";
}

// What the run writes, as the rule in a depfile names it.
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
  if (outputs.empty()) outputs.push_back(options.depfile);  // a rule has a target
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
  // First, as a name may be refused.
  if (!options.depfile.empty()) depfile_ = depfile_text(outputs_of(options, meshes), inputs);
  for (const std::string& path : {options.report, options.depfile, options.timing}) {
    if (is_file(path)) files_.emplace_back(path);
  }
  for (const auto& [format, path] : options.pages.given()) pages_.emplace_back(path);
}

std::string TextOutputs::write(Report& report, const Stopwatch& stopwatch, const View* space) {
  std::string json = options_.wants_report() ? to_json(report, options_.threads) : "";
  write_pages(report, json, space);
  for (OutputFile& file : files_) {
    if (file.path() == options_.report) file.write(json);
    if (file.path() == options_.depfile) file.write(depfile_);
    if (file.path() == options_.timing) file.write(timing_text(stopwatch, report));
  }
  return json;
}

// Made from the JSON, so that they are what `skinbake report` makes of it.
void TextOutputs::write_pages(Report& report, const std::string& json, const View* space) {
  if (pages_.empty()) return;
  const std::string name =
      is_file(options_.report) ? shown(options_.report) : report.inputs.front().path;
  ReportView view;
  if (report.per_vertex == PerVertex::kNpy) {  // files that have no name yet
    report.per_vertex = PerVertex::kJson;
    view = parse_report(to_json(report, options_.threads), name);
    report.per_vertex = PerVertex::kNpy;
  } else {
    view = parse_report(json, name);
  }
  const auto given = options_.pages.given();
  for (std::size_t i = 0; i < given.size(); ++i) {
    pages_[i].write(to_page(given[i].first, {&view, 1}, space));
  }
}

void TextOutputs::commit() {
  for (std::vector<OutputFile>* files : {&files_, &pages_}) {
    for (OutputFile& file : *files) {
      if (options_.sync) file.sync();
      file.commit();
    }
  }
}

}  // namespace skinbake::cli
