// What `inspect` says of an asset, counted once for its text and its JSON.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "skinbake/gltf.h"

namespace skinbake {

// Engines limit influences to these numbers.
inline constexpr std::array<std::size_t, 4> kInfluenceLimits{1, 2, 4, 8};

struct InfluenceCounts {
  std::size_t max = 0;
  std::array<std::int64_t, kInfluenceLimits.size()> over{};  // vertices with more than the limit
};
InfluenceCounts count_influences(const Rig& rig);

// Engines' bone maps hold at most so many joints.
inline constexpr std::array<std::size_t, 2> kBoneMapLimits{75, 256};

// Sections that an engine would cut the mesh into, for each limit; none: some triangle alone has
// more joints than the limit.
using SectionCounts = std::array<std::optional<std::int64_t>, kBoneMapLimits.size()>;
SectionCounts count_sections(const Rig& rig);

// The surface in the bind pose, welded. Zeros without triangles.
struct SurfaceCounts {
  std::int64_t components = 0;
  std::int64_t boundary_edges = 0;
  std::int64_t nonmanifold_edges = 0;
  std::int64_t degenerate_triangles = 0;
  bool closed = false;
};
SurfaceCounts count_surface(const Rig& rig);

struct Totals {
  std::int64_t meshes = 0, primitives = 0, vertices = 0, triangles = 0;
};
Totals totals_of(const Asset& asset);

// Keys of all channels; a time that several channels share counts once for each.
std::int64_t key_count(const Clip& clip);
double first_key_s(const Clip& clip);

std::string_view remedy_of(const Issue& issue);

}  // namespace skinbake
