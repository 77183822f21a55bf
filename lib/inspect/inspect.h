// The contents of an asset and its issues, as text and as JSON.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/topology/cracks.h"
#include "skinbake/caches.h"
#include "skinbake/gltf.h"

namespace skinbake {

// The rate at which inspections count the frames of clips, unless another one is given.
inline constexpr double kInspectionFps = 30;

// The widest crack of a mesh in all clips, or at rest without clips.
struct ClipCrack {
  Crack crack;
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
};
using MeshCracks = std::map<const Rig*, ClipCrack>;

// The meshes of the asset in which a crack opens. Throws Error (kInput) for positions that are not
// finite numbers.
MeshCracks widest_cracks(const Asset& asset, double fps = kInspectionFps);

// Text for people: aligned columns, one line per mesh and clip, the first few issues of each code.
// Precondition of both forms: fps is finite and above 0.
std::string inspect_text(const Asset& asset, double fps = kInspectionFps);

// JSON for programs: schema "skinbake.inspection", version 1.0, keys in a fixed order, every issue.
// `cache`: the same file as a cache, if it is a baked GLB; it becomes a section. Else null.
// `cracks`: as widest_cracks finds them.
std::string inspect_json(const Asset& asset, const MeshCracks& cracks, double fps = kInspectionFps,
                         const CacheReader* cache = nullptr);

// The warning SEAM_OPENS of each crack. The issues do not name a file.
Issues crack_issues(const MeshCracks& cracks);

// The frames, the rate, the vertices and the bounds of a cache: as text without the name of the
// file, and as JSON of the same schema. Both read every frame. Throw Error (kInput).
std::string cache_text(const CacheReader& cache);
std::string cache_json(const CacheReader& cache);

// The JSON of a file that load_asset refused: "refused" gives the cause; the other sections are
// absent. `shown_as`: the file's name in the JSON.
std::string refusal_json(const Error& error, const std::string& shown_as);

// A pose of a clip in the form of the file that load_poses reads: a list of one pose, for any human
// body. Throws Error (kInput) as range_of_motion does.
std::string pose_json(const Asset& asset, const Clip& clip, double time_s,
                      const TPoseChoice& t_pose = {});

// The muscles that leave their range in frames of a clip: as text, and as JSON with the frames.
// Throws Error (kInput) as range_of_motion does.
std::string limits_text(const Asset& asset, const Clip& clip, const FrameRange& frames,
                        const HumanClipOptions& options = {});
std::string limits_json(const Asset& asset, const Clip& clip, const FrameRange& frames,
                        const HumanClipOptions& options = {});

// The JSON Schema (2020-12) of inspect_json and refusal_json.
std::string_view inspect_schema();

// The codes of issues that are warnings.
std::vector<std::string> warning_codes();

// The issues of one code.
struct IssueGroup {
  std::string_view code;
  Severity severity = Severity::kWarning;
  std::string_view remedy;           // "": the code is not in the table of issues
  std::vector<const Issue*> issues;  // in the order of the input
  std::int64_t count = 0;            // the sum of the issues' counts
};

// The number of issues of one code that texts for people list; the others are counted.
inline constexpr std::size_t kPlacesShown = 3;

// The groups, in the order of each code's first issue. The groups point into `issues`.
std::vector<IssueGroup> grouped(const Issues& issues);

}  // namespace skinbake
