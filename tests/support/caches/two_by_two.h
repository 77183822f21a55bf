// The smallest cache with motion: two vertices, two frames.

#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"
#include "support/capture.h"
#include "support/rigs.h"

namespace skinbake::test {

// A rig of two vertices and one joint, which moves by (0, 0, 8) from frame 0 to frame 1.
struct TwoByTwo {
  Rig rig = loose({{1, 2, 3}, {-1, 0, 0.5}}, {Node{}}, {{{0, 1}}, {{0, 1}}});
  Clip clip;

  TwoByTwo() {
    clip.id = "lift";
    clip.channels = {channel(0, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1.0 / 30},
                             {0, 0, 0, 0, 0, 8}, 3)};
  }
  CacheHeader header(std::int64_t frames) const {
    CacheHeader h;
    h.rig = &rig;
    h.clip = clip.id;
    h.frames = {30, 0, 1, frames};
    h.method = "lbs";
    return h;
  }
};

inline std::unique_ptr<CacheWriter> open_writer(const std::string& path,
                                                const CacheHeader& header) {
  return cache_format_of(path).open(path, header);
}

inline void bake_into(CacheWriter& writer, BakePlan plan) {
  plan.runs = {{parse_method("lbs"), {&writer}}};
  bake(plan);
}

// Writes the cache of TwoByTwo to the path.
inline void write_two_by_two(const std::string& path, const CacheAxes& axes = {},
                             const CacheOptions& options = {}) {
  const TwoByTwo two;
  CacheHeader header = two.header(2);
  header.axes = axes;
  header.options = options;
  const auto writer = open_writer(path, header);
  bake_into(*writer, plan_of(two.rig, &two.clip, 2));
  writer->commit();
}

}  // namespace skinbake::test
