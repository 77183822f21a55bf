#include "compare/surface/bind/surface_extent.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "math/scalar.h"

namespace skinbake {
namespace {

constexpr double kOtherSize = 2;  // a ratio of diagonals that a message names
// Files of one character in two units have boxes of one shape, and areas in the square of their
// ratio. Simplified surfaces lose some of both.
constexpr double kSameShape = 1.25, kSameArea = 2;
// Fewer triangles are those of one polygon, whose shape says nothing.
constexpr std::size_t kFewTriangles = 4;

std::string short_text(double value) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3).ptr;
  return {text, end};
}

std::string triangles_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " triangle" : " triangles");
}

bool are_within(double a, double b, double factor) {
  return a <= factor * b && b <= factor * a;
}

// Whether one surface may be the other in another unit.
bool have_one_shape(const SurfaceExtent& large, const SurfaceExtent& small) {
  const std::size_t fewer = std::min(large.triangles, small.triangles);
  if (fewer < kFewTriangles && large.triangles != small.triangles) return false;
  const double ratio = large.diagonal_m / small.diagonal_m;
  for (std::size_t i = 0; i < 3; ++i) {
    // Of a thin surface, the shortest edge may be rounding.
    const double a = large.edges[i], b = small.edges[i] * ratio;
    const bool is_thin = std::max(a, b) < 0.01 * large.diagonal_m;
    if (!is_thin && !are_within(a, b, kSameShape)) return false;
  }
  return are_within(large.area_m2, small.area_m2 * ratio * ratio, kSameArea);
}

std::string units_text(const SurfaceExtent& large, const std::string& large_name,
                       const SurfaceExtent& small, const std::string& small_name) {
  return "; " + large_name + " is " + short_text(large.diagonal_m / small.diagonal_m) +
         " times as large as " + small_name + " (diagonals of " + short_text(large.diagonal_m) +
         " m and " + short_text(small.diagonal_m) +
         " m): if the files have other units, scale one of them first";
}

std::string coverage_text(const SurfaceExtent& large, const std::string& large_name,
                          const SurfaceExtent& small, const std::string& small_name,
                          bool has_several_meshes) {
  const auto percent = [](double part, double whole) {
    return short_text(whole > 0 ? part / whole * 100 : 0) + " %";
  };
  return "; " + small_name + " has " + triangles_text(small.triangles) + ", " +
         percent(small.area_m2, large.area_m2) + " of the area and " +
         percent(small.diagonal_m, large.diagonal_m) + " of the diagonal of " + large_name +
         ", which has " + triangles_text(large.triangles) +
         ": it is a part of that surface, or another one" +
         (has_several_meshes ? "; choose the same meshes" : "");
}

}  // namespace

double surface_area(const BindSurface& surface) {
  double area_m2 = 0;
  for (const auto& t : surface.triangles) {
    const Vec3<double>& a = surface.positions[t[0]];
    area_m2 += norm(cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a)) / 2;
  }
  return area_m2;
}

SurfaceExtent extent_of(const BindSurface& surface) {
  SurfaceExtent extent;
  extent.triangles = surface.triangles.size();
  Vec3<double> low = surface.positions[surface.triangles.front()[0]], high = low;
  for (const auto& t : surface.triangles) {
    for (const VertexIndex v : t) {
      const Vec3<double>& p = surface.positions[v];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  extent.area_m2 = surface_area(surface);
  extent.diagonal_m = norm(high - low);
  extent.edges = {high.x - low.x, high.y - low.y, high.z - low.z};
  std::sort(extent.edges.begin(), extent.edges.end(), std::greater<>());
  return extent;
}

std::string cause_text(const std::array<SurfaceExtent, 2>& extents,
                       const std::array<std::string, 2>& names, bool has_several_meshes) {
  const auto &a = extents[0], &b = extents[1];
  const bool have_one_size = are_within(a.diagonal_m, b.diagonal_m, kOtherSize);
  if (have_one_size && are_within(a.area_m2, b.area_m2, kSameArea)) return "";
  const bool b_is_large = have_one_size ? b.area_m2 > a.area_m2 : b.diagonal_m > a.diagonal_m;
  const std::size_t l = b_is_large ? 1 : 0, s = 1 - l;
  const SurfaceExtent &large = extents[l], &small = extents[s];
  if (!(small.diagonal_m > 0)) return "; all points of " + names[s] + " are one";
  const bool may_be_units = !have_one_size && have_one_shape(large, small);
  return may_be_units ? units_text(large, names[l], small, names[s])
                      : coverage_text(large, names[l], small, names[s], has_several_meshes);
}

}  // namespace skinbake
