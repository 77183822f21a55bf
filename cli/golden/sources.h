// The sources of goldens, and which of them were renamed.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "batch/goldens/golden.h"
#include "golden/options.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// ---- The caches that `skinbake golden` signs or checks.

struct GoldenSource {
  std::string name;  // in the folder of the goldens, without the extension: "heroes/walk.pc2"
  std::string path;
  std::string rig;  // empty: unknown
};

struct GoldenSources {
  std::vector<GoldenSource> caches;     // sorted by name
  std::vector<std::string> left_out;    // glTF files of folders that are rigs or clips: their names
  std::vector<std::string> unreadable;  // caches of formats that are only written: their names
  int exit_code = 0;                    // of the tasks of manifests
};

// The goldens of a folder, by the names of their caches. Throws Error (kInput).
std::set<std::string> names_of_goldens(const std::string& folder);

// The caches of the sources; of a folder, also files that have a golden to check, whatever they
// look like. Brings the tasks of manifests up to date first. Caches of manifests that do not exist
// are among the sources. Throws Error (kUsage, OUTPUT_TWICE) if two have one name.
GoldenSources golden_sources(const GoldenCommandOptions& options);

// The rigs of the sources, each loaded once.
class GoldenRigs {
 public:
  explicit GoldenRigs(const LoadOptions& load) : load_(load) {}

  // The mesh of a cache, by its sidecar. Null: the rig or the mesh is unknown, or the cache has
  // several. Throws as load_asset.
  const Rig* find(const GoldenSource& source, const CacheReader& cache);

  // The rig of the last source that has one; null: none.
  const Asset* asset() const { return asset_.get(); }

 private:
  const LoadOptions& load_;
  std::string path_;  // of the last rig: sources of one rig follow one another
  std::unique_ptr<Asset> asset_;
};

// ---- Caches that have another name than their goldens.

// Pairs caches without a golden with goldens without a cache that have all their positions, and
// says so in the results of these caches. `left`: names of the goldens, of which those that pair
// are removed. Precondition: a result for each source, in their order.
void find_renamed(const std::vector<GoldenSource>& sources, const std::string& folder,
                  std::set<std::string>& left, std::vector<GoldenResult>& results);

}  // namespace skinbake::cli
