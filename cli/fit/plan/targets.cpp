#include "fit/plan/targets.h"

#include "bake/reference_cache.h"
#include "options/parsing/usage_error.h"
#include "outputs/output_paths.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

std::string target_path(const FitOptions& options, const Rig& rig, const Clip& clip,
                        std::size_t index) {
  const std::string& pattern = options.targets[options.targets.size() == 1 ? 0 : index];
  return expand(pattern, {rig.id, clip.id, ""}, "target");
}

// Throws UsageError if one cache would be the target of two elements.
template <class Element>
void require_own_caches(const std::vector<std::string>& targets, const std::string& placeholder,
                        const std::vector<const Element*>& elements, const std::string& remedy) {
  std::vector<std::string> ids;
  for (const Element* element : elements) ids.push_back(element->id);
  const std::string text = names_twice(targets, placeholder, ids);
  if (!text.empty()) throw UsageError("--target", text + "; " + remedy);
}

}  // namespace

void require_targets(const FitOptions& options, const std::vector<const Clip*>& clips,
                     const std::vector<const Rig*>& meshes) {
  const std::vector<std::string>& targets = options.targets;
  if (targets.empty()) return;
  const auto names = [&](const char* placeholder) {
    return targets.front().find(placeholder) != std::string::npos;
  };
  const bool is_pattern = targets.size() == 1 && names("{clip}");
  if (targets.size() != clips.size() && !is_pattern) {
    throw UsageError("--target", fmt::format("{} caches for {} clips; give one for each clip, in "
                                             "the order of the clips, or one path with {{clip}}",
                                             targets.size(), clips.size()));
  }
  if (is_pattern) {
    require_own_caches(targets, "{clip}", clips,
                       "rename one of these clips in the file, or give one cache for each clip");
  }
  if (meshes.size() < 2) return;
  for (const std::string& target : targets) {
    if (target.find("{mesh}") != std::string::npos) continue;
    throw UsageError("--target",
                     "'" + target + "' would be the target of " + std::to_string(meshes.size()) +
                         " meshes; write {mesh} into its name, or choose one by --mesh");
  }
  require_own_caches(targets, "{mesh}", meshes,
                     "rename one of these mesh nodes in the file, or choose one by --mesh");
}

std::vector<std::string> target_paths(const FitOptions& options,
                                      const std::vector<const Rig*>& rigs,
                                      const std::vector<const Clip*>& clips) {
  std::vector<std::string> paths;
  if (options.targets.empty()) return paths;
  for (const Rig* rig : rigs) {
    for (std::size_t i = 0; i < clips.size(); ++i) {
      paths.push_back(target_path(options, *rig, *clips[i], i));
    }
  }
  return paths;
}

std::vector<std::unique_ptr<FrameSource>> open_targets(const FitOptions& options,
                                                       const Asset& asset, const Rig& rig,
                                                       const std::vector<const Clip*>& clips,
                                                       const std::vector<FrameRange>& frames,
                                                       Issues& found) {
  std::vector<std::unique_ptr<FrameSource>> caches;
  if (options.targets.empty()) return caches;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    auto cache = std::make_unique<ReferenceCache>(
        target_path(options, rig, *clips[i], i),
        ReferenceUse{&rig, frames[i], Space::kScene, CacheRole::kTarget, clips[i]});
    const Issues issues = cache->issues(asset.path, clips[i]->id);
    found.insert(found.end(), issues.begin(), issues.end());
    caches.push_back(std::move(cache));
  }
  return caches;
}

}  // namespace skinbake::cli
