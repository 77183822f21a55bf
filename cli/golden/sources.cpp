// The sources of goldens, and which of them were renamed.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/paths.h"
#include "commands.h"
#include "compare/library_pairs.h"
#include "comparison/golden_check.h"
#include "comparison/library_files.h"
#include "golden/options.h"
#include "golden/sources.h"
#include "options/file_kinds.h"
#include "options/usage_error.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

std::string in_folder(const std::string& folder, const std::string& path) {
  return path.empty() ? "" : (std::filesystem::path(folder) / path).string();
}

// Whether the format is only written: vertex animation textures, USD.
bool names_unreadable_cache(const std::string& path) {
  const CacheFormat* const format = find_cache_format_of(path);
  return format != nullptr && format->read == nullptr;
}

void add_manifest(const std::string& manifest, GoldenSources& sources) {
  sources.exit_code = std::max(sources.exit_code, bring_up_to_date(manifest));
  const std::string folder = std::filesystem::path(manifest).parent_path().string();
  for (const PlannedOutput& output : planned_outputs(manifest)) {
    if (!names_cache(output.path)) continue;
    if (names_unreadable_cache(output.path)) {
      sources.unreadable.push_back(output.path);
      continue;
    }
    sources.caches.push_back(
        {std::filesystem::path(output.path).lexically_normal().generic_string(),
         in_folder(folder, output.path), in_folder(folder, output.rig)});
  }
}

// A GLB whose sidecar calls it a cache is one, however damaged it is: it must not be left out.
bool is_cache(const std::string& path) {
  return !is_evaluated(path) || (names_cache(path) && claimed_hash(path));
}

void add_folder(const GoldenCommandOptions& options, const std::string& folder,
                GoldenSources& sources) {
  for (const LibraryFile& file : library_files(folder)) {
    if (names_unreadable_cache(file.path)) {
      sources.unreadable.push_back(file.name);
    } else if (is_cache(file.path)) {
      sources.caches.push_back({file.name, file.path, options.rig});
    } else {
      sources.left_out.push_back(file.name);
    }
  }
}

// Adds what folders have of the goldens to check and what does not look like a cache: a damaged
// GLB, or an array without a sidecar.
void add_signed(const GoldenCommandOptions& options, std::vector<GoldenSource>& sources) {
  std::set<std::string> missing = names_of_goldens(options.check);
  for (const GoldenSource& source : sources) missing.erase(source.name);
  for (const std::string& source : options.sources) {
    if (!is_folder(source)) continue;
    std::erase_if(missing, [&](const std::string& name) {
      const std::string path = in_folder(source, name);
      if (!is_regular_file(path)) return false;
      sources.push_back({name, path, options.rig});
      return true;
    });
  }
}

// Throws if a golden would be outside the folder of the goldens.
void require_inside(const GoldenSource& source) {
  if (!source.name.starts_with("..") && !source.name.starts_with("/")) return;
  throw_usage("PLACEHOLDER_UNKNOWN", source.path +
                                         ": is outside the folder of the manifest, so that its "
                                         "golden has no place; write it below the manifest");
}

}  // namespace

std::set<std::string> names_of_goldens(const std::string& folder) {
  std::set<std::string> names;
  for (const LibraryFile& file : files_in_library(folder)) {
    if (!file.name.ends_with(kGoldenExtension)) continue;
    names.insert(file.name.substr(0, file.name.size() - std::string(kGoldenExtension).size()));
  }
  return names;
}

GoldenSources golden_sources(const GoldenCommandOptions& options) {
  GoldenSources sources;
  std::vector<GoldenSource>& caches = sources.caches;
  for (const std::string& source : options.sources) {
    if (is_manifest(source)) {
      add_manifest(source, sources);
    } else if (is_library(source)) {
      add_folder(options, source, sources);
    } else {
      caches.push_back({std::filesystem::path(source).filename().string(), source, options.rig});
    }
  }
  if (!options.check.empty()) add_signed(options, caches);
  std::sort(caches.begin(), caches.end(), [](const GoldenSource& a, const GoldenSource& b) {
    return std::tie(a.name, a.path) < std::tie(b.name, b.path);
  });
  for (std::size_t i = 0; i < caches.size(); ++i) {
    require_inside(caches[i]);
    if (i == 0 || caches[i].name != caches[i - 1].name) continue;
    throw_usage("OUTPUT_TWICE", caches[i].path + " and " + caches[i - 1].path +
                                    " have one golden, " + caches[i].name +
                                    ".golden; sign them into two folders");
  }
  return sources;
}

const Rig* GoldenRigs::find(const GoldenSource& source, const CacheReader& cache) {
  if (source.rig.empty() || !cache.parts().empty()) return nullptr;
  if (source.rig != path_ || !asset_) {
    asset_ = std::make_unique<Asset>(load_asset(source.rig, load_));
    path_ = source.rig;
  }
  const auto provenance = cache.claimed_provenance();
  for (const Rig& rig : asset_->rigs) {
    const bool is_named = provenance && provenance->mesh == rig.id;
    const bool is_only = !provenance && asset_->rigs.size() == 1;
    const bool has_vertices = rig.mesh->vertex_count() == cache.vertex_count();
    if (is_named || is_only) require_read(rig);
    if ((is_named || is_only) && has_vertices) return &rig;
  }
  return nullptr;
}

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
    } catch (const Error&) {  // a damaged golden lacks its cache, too
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
  const bool has_new = std::any_of(results.begin(), results.end(), [](const GoldenResult& result) {
    return result.status == GoldenResult::Status::kNew;
  });
  if (!has_new || left.empty()) return;
  std::vector<LeftGolden> goldens = left_goldens(left, folder);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (results[i].status != GoldenResult::Status::kNew) continue;
    try {
      const LeftGolden* golden = golden_of(*open_cache(sources[i].path), goldens);
      if (golden == nullptr) continue;
      results[i].status = GoldenResult::Status::kRenamed;
      results[i].renamed_from = golden->name;
      left.erase(golden->name);
      goldens.erase(goldens.begin() + (golden - goldens.data()));
    } catch (const Error&) {  // an unreadable cache lacks its golden, too
    }
  }
}

}  // namespace skinbake::cli
