// The counts that both forms of an inspection show.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/print.h"
#include "skinbake/caches.h"
#include "skinbake/gltf.h"

namespace skinbake {

// Usual limits of engines on the influences of a vertex.
inline constexpr std::array<std::size_t, 4> kInfluenceLimits{1, 2, 4, 8};

struct InfluenceCounts {
  std::size_t max = 0;
  std::array<std::int64_t, kInfluenceLimits.size()>
      over{};  // vertices with more influences than the limit
};
InfluenceCounts count_influences(const Rig& rig);

// Usual limits of engines on the joints of a draw section.
inline constexpr std::array<std::size_t, 2> kDrawSectionJointLimits{75, 256};

// The number of draw sections that each limit divides the mesh into; none: a single triangle has
// more joints than the limit.
using SectionCounts = std::array<std::optional<std::int64_t>, kDrawSectionJointLimits.size()>;
SectionCounts count_sections(const Rig& rig);

// The methods whose defaults follow the mesh, as they are evaluated on it: "dm:iterations=4". Empty
// for a rigid mesh.
std::vector<std::string> methods_on(const Rig& rig);

// The welded surface in the bind pose; zeros without triangles.
struct SurfaceCounts {
  std::int64_t components = 0;
  std::int64_t boundary_edges = 0;
  std::int64_t nonmanifold_edges = 0;
  std::int64_t degenerate_triangles = 0;
  std::int64_t cracked_positions = 0;
  bool closed = false;
};
SurfaceCounts count_surface(const Rig& rig);

struct Totals {
  std::int64_t meshes = 0, primitives = 0, vertices = 0, triangles = 0;
};
Totals totals_of(const Asset& asset);

// The farthest that a mesh moves from the first pose of the clip to its last; none: no mesh.
std::optional<PoseGap> loop_gap_of(const Asset& asset, const Clip& clip);

// A bone of the asset's humanoid map.
struct HumanoidRow {
  HumanoidBone bone;
  std::optional<double> degrees_off;  // from its direction in the T-pose, which not every bone has
  double tolerance_deg = 0;
};

struct HumanoidSummary {
  std::string source;
  std::vector<HumanoidRow> rows;     // parents before children; unknown bones last
  std::vector<std::string> missing;  // required bones
  bool is_posed = false;             // whether the rest pose determines a T-pose, and what follows
  double hips_height_m = 0;          // above the ground
  std::string facing;                // the axis of the scene that is nearest to forward: "+Z"
};
// Precondition: the asset has a humanoid map.
HumanoidSummary summarise_humanoid(const Asset& asset);

// The number of keys of all channels.
std::int64_t key_count(const Clip& clip);
double first_key_s(const Clip& clip);
// The number of frames of the whole clip; none: more than frames_of() allows.
std::optional<std::int64_t> frame_count(const Clip& clip, double fps);

// The section "cache" of the JSON.
OrderedJson cache_section(const CacheReader& cache);

std::string_view remedy_of(const std::string& code);

}  // namespace skinbake
