#include "golden/renamed.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "golden/options.h"
#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

// What a golden without a cache has of the positions.
struct LeftGolden {
  std::string name, mesh;
  std::int64_t vertices = 0, frames = 0;
  std::vector<std::string> blocks;
};

std::vector<LeftGolden> left_goldens(const std::set<std::string>& names,
                                     const std::string& folder) {
  std::vector<LeftGolden> all;
  for (const std::string& name : names) {
    try {
      Golden golden = read_golden(golden_path(folder, name));
      all.push_back({name, golden.mesh, golden.vertex_count, golden.frames.frame_count,
                     std::move(golden.blocks)});
    } catch (const Error&) {  // a damaged golden is missing its cache all the same
    }
  }
  return all;
}

// The golden with the positions of a cache, of the same mesh if several have them. Null: none.
const LeftGolden* golden_of(const CacheReader& cache, const std::vector<LeftGolden>& goldens) {
  const auto has_counts = [&](const LeftGolden& golden) {
    return golden.vertices == cache.vertex_count() && golden.frames == cache.frame_count();
  };
  if (!std::any_of(goldens.begin(), goldens.end(), has_counts)) return nullptr;
  const std::vector<std::string> blocks = block_hashes(cache);
  const auto provenance = cache.claimed_provenance();
  const LeftGolden* found = nullptr;
  for (const LeftGolden& golden : goldens) {
    if (!has_counts(golden) || golden.blocks != blocks) continue;
    if (provenance && provenance->mesh == golden.mesh) return &golden;
    if (found == nullptr) found = &golden;
  }
  return found;
}

}  // namespace

void find_renamed(const std::vector<GoldenSource>& sources, const std::string& folder,
                  std::set<std::string>& left, std::vector<GoldenResult>& results) {
  using Status = GoldenResult::Status;
  const bool has_new = std::any_of(results.begin(), results.end(), [](const GoldenResult& result) {
    return result.status == Status::kNew;
  });
  if (!has_new || left.empty()) return;
  std::vector<LeftGolden> goldens = left_goldens(left, folder);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (results[i].status != Status::kNew) continue;
    try {
      const LeftGolden* golden = golden_of(*open_cache(sources[i].path), goldens);
      if (golden == nullptr) continue;
      results[i].status = Status::kRenamed;
      results[i].renamed_from = golden->name;
      left.erase(golden->name);
      goldens.erase(goldens.begin() + (golden - goldens.data()));
    } catch (const Error&) {  // a cache that cannot be read has no golden all the same
    }
  }
}

}  // namespace skinbake::cli
