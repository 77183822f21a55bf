// Caches of successive frames of one clip, as one source of frames.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "skinbake/caches.h"

namespace skinbake {

class JoinedCache : public FrameSource {
 public:
  // The header of a cache of all frames, with the provenance that the parts share.
  virtual const CacheHeader& header() const = 0;
  virtual std::string_view format() const = 0;  // id
};

// The provenance of a cache, which it reads once to verify its sidecar. Throws Error (kInput,
// PART_INVALID) if the sidecar is missing or damaged, or if the cache does not have its hash.
CacheProvenance verified_provenance(const CacheReader& cache);

// Opens the parts, in any order. `whole`: the frames that all parts have together, at any rate;
// none: those of the clip, whose length the sidecars must state unless one part is all. Throws
// Error (kInput): PART_INVALID if a part has no verified_provenance(), or a format other than PC2,
// MDD or NPY; PARTS_DIFFER unless all are of one mesh, rig, method, clip and rate; PARTS_INCOMPLETE
// if they overlap, leave a gap, or do not have the first or the last frame of a whole that is
// known; MEMORY_LIMIT if a part or its sidecar needs more than `max_memory` bytes. `read` throws
// NON_FINITE_POSITION. Precondition: there is a path.
std::unique_ptr<JoinedCache> join_caches(const std::vector<std::string>& paths,
                                         const std::optional<FrameRange>& whole,
                                         std::uint64_t max_memory);

}  // namespace skinbake
