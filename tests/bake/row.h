// A rig with a given number of points.

#pragma once

#include <vector>

#include "support/rigs.h"

namespace skinbake::test {

// Points in a row between two joints, the second of which turns.
struct Row {
  Rig rig;
  Clip clip;

  explicit Row(int points) {
    std::vector<Vec3<double>> at;
    std::vector<std::vector<Influence>> influences;
    for (int v = 0; v < points; ++v) {
      const double w = (v % 8) / 16.0;
      at.push_back({v % 512 / 256.0, 1, 0});
      influences.push_back(w == 0 ? std::vector<Influence>{{0, 1}}
                                  : std::vector<Influence>{{0, 1 - w}, {1, w}});
    }
    rig = loose(at, {Node{}, Node{}}, influences);
    clip = turning_clip(rig, {0, 0, 1}, 2, 1);
  }
};

}  // namespace skinbake::test
