// Two rigs with the pairs of their points, and how far the points are apart.

#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "compare/surface/placement.h"
#include "compare/surface/surfaces.h"
#include "skinbake/bake.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "support/frames.h"
#include "support/near.h"
#include "support/rigs.h"

namespace skinbake::test {

inline PlacedSurfaces placed_of(const Rig& a, const Rig& b) {
  const Rig* pa = &a;
  const Rig* pb = &b;
  return placed_surfaces({&pa, 1}, {&pb, 1});
}
inline BindSurfaces surfaces_of(const Rig& a, const Rig& b) {
  return placed_of(a, b).surfaces;
}

struct Pair {
  Rig a, b;
  BindSurfaces surfaces;
  std::optional<OtherPlacement> placement;
  MatchedSurfaces matched;

  Pair(Rig first, Rig second, Match match, MatchPlan plan = {.sampling = 0.02})
      : a(std::move(first)), b(std::move(second)) {
    PlacedSurfaces placed = placed_of(a, b);
    surfaces = std::move(placed.surfaces);
    placement = std::move(placed.placement);
    plan.match = match;
    matched = match_surfaces(surfaces, plan);
  }

  // The largest distance in the bind pose, in both directions.
  double at_rest() const {
    double worst = bind_distance(matched.a_to_b, surfaces.a, surfaces.b).max;
    if (matched.b_to_a) {
      worst = std::max(worst, bind_distance(*matched.b_to_a, surfaces.b, surfaces.a).max);
    }
    return worst;
  }

  // The largest distance in any frame, in both directions.
  double in_motion(const Clip& a_clip, const Clip& b_clip) const {
    const MemoryFrames fa = frames_of_rig(a, a_clip), fb = frames_of_rig(b, b_clip);
    double worst = largest(matched.a_to_b, fa, fb);
    if (matched.b_to_a) worst = std::max(worst, largest(*matched.b_to_a, fb, fa));
    return worst;
  }
  double in_motion(const Clip& clip) const { return in_motion(clip, clip); }

 private:
  static MemoryFrames frames_of_rig(const Rig& rig, const Clip& clip) {
    const BakedArray baked = bake_to_array({rig, &clip, parse_method("lbs"), frames_of(clip, 10)});
    return {baked.vertex_count, baked.positions};
  }
  static double largest(const PointPairs& pairs, const FrameSource& of, const FrameSource& other) {
    return largest_distance(positions_of(*frames_of_points(of, pairs.points)),
                            positions_of(*frames_of_points(other, pairs.partners)));
  }
};

inline Rig bent_tube() {
  return tube({.rings = 20, .segments = 16, .joints = 3});
}
inline Clip bend(const Rig& rig) {
  return turning_clip(rig, {0, 0, 1}, 1.5);
}

// The message of the refusal to match two surfaces; empty: they match.
inline std::string message_of(const BindSurfaces& surfaces, Match match) {
  try {
    match_surfaces(surfaces, {.match = match});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kNotComparable);
    return error.what();
  }
  return "";
}

}  // namespace skinbake::test
