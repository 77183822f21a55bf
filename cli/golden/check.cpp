#include "golden/check.h"

#include <filesystem>

#include "skinbake/error.h"

namespace skinbake::cli {

GoldenResult check_golden(const std::string& golden_path, const std::string& cache_path,
                          std::optional<double> limit_m, std::uint64_t max_memory) {
  const Golden golden = read_golden(golden_path, max_memory);
  GoldenResult result;
  result.name = cache_path;
  result.mesh = golden.mesh;
  result.clip = golden.clip;
  result.all_blocks = static_cast<std::int64_t>(golden.blocks.size());
  result.sampled = static_cast<std::int64_t>(golden.sample.vertices.size());
  std::error_code unknown;
  if (!std::filesystem::exists(cache_path, unknown)) {
    if (claimed_hash(cache_path) == golden.xxh128) {
      result.difference.identical = result.difference.by_sidecar = true;
    } else {
      result.status = GoldenResult::Status::kMissing;
    }
    return result;
  }
  judge(compare_with_golden(golden, *open_cache(cache_path, "", max_memory), max_memory), limit_m,
        result);
  return result;
}

}  // namespace skinbake::cli
