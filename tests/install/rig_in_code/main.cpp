// Builds a rig in code, bakes it into an array and reads positions. The rig has two joints and a
// ring of four vertices at the height of each. The upper joint turns by 60 degrees about y.

#include <skinbake/bake.h>
#include <skinbake/rig.h>

#include <cstdio>

using namespace skinbake;

int main() {
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->nodes = {{"lower"}, {"upper", 0}, {"tube"}};
  skeleton->nodes[1].translation = {0, 1, 0};
  skeleton->order = {0, 1, 2};
  auto mesh = std::make_shared<Mesh>();
  mesh->positions = {1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, -1, 1, 1, 0, 0, 1, 1, -1, 1, 0, 0, 1, -1};
  mesh->primitives = {{0, 8}};
  for (VertexIndex v = 0; v < 4; ++v) {
    const VertexIndex w = (v + 1) % 4;
    mesh->triangles.push_back({v, v + 4, w});
    mesh->triangles.push_back({w, v + 4, w + 4});
  }
  Rig rig{.id = "tube", .node = 2, .skinned = true, .skeleton = skeleton, .mesh = mesh};
  rig.joints = {{0}, {1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}}}};
  rig.first_influence = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  rig.influences = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
  validate(rig);

  Clip clip{.id = "turn", .duration_s = 1};
  using Numbers = const std::vector<double>;
  clip.channels = {{1, ChannelPath::kRotation, Interpolation::kLinear, 4, 0,
                    std::make_shared<Numbers>(Numbers{0, 1}),
                    std::make_shared<Numbers>(Numbers{0, 0, 0, 1, 0, 0.5, 0, 0.8660254037844386})}};
  const BakedArray baked = bake_to_array({rig, &clip, parse_method("dqs"), frames_of(clip, 30)});
  const float* p = baked.at(30, 4);
  std::printf("%lld x %lld: %.3f %.3f %.3f\n", static_cast<long long>(baked.frame_count),
              static_cast<long long>(baked.vertex_count), p[0], p[1], p[2]);
}
