#include "diff/library/cache_choice.h"

#include <algorithm>
#include <optional>

#include "options/selection.h"
#include "outputs/output_paths.h"

namespace skinbake::cli {

namespace {

std::vector<std::string> clips_in(const CacheProvenance& known) {
  if (known.clips.empty()) return {known.clip};
  std::vector<std::string> ids;
  for (const CacheClip& clip : known.clips) ids.push_back(clip.clip);
  return ids;
}

std::vector<std::string> meshes_in(const CacheReader& cache, const CacheProvenance& known) {
  std::vector<std::string> ids;
  for (const CachePart& part : cache.parts()) ids.push_back(part.mesh);
  return ids.empty() ? std::vector{known.mesh} : ids;
}

void require_known(const char* option, const std::vector<std::string>& values,
                   const std::vector<std::string>& ids, const std::string& path) {
  if (values.empty() || !ids.empty()) return;
  throw Error("NOT_COMPARABLE",
              "no sidecar names its clip and mesh, so that " + std::string(option) +
                  " cannot select it; leave out " + option + ", or bake the cache again",
              {path, ""});
}

}  // namespace

CacheChoice::CacheChoice(const DiffOptions& options, const DiffSide& a, const DiffSide& b)
    : clip_values_(options.clips), mesh_values_(options.meshes) {
  const auto of_a = a.cache->claimed_provenance(), of_b = b.cache->claimed_provenance();
  const bool takes_b = !(of_a && of_a->is_complete) && of_b && of_b->is_complete;
  if (const auto& known = takes_b ? of_b : of_a; known && known->is_complete) {
    clips_ = clips_in(*known);
    meshes_ = meshes_in(takes_b ? *b.cache : *a.cache, *known);
  }
  if (takes_b && !options.clips_b.empty()) clip_values_ = options.clips_b;
  if (takes_b && !options.meshes_b.empty()) mesh_values_ = options.meshes_b;
  require_known("--clip", clip_values_, clips_, a.path);
  require_known("--mesh", mesh_values_, meshes_, a.path);
}

bool CacheChoice::takes_clip() const {
  return clip_values_.empty() ||
         std::any_of(clips_.begin(), clips_.end(),
                     [&](const std::string& id) { return selects_name(clip_values_, id); });
}

bool CacheChoice::takes_mesh(const std::string& id) const {
  return mesh_values_.empty() || selects_name(mesh_values_, id);
}

UnmatchedValues CacheChoice::unmatched() const {
  UnmatchedNames clips = unmatched_names(clip_values_, clips_);
  UnmatchedNames meshes = unmatched_names(mesh_values_, meshes_);
  return {std::move(clips.chosen), std::move(meshes.chosen), std::move(clips.omitted),
          std::move(meshes.omitted)};
}

}  // namespace skinbake::cli
