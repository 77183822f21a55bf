// Surfaces of known volume and topology, and a replacement for `bake`.

#pragma once

#include <array>
#include <vector>

#include "skinbake/frames.h"
#include "skinbake/metrics.h"
#include "skinbake/rig.h"

namespace skinbake::test {

using Points = std::vector<Vec3<double>>;
using Triangles = std::vector<std::array<VertexIndex, 3>>;
// [vertex] Its influences.
using Weights = std::vector<std::vector<Influence>>;

struct Surface {
  Points points;
  Triangles triangles;
};

// A rig with one joint at the origin that moves all vertices.
Rig rigid(const Surface& surface);

// A rig with a chain of joints at the origin: the parent of joint j is j - 1.
Rig chained(const Surface& surface, int joints, const Weights& weights);

// A rig with a chain of two joints on the z axis, at z = 0 and z = 2.
Rig chained_on_z(const Surface& surface, const Weights& weights);

Surface tetrahedron();                                   // volume 1/6
Surface cube(const Vec3<double>& low, double side = 1);  // volume side^3
// Around the z axis, from z = 0 to `height`. A lid is a fan around its centre.
Surface cylinder(int segments, int rings, double radius, double height);       // closed
Surface open_cylinder(int segments, int rings, double radius, double height);  // without lids
Surface mobius_strip(int segments);
Surface joined(const Surface& a, const Surface& b);  // the vertices of a, then those of b

// Positions [frame][vertex].
using Motion = std::vector<Points>;

enum class TileOrder { kForward, kBackward, kOneTile };

struct Feed {
  const Motion* measured = nullptr;
  const Motion* reference = nullptr;  // may be null
  bool exact = false;                 // pass the reference as FrameBlock::exact
  TileOrder order = TileOrder::kForward;
};

// Passes all frames to a sink as `bake` does: in blocks of 16 frames, in tiles, with `end`.
void run(const Feed& feed, FrameSink& sink);

}  // namespace skinbake::test
