// The errors of two surfaces in a report: at rest and in motion, by joint.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/surface/placement.h"
#include "compare/surface/surfaces.h"
#include "report/report.h"
#include "skinbake/metrics.h"

namespace skinbake {

// One direction of a comparison: the points of a surface and their partners on the other.
struct SurfaceDirection {
  std::string_view name;  // "a to b"
  const BindSurface* of = nullptr;
  const BindSurface* other = nullptr;
  double diagonal_m = 0;  // of A, in both directions; relative distances are parts of it
  const PointPairs* pairs = nullptr;
  PairDistance at_rest;                   // bind_distance
  double area_m2 = 0, other_area_m2 = 0;  // surface_area
  std::vector<std::uint32_t> joints;      // [point] heaviest_joint of its surface
  // [joint of its surface] The name of the same joint in A; "b: name" of a joint that only B has.
  std::vector<std::string> joint_names;
  std::optional<OtherPlacement> placement;  // set by the caller, for the section

  const std::string& joint_at(std::size_t point) const { return joint_names[joints[point]]; }
};
enum class Toward { kB, kA };  // "a to b", "b to a"
SurfaceDirection direction_of(const BindSurfaces& surfaces, Toward toward, const PointPairs& pairs);

// A rig without joints whose vertices are the points in the bind pose, with the triangles between
// the surface's own vertices. It is the mesh of a report.
Rig rig_of_points(const std::string& id, const SurfaceDirection& direction);

// The errors of the points that one joint moves most.
struct JointError {
  std::uint32_t joint = 0;  // index into BindSurface::joints
  std::int64_t points = 0;
  double rms = 0, max = 0;  // metres
  Place max_at;
};
// In the order of the joints; without joints that move no point most. Precondition: `error` has
// errors per vertex.
std::vector<JointError> joint_errors(const SurfaceDirection& direction,
                                     const PositionErrorResult& error);

// The section `surface` of a run. `other_clip`: the clip of the other file. `frames_left_out`: that
// only one of both clips has.
MetricResult surface_section(const SurfaceDirection& direction, const PositionErrorResult& error,
                             const std::string& other_clip, std::int64_t frames_left_out);

// The metrics of a diff: `error`, `surface` and `hausdorff`, with the numbers that may be limits.
std::vector<MetricInfo> difference_sections();

// The metric of a check that fails because a file lacks a part of the surface (is_clip_check). Its
// value is the part of the other file's area that it has, which is less than kLeastArea.
inline constexpr std::string_view kMissingArea = "surface.area";
// `gltfpack -si 0.5`, `-si 0.25` and `-si 0.1` of CesiumMan, Fox and KayKit_Knight leave 98.6 % to
// 101.2 %, with `-sa` and 0.25 at least 95.8 %. A file without half of its triangles has about 50
// %.
inline constexpr double kLeastArea = 0.95;

// The point of the largest error of a run; none: the run does not compare surfaces.
std::optional<Place> worst_point(const RunRecord& run);

}  // namespace skinbake
