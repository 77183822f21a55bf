// A side of a comparison of surfaces, and the passes over its frames.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caches/temporary_frames.h"
#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"
#include "surfaces/options.h"
#include "terminal/progress.h"

namespace skinbake::cli {

// ---- The progress of a comparison of surfaces, which reads the frames of all clips several times.

// Passes over frames that one bar shows: a bar for each pass would end before it is drawn.
class Passes {
 public:
  Passes(std::int64_t total_frames, When when) : progress_(total_frames, when) {}

  // Begins a pass over so many frames. `what` is shown beside the bar.
  void begin(const std::string& what, std::int64_t frames) {
    before_ += frames_;
    frames_ = frames;
    progress_.begin(what);
  }
  void update(std::int64_t frames_done) { progress_.update(before_ + frames_done); }
  void prepare(std::string_view method, double part) { progress_.prepare(method, part); }
  std::function<void(std::int64_t)> updates() {
    return [this](std::int64_t frames_done) { update(frames_done); };
  }

 private:
  Progress progress_;
  std::int64_t before_ = 0, frames_ = 0;  // of earlier passes, and of this one
};

// ---- One file of a comparison of surfaces: a rig with its clips, or a cache with its rig.

// A clip of a side, and its frames.
struct SideClip {
  std::string id;              // empty: the rest pose, or unknown
  const Clip* clip = nullptr;  // null: the rest pose, or the clip of a cache
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

// Opens a rig, without the frames of its clips, or a cache whose rig is `rig`. Throws Error and
// UsageError.
SurfaceSide open_surface_side(const SurfaceOptions& options, const std::string& path,
                              const std::string& rig, const std::string& role);

// The bake of a mesh of a side, without sinks.
BakePlan bake_plan(const SurfaceOptions& options, const Rig& rig, const SideClip& clip,
                   const FrameRange& frames);

// The frames of all meshes of a side in one clip.
class SideFrames {
 public:
  // Evaluates frames of a clip of a rig into temporary files; of a cache, takes the first ones.
  SideFrames(const SurfaceOptions& options, const SurfaceSide& side, const SideClip& clip,
             const FrameRange& frames, Passes& passes);
  const FrameSource& source() const { return *joined_; }

 private:
  void evaluate(const SurfaceOptions& options, const SurfaceSide& side, const SideClip& clip,
                const FrameRange& frames, Passes& passes);

  std::vector<std::unique_ptr<TemporaryFrames>> temporary_;  // [mesh]
  std::unique_ptr<FrameSource> joined_;
};

}  // namespace skinbake::cli
