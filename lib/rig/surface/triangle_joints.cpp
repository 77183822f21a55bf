#include "rig/surface/triangle_joints.h"

#include <utility>
#include <vector>

namespace skinbake {

std::uint64_t count_triangle_joints(const Rig& rig, std::span<const Triangle> triangles) {
  std::vector<std::size_t> last_of(
      rig.joints.size());  // [joint] the last triangle that has it, + 1
  std::uint64_t joints = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const VertexIndex v : triangles[t]) {
      for (const Influence& i : rig.influences_of(v)) {
        if (std::exchange(last_of[i.joint], t + 1) != t + 1) ++joints;
      }
    }
  }
  return joints;
}

}  // namespace skinbake
