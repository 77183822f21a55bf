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
            {.name = "clip", .may_repeat = true, .file = FileUse::kMayRead},
            {.name = "mesh", .may_repeat = true},
            {.name = "method"},
            {.name = "output", .may_repeat = true, .file = FileUse::kWrite, .expands = true},
            {.name = "report", .file = FileUse::kWrite},
            {.name = "html", .file = FileUse::kWrite},
            {.name = "reference", .file = FileUse::kMayRead, .expands = true},
            {.name = "joint-params", .file = FileUse::kRead},
            {.name = "format", .may_repeat = true},
            {.name = "per-vertex"},
            {.name = "fps"},
            {.name = "strict", .is_flag = true},
            {.name = "allow", .may_repeat = true},
            {.name = "frames"},
            {.name = "loop", .is_flag = true}}},
          {"compare",
           {rig,
            {.name = "clip", .may_repeat = true, .file = FileUse::kMayRead},
            {.name = "method", .may_repeat = true},
            {.name = "metrics", .joins = true},
            {.name = "profile", .may_repeat = true},
            {.name = "per-vertex"},
            {.name = "report", .file = FileUse::kWrite}}},
          {"diff",
           {{.name = "a", .is_argument = true, .is_required = true, .file = FileUse::kRead},
            {.name = "b", .is_argument = true, .is_required = true, .file = FileUse::kRead},
            {.name = "per-vertex"},
            {.name = "report", .file = FileUse::kWrite}}},
          {"fit",
           {rig,
            {.name = "clip", .may_repeat = true},
            {.name = "target", .may_repeat = true, .file = FileUse::kRead, .expands = true},
            {.name = "output", .file = FileUse::kWrite}}}};
}

inline std::string manifest_text(const std::string& members) {
  return R"({"schema": "skinbake.batch", "schema_version": "1.0", )" + members + "}";
}

inline Manifest parsed(const std::string& members, const std::vector<ManifestCommand>& known) {
  return parse_manifest(manifest_text(members), "jobs.json", known);
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace skinbake::test
