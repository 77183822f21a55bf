// Random numbers with a fixed seed, and random rigs and clips.

#pragma once

#include <cstdint>
#include <random>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double between(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
  Vec3<double> vector(double size) {
    return {between(-size, size), between(-size, size), between(-size, size)};
  }
  Quat<double> rotation();                          // uniform over all rotations
  Affine<double> stretch(double low, double high);  // symmetric, with factors from low to high

 private:
  std::mt19937_64 engine_;
};

// Local translation, rotation and scale of a node.
struct Local {
  Vec3<double> translation{0, 0, 0};
  Quat<double> rotation{1, 0, 0, 0};
  Vec3<double> scale{1, 1, 1};
};
Affine<double> to_matrix(const Local& local);

struct RandomShape {
  std::uint64_t seed = 1;
  int points = 40;
  int joints = 5;           // a random tree
  int influences = 4;       // largest number for each vertex
  double scale_spread = 0;  // scales of joints are between 1 - spread and 1 + spread
};

// Points of a torus with random dents, within 1 m and at multiples of 2^-10; a closed surface
// through them; joints at random positions. The bind pose is the rest pose.
Rig random_rig(const RandomShape& shape);

// A clip with a key for each frame, which sets a random translation and rotation of every joint,
// and a random scale if `scale_spread` is not 0.
Clip random_clip(const Rig& rig, const RandomShape& shape, int frames, double fps = 30);

// A clip that sets the local transforms of the nodes, [frame][node], in every frame.
Clip clip_of(const std::vector<std::vector<Local>>& locals, double fps = 30);

}  // namespace skinbake::test
