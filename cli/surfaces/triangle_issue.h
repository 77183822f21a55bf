// The warning that two files have other triangles.

#pragma once

#include <string>
#include <vector>

#include "compare/surface/surfaces.h"
#include "report/report.h"
#include "report/surface_report.h"
#include "skinbake/error.h"

namespace skinbake::cli {

// TRIANGLES_DIFFER of B, with the counts; empty if the triangles are the same. `a`, `b`: paths.
Issues triangle_issue(const TriangleDifference& difference, const std::string& a,
                      const std::string& b);

// TRIANGLES_DIFFER of surfaces whose triangles do not pair: one has much less area, or many of its
// points are only near a side of the other that faces away. Points do not see what is missing
// where triangles are smaller than the distance between points.
Issues surface_issues(const std::vector<SurfaceDirection>& directions, const std::string& a,
                      const std::string& b);

// Adds a check that fails if one file has less than kLeastArea of the area of the other, so that a
// file without half of its triangles does not pass a limit of distances; unless TRIANGLES_DIFFER is
// allowed.
struct SurfaceAreas {
  double a_m2 = 0, b_m2 = 0;
};
SurfaceAreas areas_of(const std::vector<SurfaceDirection>& directions);
void add_area_check(const SurfaceAreas& areas, const std::string& a, const std::string& b,
                    Report& report);

// Adds the same check for a file of which more than a tenth faces away from the other's points.
void add_facing_check(const std::vector<SurfaceDirection>& directions, const std::string& a,
                      const std::string& b, Report& report);

}  // namespace skinbake::cli
