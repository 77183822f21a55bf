// --reference CACHE: frames that were baked before, as the truth.

#pragma once

#include <memory>
#include <string>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// Whether --reference names a cache, by its extension: "golden.{clip}.pc2".
bool names_cache(const std::string& reference);

// What a cache is compared with.
struct ReferenceUse {
  const Rig* rig;
  FrameRange frames;
  Space space;
};

// A cache whose numbers of vertices and frames are those wanted, and whose sidecar, if there is
// one, says nothing against it; in metres and y up, whatever it was written with. Its frames are
// finite, or reading them throws Error (kInput).
class ReferenceCache final : public FrameSource {
 public:
  // Throws Error (kInput, kNotComparable).
  ReferenceCache(const std::string& path, const ReferenceUse& use);

  const std::string& path() const { return cache_->path(); }
  const CacheReader& cache() const { return *cache_; }
  InputFile input() const;

  std::int64_t frame_count() const override { return cache_->frame_count(); }
  std::int64_t vertex_count() const override { return cache_->vertex_count(); }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override;

 private:
  std::unique_ptr<CacheReader> cache_;
  std::unique_ptr<FrameSource> turned_;  // of the cache, if its axes are not ours
  FrameRange frames_;
};

}  // namespace skinbake::cli
