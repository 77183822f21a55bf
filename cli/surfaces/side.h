// One file of a comparison of surfaces: a rig with its clips, or a cache with its rig.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caches/passes/temporary_frames.h"
#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"
#include "surfaces/options.h"
#include "surfaces/passes.h"

namespace skinbake::cli {

// A clip of a side, and its frames.
struct SideClip {
  std::string id;              // empty: the rest pose, or unknown
  const Clip* clip = nullptr;  // null: the rest pose, or that of a cache
  FrameRange frames;
  bool has_rate = true;  // frames.fps is known
  bool is_exact = true;  // as in StatedFrames
};

struct SurfaceSide {
  std::string path, role;        // as on the command line; "a", "b"
  std::unique_ptr<Asset> asset;  // the file, or the rig of a cache
  std::vector<const Rig*> rigs;
  std::unique_ptr<CacheReader> cache;   // null: the side is a rig
  std::unique_ptr<FrameSource> turned;  // the cache in metres, +Y up, if it is not
  std::vector<SideClip> clips;
  Issues issues;  // of the cache

  bool has_no_clips() const { return !cache && clips.front().clip == nullptr; }
};

// Throws Error (kInput) that names the file and the node if a position at bind is not finite.
void require_finite_bind(const std::string& path, std::span<const Rig* const> rigs);

// Opens a rig, or a cache whose rig is `rig`. Throws Error and UsageError.
SurfaceSide open_surface_side(const SurfaceOptions& options, const std::string& path,
                              const std::string& rig, const std::string& role);

// The bake of a mesh of a side, without sinks.
BakePlan bake_plan(const SurfaceOptions& options, const Rig& rig, const SideClip& clip,
                   const FrameRange& frames);

// The frames of all meshes of a side in one clip.
class SideFrames {
 public:
  // Evaluates the first `frame_count` frames of a clip of a rig into temporary files.
  SideFrames(const SurfaceOptions& options, const SurfaceSide& side, const SideClip& clip,
             std::int64_t frame_count, Passes& passes);
  const FrameSource& source() const { return *joined_; }

 private:
  void evaluate(const SurfaceOptions& options, const SurfaceSide& side, const SideClip& clip,
                FrameRange frames, Passes& passes);

  std::vector<std::unique_ptr<TemporaryFrames>> temporary_;  // [mesh]
  std::unique_ptr<FrameSource> joined_;
};

}  // namespace skinbake::cli
