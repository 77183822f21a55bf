// A rig is the character at rest: a mesh, a skeleton and skin weights. The loader returns valid
// rigs; a rig built in code must meet the conditions of Rig.
//
// All structs are plain data. Concurrent reads are safe.

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
using JointIndex = std::uint32_t;  // index into Rig::joints
using NodeIndex = std::int32_t;    // index into Skeleton::nodes; -1: no node

struct Weld;  // which vertices are one point of the surface; internal

// A node of the file. Its local transform is either a fixed matrix or translation, rotation and
// scale; only the latter can be animated.
struct Node {
  std::string name;  // may be empty
  NodeIndex parent = -1;
  bool helper = false;  // a modifier inserted the node between joints; the file does not have it
  std::optional<Affine<double>> matrix;
  Vec3<double> translation{0, 0, 0};
  Quat<double> rotation{1, 0, 0, 0};  // unit length
  Vec3<double> scale{1, 1, 1};
};

// All nodes of a file. Nodes outside the scene are included because they can be joints.
struct Skeleton {
  std::vector<Node> nodes;       // file order, then helpers
  std::vector<NodeIndex> order;  // every node once, parents before children

  // The node to which the local transform of n is relative: its nearest ancestor that is not a
  // helper, or -1. Helpers define the order of joints in the hierarchy, but do not move their
  // children.
  NodeIndex base_of(NodeIndex n) const {
    do n = nodes[static_cast<std::size_t>(n)].parent;
    while (n >= 0 && nodes[static_cast<std::size_t>(n)].helper);
    return n;
  }
};

// Displacements of one morph target. Shape [vertex][axis]; empty: the attribute is not morphed.
struct MorphTarget {
  std::vector<float> positions;
  std::vector<float> normals;
  std::vector<float> tangents;
};

// A primitive of the file as a range of the mesh's vertices.
struct Primitive {
  VertexIndex first_vertex = 0;
  VertexIndex vertex_count = 0;
};

// A mesh of the file. The vertices of its primitives are concatenated in file order and are not
// welded.
struct Mesh {
  std::string name;                   // may be empty
  std::vector<Primitive> primitives;  // cover the vertices in order; empty: one primitive
  std::vector<float> positions;       // [vertex][axis], metres
  std::vector<float> normals;         // [vertex][axis]; empty unless every primitive has normals
  // [vertex][x y z w]: a unit vector and w = 1 or -1, the sign of the bitangent w (n x t). w is 0
  // in primitives without tangents. Empty if LoadOptions::tangents was not set, or if the mesh
  // does not have normals or tangents.
  std::vector<float> tangents;
  std::vector<std::array<VertexIndex, 3>> triangles;  // strips and fans expanded; may be empty
  std::vector<MorphTarget> morph_targets;

  VertexIndex vertex_count() const { return static_cast<VertexIndex>(positions.size() / 3); }
};

// The weight with which one joint moves one vertex.
struct Influence {
  JointIndex joint = 0;
  double weight = 0;
};

// A node that moves vertices, with its bind pose.
struct Joint {
  NodeIndex node = -1;
  Affine<double> joint_from_model = kIdentity;  // glTF: the inverse bind matrix
};

// Helper joints along the segment of one joint, which share the twist about the segment:
//
//     M_helper = M_joint Rot(axis, share * angle)      M  posed_from_rest
//     angle    = twist of M_from^-1 M_to about the axis, continuous from the start of the clip
//                through any number of turns
struct TwistChain {
  struct Helper {
    JointIndex joint = 0;
    double share = 0;  // fraction of the angle, -1 … 1
  };
  JointIndex joint = 0;
  JointIndex from = 0, to = 0;
  Vec3<double> pivot{0, 0, 0};  // start of the segment, in bind space
  Vec3<double> axis{0, 1, 0};   // bind space, unit length
  std::vector<Helper> helpers;
};

// A humanoid bone of VRM ("leftUpperArm") and the node that is mapped to it.
struct HumanoidBone {
  std::string bone;
  NodeIndex node = -1;
};

// A mesh node: a mesh, its joints and its skin weights.
//
// Conditions, which `validate` checks and all other code relies on (validate.h has the full list):
// - `skeleton` and `mesh` are not null and are valid themselves;
// - `joints` is not empty; an unskinned mesh has one joint: its own node, with the identity;
// - every vertex has an influence; its influences are positive, name each joint once, descend by
//   weight (ties: lower joint first) and sum to 1 in double;
// - every joint, node and vertex index is in range; axes of twists are of unit length.
struct Rig {
  std::string id;  // unique: the node's name if no other mesh node has it, else "#<node>"
  NodeIndex node = -1;
  bool skinned = false;
  std::shared_ptr<const Skeleton> skeleton;
  std::shared_ptr<const Mesh> mesh;
  std::vector<Joint> joints;
  std::vector<double> morph_weights;           // [target] at rest
  std::vector<std::uint32_t> first_influence;  // [vertex + 1]
  std::vector<Influence> influences;
  // [vertex] The index, within the vertex's influences, of the influence that the file lists first.
  // Empty: 0, the heaviest influence, for every vertex.
  std::vector<std::uint32_t> first_listed;
  std::vector<TwistChain> twists;  // added by modifiers; empty after loading
  // Set by modifiers: the points of the surface before them, which metrics measure.
  std::shared_ptr<const Weld> weld_before_modifiers;

  // Precondition: v < mesh->vertex_count().
  std::span<const Influence> influences_of(VertexIndex v) const {
    return {influences.data() + first_influence[v], influences.data() + first_influence[v + 1]};
  }
};

}  // namespace skinbake
