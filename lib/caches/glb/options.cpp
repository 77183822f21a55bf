#include "caches/glb/options.h"

#include "base/issue.h"
#include "caches/mesh_cache.h"

namespace skinbake {

namespace {

// The most targets of a mesh; 0: any number.
int split_of(const FormatOptions& given) {
  const int targets = given.number("targets");
  if (!given.is_on("split")) {
    if (given.is_given("targets")) {
      given.fail("targets=" + std::to_string(targets) + " needs split=1");
    }
    return 0;
  }
  return targets;
}

}  // namespace

GlbOptions parse_glb_options(const CacheOptions& options) {
  const FormatOptions given("glb", kGlbOptions, options);
  const bool quantize = given.is_on("quantize");
  if (!quantize && given.is_given("bits")) {
    given.fail("bits=" + std::to_string(given.number("bits")) + " needs quantize=1");
  }
  if (!quantize && given.is_on("meshopt")) given.fail("meshopt=1 needs quantize=1");
  GlbOptions parsed;
  parsed.step = given.word("interpolation") == "step";
  parsed.bits = quantize ? given.number("bits") : 0;
  parsed.meshopt = given.is_on("meshopt");
  parsed.normals = given.is_on("normals");
  parsed.tangents = given.is_on("tangents");
  if (parsed.tangents && given.is_given("normals") && !parsed.normals) {
    given.fail("tangents=1 needs normals=1");
  }
  parsed.normals |= parsed.tangents;
  parsed.max_targets = split_of(given);
  if (parsed.max_targets != 0 && quantize) given.fail("split=1 does not support quantize=1");
  return parsed;
}

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
