// Random numbers with a fixed seed, and rigs and clips made of them.

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
  Quat<double> rotation();                          // evenly over all rotations
  Affine<double> stretch(double low, double high);  // symmetric, stretches between low and high

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
  int influences = 4;       // of a vertex, at most
  double scale_spread = 0;  // scales of joints are between 1 - spread and 1 + spread
};

// Points of a dented torus on a grid of 2^-10 within 1 m, a closed surface through them, joints at
// random places; bound where it rests.
Rig random_rig(const RandomShape& shape);

// Every joint moves, turns and (with a spread) scales at random from key to key; a key per frame.
Clip random_clip(const Rig& rig, const RandomShape& shape, int frames, double fps = 30);

// Sets the joints' local transforms, [frame][node], at every frame.
Clip clip_of(const std::vector<std::vector<Local>>& locals, double fps = 30);

}  // namespace skinbake::test
