#include "fit/results/outputs.h"

#include <filesystem>
#include <utility>

#include "fit/plan/encoding.h"
#include "fit/results/verify.h"
#include "gltf/write/rig_file.h"
#include "outputs/depfile.h"
#include "outputs/output_paths.h"
#include "task/task_context.h"

namespace skinbake::cli {

FitOutputs::FitOutputs(const FitOptions& options)
    : options_(options), rig_(options.output), reports_(options.reports) {
  if (!options.depfile.empty()) depfile_.emplace(options.depfile);
}

FitOutput FitOutputs::write_rig(const Asset& asset, const std::vector<MeshFit>& meshes,
                                std::vector<FitResult>& results) {
  std::vector<RigChanges> changes;  // not copies: those of many meshes are large
  for (FitResult& result : results) changes.push_back(std::move(result.changes));
  const WrittenChanges written =
      write_changed_rigs(asset, changes, fit_encoding(options_.formats).changes, rig_);
  for (std::size_t m = 0; m < results.size(); ++m) results[m].changes = std::move(changes[m]);
  files_.push_back(&rig_);
  FitOutput output{shown(options_.output), written.bytes, written.added_bytes, {}};
  if (options_.verify) {
    output.read_back = verify_fit(rig_, plans_of(meshes), results, options_.load);
  }
  return output;
}

void FitOutputs::write_depfile(const std::vector<std::string>& inputs) {
  if (!depfile_) return;
  std::vector<std::string> present = inputs;
  std::erase_if(present, [](const std::string& path) {
    std::error_code unknown;  // the name of a sidecar can be too long
    return !std::filesystem::exists(path, unknown);
  });
  depfile_->write(depfile_text({options_.output}, present));
  files_.push_back(&*depfile_);
}

void FitOutputs::write_reports(const ReportTexts& texts) {
  reports_.write(texts);
  reports_.append(files_);
}

void FitOutputs::commit() {
  commit_outputs(files_, options_.sync);
}

}  // namespace skinbake::cli
