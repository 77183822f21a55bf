#include "caches/glb/viewer_limit.h"

#include "base/issue.h"
#include "caches/glb/options.h"
#include "caches/mesh_cache.h"

namespace skinbake {

namespace {

// A quantized GLB cannot be split.
std::string remedy(const GlbOptions& options) {
  return std::string(options.is_quantized() ? "" : "write several meshes by time (split=1), ") +
         "bake fewer frames, or bake a vertex animation texture";
}

}  // namespace

Issues viewer_issues(const std::string& path, std::span<const CacheHeader> headers) {
  const GlbOptions options = parse_glb_options(headers.front().options);
  const std::span<const CacheHeader> clips = clips_of_first_mesh(headers);
  // A mesh contains the frames of all clips; the first one is not a target.
  const std::int64_t targets = frames_of_clips(clips).frame_count - 1;
  if (targets <= kMaxViewerTargets || options.max_targets != 0) return {};
  Issues issues;
  for (std::size_t h = 0; h < headers.size(); h += clips.size()) {
    const std::string what = "mesh '" + headers[h].rig->id + "' has " + std::to_string(targets) +
                             " morph targets; three.js, Babylon.js and <model-viewer> show a mesh "
                             "of more than " +
                             std::to_string(kMaxViewerTargets) + " targets standing still; ";
    issues.push_back(make_issue("GLB_MANY_TARGETS", path,
                                "/meshes/" + std::to_string(issues.size()),
                                what + remedy(options)));
  }
  return issues;
}

}  // namespace skinbake
