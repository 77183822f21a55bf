// Surfaces whose volume and topology are known, and frames to measure them in.

#pragma once

#include <array>
#include <vector>

#include "skinbake/frames.h"
#include "skinbake/metrics.h"
#include "skinbake/rig.h"

namespace skinbake::test {

using Points = std::vector<Vec3<double>>;
using Triangles = std::vector<std::array<VertexIndex, 3>>;
// Influences of a vertex: joint and weight.
using Weights = std::vector<std::vector<Influence>>;

struct Surface {
  Points points;
  Triangles triangles;
};

// A rig with one joint at the origin that moves everything.
Rig rigid(const Surface& surface);

// A rig whose joints, at the origin, are a chain: joint j's parent is j - 1.
Rig chained(const Surface& surface, int joints, const Weights& weights);

Surface tetrahedron();                                   // volume 1/6
Surface cube(const Vec3<double>& low, double side = 1);  // volume side^3
// Around the z axis, from z = 0 to `height`; lids are single polygons fanned from a centre.
Surface cylinder(int segments, int rings, double radius, double height);       // closed
Surface open_cylinder(int segments, int rings, double radius, double height);  // without lids
Surface mobius_strip(int segments);
Surface joined(const Surface& a, const Surface& b);  // two components, b's vertices after a's

// Positions [frame][vertex].
using Motion = std::vector<Points>;

enum class TileOrder { kForward, kBackward, kOneTile };

struct Feed {
  const Motion* measured = nullptr;
  const Motion* reference = nullptr;  // or null
  bool exact = false;                 // the reference as doubles
  TileOrder order = TileOrder::kForward;
};

// Plays the part of `bake`: blocks of 16 frames, in tiles, to the end.
void run(const Feed& feed, FrameSink& sink);

}  // namespace skinbake::test
