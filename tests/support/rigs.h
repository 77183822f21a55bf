// Rigs and clips built in code, as large as a test or a benchmark wants them.

#pragma once

#include <cstdint>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::test {

// A capped tube around the y axis: `rings` circles of `segments` vertices and two centres, with
// `joints` joints in a chain from bottom to top. Each vertex is moved by its `influences` nearest
// joints, the nearer the more.
struct TubeShape {
  int rings = 9;
  int segments = 12;
  int joints = 2;
  int influences = 2;
  double radius = 0.5;
  double height = 2;
  Vec3<double> origin{0, 0, 0};  // where the bottom's centre is modelled
};
Rig tube(const TubeShape& shape);

// Every joint but the first turns about `axis` by 0 … `angle` (radians) in `duration_s`, in equal
// parts, so that the last joint turns by `angle` against the first. Two keys are exact below pi.
Clip turning_clip(const Rig& rig, const Vec3<double>& axis, double angle, double duration_s = 1);

// A rig of loose vertices: positions, one joint per node, given influences. Normalises nothing.
Rig loose(const std::vector<Vec3<double>>& points, const std::vector<Node>& nodes,
          const std::vector<std::vector<Influence>>& influences);

// Triangles that close a surface over the vertices of a mesh, whatever their places: six at each,
// as on a torus. At least seven vertices.
void close_surface(Mesh& mesh);

// A channel from plain numbers.
Channel channel(NodeIndex node, ChannelPath path, Interpolation interpolation,
                std::vector<double> times, std::vector<double> values, int width);

}  // namespace skinbake::test
