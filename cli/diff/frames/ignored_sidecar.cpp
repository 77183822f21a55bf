#include "diff/frames/ignored_sidecar.h"

#include <filesystem>

#include "outputs/output_paths.h"

namespace skinbake::cli {

Issues ignored_sidecar(const CacheReader& cache) {
  const std::string path = cache.path() + ".json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) || cache.known_provenance()) return {};
  Issue issue;
  issue.code = "SIDECAR_IGNORED";
  issue.severity = Severity::kWarning;
  issue.file = shown(path);
  issue.message =
      "is not the sidecar of the cache in its present state; it is ignored, and the cache "
      "counts as one in metres with Y up";
  return {issue};
}

}  // namespace skinbake::cli
