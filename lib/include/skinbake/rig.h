// The character at rest: meshes, joints and skin weights, checked once and never changed.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skinbake/transform.h"

namespace skinbake {

using VertexIndex = std::uint32_t;
using JointIndex = std::uint32_t;  // position in Rig::joints
using NodeIndex = std::int32_t;    // position in the file's nodes; -1: none

// One node of the file. Either a fixed matrix or translation, rotation, scale (which clips
// animate).
struct Node {
  std::string name;  // empty: it has none
  NodeIndex parent = -1;
  bool helper = false;  // not of the file, but put between joints by a modifier
  std::optional<Affine<double>> matrix;
  Vec3<double> translation{0, 0, 0};
  Quat<double> rotation{1, 0, 0, 0};  // unit length
  Vec3<double> scale{1, 1, 1};
};

// All nodes of a file, also those outside the scene: they can be joints.
struct Skeleton {
  std::vector<Node> nodes;       // file order
  std::vector<NodeIndex> order;  // every node once, parents before children

  // The node that n's own transform is relative to, or -1: the nearest above it that is no helper.
  // Helpers stand in the tree for those who ask which joint is above which; they carry nothing.
  NodeIndex base_of(NodeIndex n) const {
    do n = nodes[static_cast<std::size_t>(n)].parent;
    while (n >= 0 && nodes[static_cast<std::size_t>(n)].helper);
    return n;
  }
};

// Displacements of one morph target. Shape [vertex][axis]; empty: none.
struct MorphTarget {
  std::vector<float> positions;
  std::vector<float> normals;
  std::vector<float> tangents;
};

// A run of vertices that the file keeps together.
struct Primitive {
  VertexIndex first_vertex = 0;
  VertexIndex vertex_count = 0;
};

// A mesh of the file: its primitives' vertices one after another, in file order, never welded.
struct Mesh {
  std::string name;  // empty: it has none
  std::vector<Primitive> primitives;
  std::vector<float> positions;  // [vertex][axis], metres
  std::vector<float> normals;    // [vertex][axis]; empty unless every primitive has them
  // [vertex][x, y, z, w]: unit vectors and 1 or -1, the side of the bitangent w (n x t); w 0 in
  // primitives without. Empty unless they were asked for, and there are normals and some of them.
  std::vector<float> tangents;
  std::vector<std::array<VertexIndex, 3>> triangles;  // strips and fans resolved; may be empty
  std::vector<MorphTarget> morph_targets;

  VertexIndex vertex_count() const { return static_cast<VertexIndex>(positions.size() / 3); }
};

// `weight` of the motion of joint `joint`.
struct Influence {
  JointIndex joint = 0;
  double weight = 0;
};

struct Joint {
  NodeIndex node = -1;
  Affine<double> joint_from_model = kIdentity;  // glTF: the inverse bind matrix
};

// Helper joints along the bone of one joint, which share a twist about it:
//
//     M_helper = M_joint Rot(axis, share * angle)      M  posed_from_rest
//     angle    = twist of M_from^-1 M_to about the axis, followed from the clip's start on through
//                any number of turns
struct TwistChain {
  struct Helper {
    JointIndex joint = 0;
    double share = 0;  // of the angle, -1 … 1
  };
  JointIndex joint = 0;
  JointIndex from = 0, to = 0;
  Vec3<double> pivot{0, 0, 0};  // bind space: where the bone begins
  Vec3<double> axis{0, 1, 0};   // bind space, unit length
  std::vector<Helper> helpers;
};

// A node that plays a humanoid bone ("leftUpperArm"), as VRM names them.
struct HumanoidBone {
  std::string bone;
  NodeIndex node = -1;
};

// One mesh node: a mesh, the joints that move it, and by how much.
//
// Invariants, established by `validate` in lib/rig and relied upon everywhere:
// - `joints` is not empty; an unskinned mesh has one joint, its own node, with the identity;
// - every vertex has an influence; its influences are positive, each joint occurs once,
//   they descend by weight (ties: lower joint first) and sum to 1 in double;
// - every joint, node and vertex index is in range; axes of twists are of unit length.
struct Rig {
  std::string id;  // unique: the node's name if no other mesh node has it, else "#<node>"
  NodeIndex node = -1;
  bool skinned = false;
  std::shared_ptr<const Skeleton> skeleton;
  std::shared_ptr<const Mesh> mesh;
  std::vector<Joint> joints;
  std::vector<double> morph_weights;           // at rest, one per morph target
  std::vector<std::uint32_t> first_influence;  // [vertex + 1]
  std::vector<Influence> influences;
  // [vertex] The place among its influences of the one that the file lists first; empty: 0, the
  // heaviest, everywhere.
  std::vector<std::uint32_t> first_listed;
  std::vector<TwistChain> twists;   // of modifiers; a file has none
  std::vector<double> weight_sums;  // [vertex] what weights were divided by; empty: 1 everywhere

  std::span<const Influence> influences_of(VertexIndex v) const {
    return {influences.data() + first_influence[v], influences.data() + first_influence[v + 1]};
  }
};

}  // namespace skinbake
