// What `fit` adds to a rig and to its clips. Everything else of the file stays as it is.
//
// All structs are plain data. Concurrent reads are safe.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake {

// Morph targets that follow those of the mesh, with the rest positions to which they are relative.
struct AddedMorphs {
  // [vertex][axis] They replace the positions and normals of the mesh; empty: these stay.
  std::vector<float> base_positions, base_normals;
  std::vector<MorphTarget> targets;
  std::vector<std::string> names;   // [target]
  std::vector<float> rest_weights;  // [target] the weights of clips that do not animate them

  bool empty() const { return targets.empty(); }
};

// A joint that is appended to the joints of the rig. Its node is new too.
struct HelperJoint {
  std::string name;
  NodeIndex parent = -1;                        // of its node; -1: a root of the scene
  Affine<double> joint_from_model = kIdentity;  // the inverse bind matrix
  Rigid<double> rest{{1, 0, 0, 0}, {0, 0, 0}};  // parent_from_joint where no clip moves it
};

// The keys of one clip, with linear interpolation between them.
struct ClipKeys {
  const Clip* clip = nullptr;  // not null
  FrameRange frames;
  // The weights of all targets, those of the mesh first; empty: none were added. Keys are at the
  // frames and where the clip moves targets of the mesh.
  std::vector<float> morph_times;                       // [key] seconds, ascending
  std::vector<float> morph_weights;                     // [key][target]
  std::vector<std::vector<float>> helper_rotations;     // [helper][frame][x y z w], unit length
  std::vector<std::vector<float>> helper_translations;  // [helper][frame][axis], metres
};

// The changes of one rig. The vectors of influences replace those of the rig, in its form; their
// joints may be helpers, whose indices follow those of the rig's joints.
struct RigChanges {
  const Rig* rig = nullptr;  // not null
  AddedMorphs morphs;
  std::vector<HelperJoint> helpers;
  std::vector<std::uint32_t> first_influence;  // [vertex + 1]; empty: the influences stay
  std::vector<Influence> influences;
  std::vector<ClipKeys> clips;
};

}  // namespace skinbake
