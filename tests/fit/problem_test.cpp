#include "fit/problem.h"

#include <doctest/doctest.h>

#include <memory>

#include "math/scalar.h"
#include "skinbake/bake.h"
#include "support/near.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::distance;

// A tube with a morph target, whose weight a clip moves.
struct MorphedTube {
  Rig rig = test::tube({});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 1.2);

  MorphedTube() {
    auto mesh = std::make_shared<Mesh>(*rig.mesh);
    MorphTarget target;
    for (std::size_t i = 0; i < mesh->positions.size(); ++i) {
      target.positions.push_back(0.125f * static_cast<float>(i % 5));
    }
    mesh->morph_targets = {target, MorphTarget{}};
    rig.mesh = mesh;
    rig.morph_weights = {0.5, 0};
    clip.channels.push_back(test::channel(rig.node, ChannelPath::kWeights, Interpolation::kLinear,
                                          {0, 1}, {0, 0, 1, 0}, 2));
  }
};

}  // namespace

TEST_CASE("fit: linear maps of morphed rest positions are linear blending") {
  const MorphedTube tube;
  fit::Problem problem{&tube.rig, 1, {}};
  problem.clips.push_back(fit::sample_clip(tube.rig, &tube.clip, {10, 0, 2, 6}));
  const fit::ClipFrames& clip = problem.clips.front();
  REQUIRE(problem.frame_count() == 6);
  for (std::size_t f = 0; f < clip.frame_count(); ++f) {
    const std::vector<double> expected =
        pose_positions(tube.rig, {&tube.clip, 0.2 * static_cast<double>(f)}, parse_method("lbs"));
    for (VertexIndex v = 0; v < problem.vertex_count(); ++v) {
      const double* e = expected.data() + std::size_t{v} * 3;
      const Vec3<double> linear =
          problem.linear_map(clip, f, v) * problem.rest_position(clip, f, v);
      REQUIRE(distance(linear, {e[0], e[1], e[2]}) < 1e-12);
    }
  }
}

TEST_CASE("fit: frames of several clips are counted together") {
  const MorphedTube tube;
  fit::Problem problem{&tube.rig, 1, {}};
  problem.clips.push_back(fit::sample_clip(tube.rig, &tube.clip, {10, 0, 1, 4}));
  problem.clips.push_back(fit::sample_clip(tube.rig, nullptr, {10, 0, 1, 1}));
  CHECK(problem.frame_count() == 5);
  CHECK(problem.clips[1].morph_weights == std::vector<double>{0.5, 0});
}

}  // namespace skinbake
