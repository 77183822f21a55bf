#include "metrics/shape/shape_kernels.h"

// This file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/shape/shape_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "metrics/shape/shape_kernels-inl.h"

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(sum_stretch_here);
HWY_EXPORT(sum_distortion_here);
HWY_EXPORT(sum_hinges_here);
HWY_EXPORT(hinge_angle_here);
HWY_EXPORT(sum_bulges_here);
HWY_EXPORT(segment_distance_here);
HWY_EXPORT(count_inversions_here);
HWY_EXPORT(measure_normals_here);
HWY_EXPORT(block_loop_area);
HWY_EXPORT(pose_loop_area);

}  // namespace

void sum_stretch(const float* positions, std::span<const StretchEdge> edges, StretchSums& out) {
  HWY_DYNAMIC_DISPATCH(sum_stretch_here)(positions, edges, out);
}
void sum_distortion(const float* positions, std::span<const FlatTriangle> triangles,
                    DistortionSums& out) {
  HWY_DYNAMIC_DISPATCH(sum_distortion_here)(positions, triangles, out);
}
void sum_hinges(const float* positions, std::span<const Hinge> hinges, HingeSums& out) {
  HWY_DYNAMIC_DISPATCH(sum_hinges_here)(positions, hinges, out);
}
double hinge_angle(const double* positions, const Hinge& hinge) {
  return HWY_DYNAMIC_DISPATCH(hinge_angle_here)(positions, hinge);
}
void sum_bulges(const float* positions, const double* segments,
                std::span<const SegmentVertex> vertices, BulgeSums& out) {
  HWY_DYNAMIC_DISPATCH(sum_bulges_here)(positions, segments, vertices, out);
}
double segment_distance(const Vec3<double>& point, const Vec3<double>& start,
                        const Vec3<double>& end) {
  return HWY_DYNAMIC_DISPATCH(segment_distance_here)(point, start, end);
}
void count_inversions(const float* positions, const RotatedTriangles& rotated, LaneRow& out) {
  HWY_DYNAMIC_DISPATCH(count_inversions_here)(positions, rotated, out);
}
void measure_normals(const NormalInput& input, const NormalOutput& out) {
  HWY_DYNAMIC_DISPATCH(measure_normals_here)(input, out);
}
void loop_area(const float* positions, std::span<const CutPoint> loop, LaneRow& twice_area_m2) {
  HWY_DYNAMIC_DISPATCH(block_loop_area)(positions, loop, twice_area_m2);
}
double loop_area(const double* positions, std::span<const CutPoint> loop) {
  return HWY_DYNAMIC_DISPATCH(pose_loop_area)(positions, loop);
}

}  // namespace skinbake

#endif  // HWY_ONCE
