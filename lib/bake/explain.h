// Explains the position of a vertex: the joints that move it, and the effect of blending them.

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
  double angle_rad = 0;   // between its rotation and the heaviest joint's rotation, 0 … pi
  bool flipped = false;   // its quaternion (w >= 0) points away from the heaviest joint's
  double scale = 1;       // cube root of |det| of posed_from_rest
  bool mirrored = false;  // det is negative
};

// Two joints of a vertex, and the angle between their rotations.
struct JointPair {
  std::size_t first = 0, second = 0;  // indices into the influences; the first is the heavier
  double angle_rad = 0;
};

struct Explanation {
  std::string mesh, clip, method;  // ids; an empty clip: the rest pose
  std::string reference;           // the reference of `error_m`
  std::int64_t frame = 0;          // frame number
  double time_s = 0;
  std::string pose;        // pose_name() in this frame
  VertexIndex vertex = 0;  // index in the file's mesh
  // The other vertices of its point, which the file splits at a seam; ascending.
  std::vector<VertexIndex> copies;
  double error_m = 0;
  std::int64_t primitive = 0;                  // index in the mesh
  VertexIndex primitive_vertex = 0;            // index in the primitive
  std::vector<ExplainedInfluence> influences;  // the heaviest first
  std::optional<JointPair> widest;             // the pair of the greatest angle; none: one joint
  std::string cause;                           // a sentence about the most harmful pair
};

// Returns for each vertex the lowest vertex of its point. [vertex] Vertices of one point have equal
// positions, influences and morph targets.
std::vector<VertexIndex> points_of(const Rig& rig);

// Explains one vertex at `time_s` of a clip (null: the rest pose). The caller sets `copies`,
// `reference`, `frame` and `error_m`. Precondition: `vertex` is a vertex of the rig's mesh.
// Thread-safe.
Explanation explain(const Rig& rig, const Clip* clip, double time_s, VertexIndex vertex,
                    const Method& method);

// A rig at an instant of a clip (null: the rest pose): one side of a comparison.
struct PosedRig {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;
  double time_s = 0;
};

// Returns a sentence about the cause of a difference between two rigs that one method skins: the
// order of the vertices, the weights, the motion of a joint, or the mesh. Precondition: both meshes
// have the vertex. Thread-safe.
std::string cause_of_difference(const PosedRig& a, const PosedRig& b, VertexIndex vertex);

}  // namespace skinbake
