#include "caches/glb/viewer_limit.h"

#include "base/issue.h"

namespace skinbake {

Issues viewer_issues(std::span<const CacheHeader> headers) {
  const std::int64_t targets = headers.front().frames.frame_count - 1;
  if (targets <= kMaxViewerTargets) return {};
  return {make_issue(IssueCode::GLB_MANY_TARGETS, "", "",
                     std::to_string(targets) +
                         " morph targets in a GLB; three.js, Babylon.js and <model-viewer> show a "
                         "mesh of more than " +
                         std::to_string(kMaxViewerTargets) +
                         " targets standing still; bake fewer frames, or a vertex animation "
                         "texture",
                     1)};
}

}  // namespace skinbake
