#include "caches/glb/viewer_limit.h"

#include "base/issue.h"
#include "caches/glb/options.h"
#include "caches/mesh_cache.h"

namespace skinbake {

Issues viewer_issues(std::span<const CacheHeader> headers) {
  std::int64_t targets = -1;  // the first frame is not a target
  for (const CacheHeader& clip : clips_of_first_mesh(headers)) targets += clip.frames.frame_count;
  if (targets <= kMaxViewerTargets || parse_glb_options(headers.front().options).max_targets != 0)
    return {};
  return {make_issue(IssueCode::GLB_MANY_TARGETS, "", "",
                     std::to_string(targets) +
                         " morph targets in a GLB; three.js, Babylon.js and <model-viewer> show a "
                         "mesh of more than " +
                         std::to_string(kMaxViewerTargets) +
                         " targets standing still; write several meshes (split=1), bake fewer "
                         "frames, or bake a vertex animation texture",
                     1)};
}

}  // namespace skinbake
