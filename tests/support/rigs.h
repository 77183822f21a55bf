// Rigs and clips of any size, built in code for tests and benchmarks.

#pragma once

#include <cstdint>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::test {

// A capped tube around the y axis: `rings` circles of `segments` vertices, and a centre for each
// cap. A chain of `joints` joints leads from bottom to top. Each vertex has the `influences`
// nearest joints; the weight of a joint decreases with its distance.
struct TubeShape {
  int rings = 9;
  int segments = 12;
  int joints = 2;
  int influences = 2;
  double radius = 0.5;
  double height = 2;
  Vec3<double> origin{0, 0, 0};  // position of the bottom's centre
};
Rig tube(const TubeShape& shape);

// A tube of more than two tiles. The last tile is not full.
Rig tube_of_many_tiles();

// A clip in which every joint except the first turns about `axis` by an equal part of `angle`
// (radians). After `duration_s` the last joint has turned by `angle` relative to the first. The
// clip has two keys, which are exact for angles below pi.
Clip turning_clip(const Rig& rig, const Vec3<double>& axis, double angle, double duration_s = 1);

// A rig of vertices without triangles. Each node is a joint. Weights are not normalised.
Rig loose(const std::vector<Vec3<double>>& points, const std::vector<Node>& nodes,
          const std::vector<std::vector<Influence>>& influences);

// Adds triangles that form a closed surface of the vertices, with the topology of a torus: six
// triangles meet at each vertex. The mesh must have at least seven vertices.
void close_surface(Mesh& mesh);

// A channel of the given keys.
Channel channel(NodeIndex node, ChannelPath path, Interpolation interpolation,
                std::vector<double> times, std::vector<double> values, int width);

}  // namespace skinbake::test
