#include "frames/corner_normals.h"
#include "frames/halves.h"
#include "frames/lane_range.h"
#include "frames/places.h"
#include "frames/row_difference.h"
#include "frames/texels.h"

// This file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "frames/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "frames/corner_normals-inl.h"
#include "frames/halves-inl.h"
#include "frames/lane_range-inl.h"
#include "frames/places-inl.h"
#include "frames/row_difference-inl.h"
#include "frames/texels-inl.h"

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(corner_normals_here);
HWY_EXPORT(round_to_halves_here);
HWY_EXPORT(widen_by_lanes_here);
HWY_EXPORT(store_places_here);
HWY_EXPORT(subtract_row_here);
HWY_EXPORT(make_texels_here);
HWY_EXPORT(put_png_texels_here);

}  // namespace

void corner_normals(const CornerNormalTask& task) {
  HWY_DYNAMIC_DISPATCH(corner_normals_here)(task);
}

float round_to_halves(const float* numbers, std::size_t count, std::uint16_t* halves) {
  return HWY_DYNAMIC_DISPATCH(round_to_halves_here)(numbers, count, halves);
}

void widen_by_lanes(const float* block, std::size_t count, float* low, float* high) {
  HWY_DYNAMIC_DISPATCH(widen_by_lanes_here)(block, count, low, high);
}

void store_places(const PlaceTask& task, PlaceRange& range) {
  HWY_DYNAMIC_DISPATCH(store_places_here)(task, range);
}

RowDifference subtract_row(const float* base, float* row, std::size_t vectors) {
  return HWY_DYNAMIC_DISPATCH(subtract_row_here)(base, row, vectors);
}

void make_texels(const TexelTask& task, std::size_t axis, float* texels) {
  HWY_DYNAMIC_DISPATCH(make_texels_here)(task, axis, texels);
}

void put_png_texels(const TexelTask& task, unsigned char* rows, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(put_png_texels_here)(task, rows, stride);
}

}  // namespace skinbake

#endif  // HWY_ONCE
