#include "caches/vat/layout.h"

#include <algorithm>

#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::int64_t kMaxUnrealWidth = 4096;
constexpr std::int64_t kMinOpenVatSide = 64;
constexpr std::int64_t kMaxSide = 8192;  // common limit of graphics cards

std::int64_t divided_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

// The next power of two, from kMinOpenVatSide on. Sizes above kMaxSide give 2 kMaxSide.
std::int64_t power_of_two(std::int64_t size) {
  std::int64_t power = kMinOpenVatSide;
  while (power < size && power <= kMaxSide) power *= 2;
  return power;
}

void set_strips(VatLayout& layout, std::int64_t width) {
  layout.width = width;
  layout.strips = divided_up(layout.vertices, width);
}

// Whether the rows fit. Counts are unchecked: their product may overflow.
bool fits(const VatLayout& layout) {
  return layout.strips <= kMaxSide && layout.frames <= kMaxSide / layout.strips;
}

bool choose_unreal(VatLayout& layout) {
  const std::int64_t strips = divided_up(layout.vertices, kMaxUnrealWidth);
  set_strips(layout, divided_up(layout.vertices, strips));
  if (!fits(layout)) return false;
  layout.height = layout.frames * layout.strips;
  return true;
}

bool choose_openvat(VatLayout& layout) {
  VatLayout best;
  std::int64_t best_cost = 0;
  for (std::int64_t width = kMinOpenVatSide; width <= kMaxSide; width *= 2) {
    VatLayout tried = layout;
    set_strips(tried, width);
    if (!fits(tried)) continue;
    tried.height = power_of_two(tried.frames * tried.strips);
    const bool is_narrow = tried.height > 2 * width || width > 2 * tried.height;
    const std::int64_t cost = width * tried.height + (is_narrow ? kMaxSide * kMaxSide : 0);
    if (best.width != 0 && cost >= best_cost) continue;
    best = tried;
    best_cost = cost;
  }
  if (best.width == 0) return false;
  layout = best;
  return true;
}

}  // namespace

VatLayout::Row VatLayout::row(std::int64_t y) const {
  const bool by_frame = kind == VatOptions::Layout::kUnreal;
  const std::int64_t strip = by_frame ? y % strips : y / frames;
  if (strip >= strips) return {};
  const std::int64_t first = strip * width;
  return {by_frame ? y / strips : y % frames, first, std::min(width, vertices - first)};
}

std::array<float, 2> VatLayout::texcoord(std::int64_t vertex) const {
  const std::int64_t strip = vertex / width;
  const std::int64_t y = kind == VatOptions::Layout::kUnreal ? strip : strip * frames;
  const auto centre = [](std::int64_t texel, std::int64_t size) {
    return static_cast<float>((static_cast<double>(texel) + 0.5) / static_cast<double>(size));
  };
  return {centre(vertex % width, width), centre(y, height)};
}

VatLayout plan_vat(const std::string& path, VatOptions::Layout kind, std::int64_t vertices,
                   std::int64_t frames) {
  VatLayout layout;
  layout.kind = kind;
  layout.vertices = vertices;
  layout.frames = frames;
  const bool found =
      kind == VatOptions::Layout::kUnreal ? choose_unreal(layout) : choose_openvat(layout);
  if (!found) {
    throw Error(
        "CACHE_TOO_LARGE",
        std::to_string(frames) + " frames of " + std::to_string(vertices) +
            " vertices; a vertex animation texture has at most 8192 rows of " +
            std::to_string(kind == VatOptions::Layout::kUnreal ? kMaxUnrealWidth : kMaxSide) +
            " texels",
        {path, ""});
  }
  return layout;
}

}  // namespace skinbake
