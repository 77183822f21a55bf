// A side of a comparison of frames: a cache, or a rig that is evaluated.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "caches/temporary_frames.h"
#include "diff/options.h"
#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// A file with one selected mesh and clip.
struct ChosenRig {
  std::shared_ptr<Asset> asset;
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
};

// Loads a file and selects its mesh and, if `with_clip`, its clip, without frames. `role`: the
// file's role in the report. Throws Error that lists the meshes or clips if the selection is
// ambiguous.
ChosenRig choose_rig(const DiffOptions& options, const std::string& path, const std::string& role,
                     bool with_clip);

struct DiffSide {
  std::string path;  // as on the command line
  std::string role;  // "a", "b"
  std::unique_ptr<CacheReader> cache;
  std::unique_ptr<FrameSource> turned;         // the cache in metres, +Y up, if it is not
  std::optional<ChosenRig> rig;                // set if `cache` is null
  std::unique_ptr<TemporaryFrames> temporary;  // the frames of the rig, set by evaluate()

  FrameCounts counts() const;
  FrameRange frames() const { return rig ? rig->frames : cache->frames(); }
  // The frames by the numbers that the file or, for a NumPy file, its sidecar gives them, whose
  // hash is checked only if `is_verified`; none: no number is known.
  std::optional<FrameRange> numbered_frames(bool is_verified) const;
  const FrameSource& source() const;
};

// Opens the cache or loads the rig. It does not evaluate frames.
DiffSide open_side(const DiffOptions& options, const std::string& path, const std::string& role);

// The bake of a rig, without sinks.
BakePlan bake_plan(const DiffOptions& options, const ChosenRig& rig);

// Evaluates a rig into a temporary file. Does nothing for a cache.
void evaluate(const DiffOptions& options, DiffSide& side);

// A warning for each of: different frame numbers, frame rates or spaces; and, if a side is a cache,
// other clips.
Issues unlike_frames(const DiffOptions& options, const DiffSide& a, const DiffSide& b);

// Throws Error (kNotComparable) if --fail has a limit and there is one of these warnings, unless it
// is about a name or --allow names it: a limit must not pass on frames that do not correspond.
void require_like_frames(const DiffOptions& options, const DiffSide& a, const DiffSide& b);

}  // namespace skinbake::cli
