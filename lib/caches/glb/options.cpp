#include "caches/glb/options.h"

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

}  // namespace skinbake
