// Outputs of text: documents, and pages.

#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "json/text.h"
#include "outputs/depfile.h"
#include "outputs/output_paths.h"
#include "outputs/text_outputs.h"
#include "report/pages/pages.h"
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

namespace {

// A path as a relative address: bytes that have a meaning there are escaped.
std::string address_of(const std::string& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string address;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.' || c == '/';
    if (is_plain) {
      address += c;
    } else {
      address += {'%', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return address;
}

}  // namespace

OverviewPages overview_pages(const std::string& output, const std::vector<std::string>& reports) {
  OverviewPages pages;
  if (output == "-") return pages;
  const std::filesystem::path overview(output);
  pages.back = address_of(overview.filename().string());
  std::set<std::string> used;
  for (const std::string& report : reports) {
    const std::string stem = file_name_of(std::filesystem::path(report).stem().string());
    std::string name = overview.stem().string() + "." + stem;
    for (int number = 2; !used.insert(name).second; ++number) {
      name = overview.stem().string() + "." + stem + "-" + std::to_string(number);
    }
    name += ".html";
    pages.paths.push_back((overview.parent_path() / name).string());
    pages.links.push_back(address_of(name));
  }
  return pages;
}

std::string address_from(const std::string& overview, const std::string& file) {
  const auto absolute = [](const std::filesystem::path& path) {
    std::error_code error;  // the path as it is, if the current folder is gone
    const std::filesystem::path found = std::filesystem::absolute(path, error);
    return (error ? path : found).lexically_normal();
  };
  const std::filesystem::path folder = absolute(overview).parent_path();
  return address_of(absolute(file).lexically_relative(folder).generic_string());
}

bool is_page_with_view(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head.find(kViewMark) != std::string::npos;
}

}  // namespace skinbake::cli
