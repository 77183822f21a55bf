// Manifests for the tests of batches.

#pragma once

#include <string>
#include <vector>

#include "batch/jobs/manifest.h"

namespace skinbake::test {

// Four commands with few options; fit takes one output.
inline std::vector<ManifestCommand> commands() {
  const ManifestKey rig{
      .name = "rig", .is_argument = true, .may_repeat = true, .is_required = true};
  return {{"bake",
           {rig,
            {.name = "clip", .may_repeat = true},
            {.name = "mesh", .may_repeat = true},
            {.name = "method"},
            {.name = "output", .may_repeat = true},
            {.name = "report"},
            {.name = "html"},
            {.name = "reference"},
            {.name = "joint-params"},
            {.name = "format", .may_repeat = true},
            {.name = "per-vertex"},
            {.name = "fps"},
            {.name = "strict", .is_flag = true},
            {.name = "allow", .may_repeat = true},
            {.name = "frames"},
            {.name = "loop", .is_flag = true}}},
          {"compare",
           {rig,
            {.name = "clip", .may_repeat = true},
            {.name = "methods", .joins = true},
            {.name = "profile", .may_repeat = true},
            {.name = "per-vertex"},
            {.name = "report"}}},
          {"diff",
           {{.name = "a", .is_argument = true, .is_required = true},
            {.name = "b", .is_argument = true, .is_required = true},
            {.name = "per-vertex"},
            {.name = "report"}}},
          {"fit",
           {rig,
            {.name = "clip", .may_repeat = true},
            {.name = "target", .may_repeat = true},
            {.name = "output"}}}};
}

inline std::string manifest_text(const std::string& members) {
  return R"({"schema": "skinbake.batch", "schema_version": "1.0", )" + members + "}";
}

inline Manifest parsed(const std::string& members, const std::vector<ManifestCommand>& known) {
  return parse_manifest(manifest_text(members), "jobs.json", known, 1 << 30);
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace skinbake::test
