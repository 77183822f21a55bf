#include "fit/results/report.h"

#include <memory>

#include "fit/plan/encoding.h"
#include "outputs/output_paths.h"
#include "skinbake/caches.h"

namespace skinbake::cli {

FitReport report_of(const FitOptions& options, const Asset& asset,
                    const std::vector<std::string>& targets, const Fits& fits) {
  FitReport report;
  report.inputs = asset.inputs;
  for (const std::string& target : targets) {
    const std::unique_ptr<CacheReader> cache = open_cache(target, "");
    report.inputs.push_back({"reference", shown(target), cache->bytes(), cache->xxh128()});
    report.targets.push_back(shown(target));
  }
  if (!options.joint_params.empty()) {
    report.inputs.push_back(load_joint_parameters(options.joint_params, asset).input);
  }
  report.fps = options.frames.fps;
  if (targets.empty()) report.method = parse_method(options.method).canonical();
  report.max_error_m = options.max_error_m;
  report.max_error_relative = options.max_error_relative;
  report.correctives = options.correctives;
  report.max_correctives = options.max_correctives;
  report.normals = options.normals;
  report.helpers = options.helpers;
  if (options.influences) report.influences = options.influences->count;
  const FitEncoding encoding = fit_encoding(options.formats);
  report.bits = encoding.bits;
  report.meshopt = encoding.changes.meshopt;
  report.results = fits.results;
  report.choices = fits.choices;
  report.bytes = fits.bytes;
  return report;
}

}  // namespace skinbake::cli
