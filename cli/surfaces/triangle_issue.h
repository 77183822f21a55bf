// The warning that two files have other triangles between the same vertices.

#pragma once

#include <string>

#include "skinbake/error.h"
#include "skinbake/tool/compare/surfaces.h"

namespace skinbake::cli {

// TRIANGLES_DIFFER of B, with the counts; empty if the triangles are the same. `a`, `b`: paths.
Issues triangle_issue(const TriangleDifference& difference, const std::string& a,
                      const std::string& b);

}  // namespace skinbake::cli
