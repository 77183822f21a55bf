// --explain: which joints move the vertices with the largest errors.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bake/explain.h"
#include "report/report.h"
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// The rig, clip and method of a run, where the report does not contain them: a cache does not name
// its rig.
struct ExplainedRig {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;  // null: the rest pose
  std::string method;
};

// Explains, for each method of the report, the `count` vertices with the largest errors above 0, in
// descending order, each in the frame of its largest error.
std::vector<Explanation> explain_worst(const Report& report, std::size_t count,
                                       const std::optional<ExplainedRig>& rig = {});

// A paragraph for each explained vertex.
std::string explanations_text(const Report& report);

}  // namespace skinbake::cli
