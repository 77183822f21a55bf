// --reference CACHE and `fit --target CACHE`: the frames of an earlier bake as the reference of
// errors.

#pragma once

#include <memory>
#include <string>

#include "options/file_kinds.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// What a command calls the cache. A command with targets has neither --frames nor --space.
enum class CacheRole { kReference, kTarget };

// The mesh and frames that are compared with the cache.
struct ReferenceUse {
  const Rig* rig;
  FrameRange frames;
  Space space;
  CacheRole role = CacheRole::kReference;
  const Clip* clip = nullptr;  // of a target: the clip that the cache must be baked from
};

// A cache with the vertex and frame counts of the run. It may also have the end of the clip between
// two frames, which is not compared. A sidecar, if there is one, has the same frame rate, frame
// numbers and space, and for a target the same clip; without a sidecar, a file that tells its times
// has the same rate and starts at the same time. Positions are converted to metres, +Y up. Reading
// a position that is not finite throws Error (kInput).
class ReferenceCache final : public FrameSource {
 public:
  // Throws Error (kInput, kNotComparable).
  ReferenceCache(const std::string& path, const ReferenceUse& use);

  const std::string& path() const { return cache_->path(); }
  const CacheReader& cache() const { return *cache_; }
  InputFile input() const;
  // Warns of a file beside the cache that is not its sidecar, and of a clip with another id than
  // `clip`, which may have been renamed. `rig_file`: the path of the rig's file. Throws Error
  // (kNotComparable) if the cache has several clips: its frames belong to other clips, too.
  Issues issues(const std::string& rig_file, const std::string& clip) const;

  std::int64_t frame_count() const override { return frames_.frame_count; }
  std::int64_t vertex_count() const override { return cache_->vertex_count(); }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override;

 private:
  std::unique_ptr<CacheReader> cache_;
  std::unique_ptr<FrameSource> turned_;  // null if the cache is in metres, +Y up
  FrameRange frames_;
  CacheRole role_;
};

}  // namespace skinbake::cli
