#include "metrics/shapes.h"

#include <cmath>
#include <memory>
#include <numbers>

#include "base/aligned_array.h"

namespace skinbake::test {

Rig chained(const Surface& surface, int joints, const Weights& weights) {
  auto skeleton = std::make_shared<Skeleton>();
  auto mesh = std::make_shared<Mesh>();
  for (const Vec3<double>& p : surface.points) {
    for (const double x : {p.x, p.y, p.z}) mesh->positions.push_back(static_cast<float>(x));
  }
  mesh->triangles = surface.triangles;
  mesh->primitives = {{0, mesh->vertex_count()}};
  Rig rig;
  rig.id = "surface";
  rig.skinned = true;
  for (int j = 0; j < joints; ++j) {
    Node node;
    node.parent = j - 1;
    skeleton->nodes.push_back(node);
    skeleton->order.push_back(j);
    rig.joints.push_back({j, kIdentity});
  }
  for (const auto& influences : weights) {
    rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
    rig.influences.insert(rig.influences.end(), influences.begin(), influences.end());
  }
  rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
  rig.node = 0;
  rig.skeleton = skeleton;
  rig.mesh = mesh;
  return rig;
}

Rig rigid(const Surface& surface) {
  return chained(surface, 1, Weights(surface.points.size(), {{0, 1.0}}));
}

Rig chained_on_z(const Surface& surface, const Weights& weights) {
  Rig rig = chained(surface, 2, weights);
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[1].translation = {0, 0, 2};
  rig.skeleton = skeleton;
  rig.joints[1].joint_from_model.translation = {0, 0, -2};
  return rig;
}

Surface tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

Surface cube(const Vec3<double>& low, double side) {
  Surface cube;
  for (int i = 0; i < 8; ++i) {
    cube.points.push_back(
        {low.x + side * (i & 1), low.y + side * (i >> 1 & 1), low.z + side * (i >> 2)});
  }
  cube.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return cube;
}

Surface open_cylinder(int segments, int rings, double radius, double height) {
  Surface tube;
  for (int r = 0; r < rings; ++r) {
    for (int s = 0; s < segments; ++s) {
      const double angle = 2 * std::numbers::pi * s / segments;
      tube.points.push_back(
          {radius * std::cos(angle), radius * std::sin(angle), height * r / (rings - 1)});
    }
  }
  const auto at = [&](int r, int s) {
    return static_cast<VertexIndex>(r * segments + s % segments);
  };
  for (int r = 0; r + 1 < rings; ++r) {
    for (int s = 0; s < segments; ++s) {
      tube.triangles.push_back({at(r, s), at(r, s + 1), at(r + 1, s + 1)});
      tube.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r + 1, s)});
    }
  }
  return tube;
}

Surface cylinder(int segments, int rings, double radius, double height) {
  Surface closed = open_cylinder(segments, rings, radius, height);
  const auto bottom = static_cast<VertexIndex>(closed.points.size()), top = bottom + 1;
  closed.points.push_back({0, 0, 0});
  closed.points.push_back({0, 0, height});
  for (int s = 0; s < segments; ++s) {
    const auto a = static_cast<VertexIndex>(s);
    const auto b = static_cast<VertexIndex>((s + 1) % segments);
    const auto last = static_cast<VertexIndex>((rings - 1) * segments);
    closed.triangles.push_back({bottom, b, a});
    closed.triangles.push_back({top, last + a, last + b});
  }
  return closed;
}

Surface mobius_strip(int segments) {
  Surface strip;
  for (int s = 0; s < segments; ++s) {
    const double angle = 2 * std::numbers::pi * s / segments;
    for (const double side : {-0.2, 0.2}) {
      const double radius = 1 + side * std::cos(angle / 2);
      strip.points.push_back(
          {radius * std::cos(angle), radius * std::sin(angle), side * std::sin(angle / 2)});
    }
  }
  const auto count = static_cast<VertexIndex>(2 * segments);
  for (VertexIndex i = 0; i < count; i += 2) {
    const bool last = i + 2 == count;
    const VertexIndex a = i, b = i + 1, c = last ? 1 : i + 2, d = last ? 0 : i + 3;
    strip.triangles.push_back({a, b, d});
    strip.triangles.push_back({a, d, c});
  }
  return strip;
}

Surface joined(const Surface& a, const Surface& b) {
  Surface both = a;
  both.points.insert(both.points.end(), b.points.begin(), b.points.end());
  const auto first = static_cast<VertexIndex>(a.points.size());
  for (const auto& [i, j, k] : b.triangles) {
    both.triangles.push_back({i + first, j + first, k + first});
  }
  return both;
}

namespace {

// [vertex][axis][frame]. Unused lanes repeat the last frame.
template <class T>
AlignedArray<T> lanes_of(const Motion& motion, std::size_t first_frame) {
  const std::size_t vertices = motion.front().size();
  AlignedArray<T> lanes(vertices * 3 * kFramesPerBlock + 1);
  for (std::size_t lane = 0; lane < kFramesPerBlock; ++lane) {
    const Points& points = motion[std::min(first_frame + lane, motion.size() - 1)];
    for (std::size_t v = 0; v < vertices; ++v) {
      const double p[3] = {points[v].x, points[v].y, points[v].z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        lanes[(v * 3 + axis) * kFramesPerBlock + lane] = static_cast<T>(p[axis]);
      }
    }
  }
  return lanes;
}

FrameBlock part_of(const FrameBlock& block, VertexRange vertices) {
  const std::size_t skipped = std::size_t{vertices.first} * 3 * kFramesPerBlock;
  FrameBlock tile = block;
  tile.vertices = vertices;
  tile.positions += skipped;
  if (tile.reference) tile.reference += skipped;
  if (tile.exact) tile.exact += skipped;
  return tile;
}

void consume_tiles(const FrameBlock& block, TileOrder order, FrameSink& sink, BlockState& state) {
  const VertexIndex size = order == TileOrder::kOneTile ? block.vertices.count : kVerticesPerTile;
  std::vector<VertexRange> tiles;
  for (VertexIndex first = 0; first < block.vertices.count; first += size) {
    tiles.push_back({first, std::min(size, block.vertices.count - first)});
  }
  if (order == TileOrder::kBackward) tiles = {tiles.rbegin(), tiles.rend()};
  for (const VertexRange& tile : tiles) sink.consume(part_of(block, tile), state);
}

}  // namespace

void run(const Feed& feed, FrameSink& sink) {
  const auto state = sink.new_state();
  for (std::size_t first = 0; first < feed.measured->size(); first += kFramesPerBlock) {
    const auto positions = lanes_of<float>(*feed.measured, first);
    AlignedArray<float> reference;
    AlignedArray<double> exact;
    FrameBlock block;
    block.index = static_cast<std::int64_t>(first / kFramesPerBlock);
    block.first_frame = static_cast<std::int64_t>(first);
    block.frame_count =
        static_cast<int>(std::min<std::size_t>(kFramesPerBlock, feed.measured->size() - first));
    block.vertices = {0, static_cast<VertexIndex>(feed.measured->front().size())};
    block.positions = positions.data();
    if (feed.reference && feed.exact) {
      block.exact = (exact = lanes_of<double>(*feed.reference, first)).data();
    } else if (feed.reference) {
      block.reference = (reference = lanes_of<float>(*feed.reference, first)).data();
    }
    consume_tiles(block, feed.order, sink, *state);
    sink.finish(block, *state);
    sink.merge(block, *state);
  }
  sink.end();
}

}  // namespace skinbake::test
