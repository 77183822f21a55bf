// The warning that two files have other triangles.

#pragma once

#include <string>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/tool/compare/surfaces.h"
#include "skinbake/tool/report/surface_report.h"

namespace skinbake::cli {

// TRIANGLES_DIFFER of B, with the counts; empty if the triangles are the same. `a`, `b`: paths.
Issues triangle_issue(const TriangleDifference& difference, const std::string& a,
                      const std::string& b);

// TRIANGLES_DIFFER of surfaces whose triangles do not pair: one has much less area, or many of its
// points are only near a side of the other that faces away. Points do not see what is missing
// where triangles are smaller than the distance between points.
Issues surface_issues(const std::vector<SurfaceDirection>& directions, const std::string& a,
                      const std::string& b);

}  // namespace skinbake::cli
