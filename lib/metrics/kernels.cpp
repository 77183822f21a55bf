#include "metrics/kernels.h"

// This file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "metrics/error-inl.h"
#include "metrics/percentiles-inl.h"
#include "metrics/volume-inl.h"

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(measure_errors_here);
HWY_EXPORT(bit_range);
HWY_EXPORT(bin_members);
HWY_EXPORT(triangle_volumes);
HWY_EXPORT(cap_volumes);
HWY_EXPORT(pose_triangles);
HWY_EXPORT(pose_cap);

}  // namespace

void measure_errors(const ErrorInput& input, const ErrorOutput& output) {
  HWY_DYNAMIC_DISPATCH(measure_errors_here)(input, output);
}
BitRange range_of_bits(std::span<const float> distances) {
  return HWY_DYNAMIC_DISPATCH(bit_range)(distances);
}
void collect_bins(std::span<const float> distances, const std::array<std::uint32_t, 3>& bins,
                  float* out) {
  HWY_DYNAMIC_DISPATCH(bin_members)(distances, bins, out);
}
LaneVolumes six_volumes(const float* positions, const TriangleList& list) {
  return HWY_DYNAMIC_DISPATCH(triangle_volumes)(positions, list);
}
LaneVolumes six_volumes(const float* positions, const CapEdges& cap) {
  return HWY_DYNAMIC_DISPATCH(cap_volumes)(positions, cap);
}
PatchMeasure measure_patch(const double* positions, const TriangleList& list) {
  return HWY_DYNAMIC_DISPATCH(pose_triangles)(positions, list);
}
PatchMeasure measure_patch(const double* positions, const CapEdges& cap) {
  return HWY_DYNAMIC_DISPATCH(pose_cap)(positions, cap);
}

}  // namespace skinbake

#endif  // HWY_ONCE
