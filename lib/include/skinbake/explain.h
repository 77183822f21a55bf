// Why a vertex is where it is: what moves it, and what blending makes of that.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/methods.h"
#include "skinbake/rig.h"

namespace skinbake {

// One joint of a vertex, at one instant.
struct ExplainedInfluence {
  JointIndex joint = 0;
  std::string name;
  double weight = 0;
  double angle_rad = 0;   // between its rotation and that of the heaviest joint, 0 … pi
  bool flipped = false;   // its quaternion (w >= 0) points away from that of the heaviest joint
  double scale = 1;       // cube root of |det|, of bind space to posed space
  bool mirrored = false;  // its determinant is negative
};

// Two joints of a vertex, and the angle by which they are turned from each other.
struct JointPair {
  std::size_t first = 0, second = 0;  // into the influences; the first is the heavier
  double angle_rad = 0;
};

struct Explanation {
  std::string mesh, clip, method;  // ids; an empty clip: the rest pose
  std::string reference;           // of `error_m`
  std::int64_t frame = 0;          // number
  double time_s = 0;
  VertexIndex vertex = 0;  // file index
  double error_m = 0;
  std::int64_t primitive = 0;                  // of the mesh
  VertexIndex primitive_vertex = 0;            // index in the primitive
  std::vector<ExplainedInfluence> influences;  // the heaviest first
  std::optional<JointPair> widest;             // turned farthest apart; none: one joint alone
  std::string cause;                           // a sentence, of the pair that does most harm
};

// What there is to say of one vertex at `time_s` of a clip (null: the rest pose). The caller fills
// in the ids, the frame and the error.
Explanation explain(const Rig& rig, const Clip* clip, double time_s, VertexIndex vertex,
                    const Method& method);

}  // namespace skinbake
