// A rig is the character at rest: a mesh, a skeleton and skin weights. The loader returns valid
// rigs; a rig built in code must meet the conditions of Rig.
//
// All structs are plain data. Concurrent reads are safe.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "skinbake/error.h"

namespace skinbake {

// ---- Vectors, quaternions and transforms over any `Real`: double in the public API, 16 frames at
// once inside the library. The types are aggregates; the operations are in lib/math.

template <class Real>
struct Vec3 {
  Real x, y, z;
};

// w + xi + yj + zk.
template <class Real>
struct Quat {
  Real w, x, y, z;
};

// p -> x p.x + y p.y + z p.z + translation: the columns of a 3 x 4 matrix.
template <class Real>
struct Affine {
  Vec3<Real> x, y, z, translation;
};

// p -> rotation p + translation. The rotation is a unit quaternion.
template <class Real>
struct Rigid {
  Quat<Real> rotation;
  Vec3<Real> translation;
};

inline constexpr Affine<double> kIdentity{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};

// ---- The rig.

using VertexIndex = std::uint32_t;
using JointIndex = std::uint32_t;  // index into Rig::joints
using NodeIndex = std::int32_t;    // index into Skeleton::nodes; -1: no node

struct Weld;  // which vertices are one point of the surface; internal

// A node of the file. Its local transform is a fixed matrix, or a translation, a rotation and a
// scale, which clips can animate.
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
  std::vector<float> normals;         // [vertex][axis]; empty if no primitive has normals
  // [vertex][x y z w]: a unit vector and w = 1 or -1, the sign of the bitangent w (n x t). w is 0
  // in primitives without tangents, and in primitives without normals: those with only zeros in
  // `normals`. Empty if LoadOptions::tangents was not set, or if no primitive has tangents.
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
// Conditions, which `validate` checks and all other code relies on (its comment has the full list):
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
  // Not null: the error for which load_asset has not read the rig. `validate` and all functions
  // that bake throw it.
  std::shared_ptr<const Error> fault;
  // The elements of the file that only rigs with this mesh are read from, as JSON pointers
  // ("/meshes/3", and "/images/0" with LoadOptions::materials), and the index of the skin, or -1.
  // Null: unknown.
  std::shared_ptr<const std::vector<std::string>> elements;
  int skin = -1;

  // Precondition: v < mesh->vertex_count().
  std::span<const Influence> influences_of(VertexIndex v) const {
    return {influences.data() + first_influence[v], influences.data() + first_influence[v + 1]};
  }
};

// Throws the error for which the rig or the clip was not read, if there is one.
template <class Part>
void require_read(const Part& part) {
  if (part.fault) throw Error(*part.fault);
}

// ---- Conditions.

// Checks a rig with its skeleton and its mesh. Throws Error (kInput, RIG_INVALID), which names the
// first condition that is not met.
//
// Skeleton
//  1. The rig has a skeleton and a mesh: both pointers are not null.
//  2. `order` has every node exactly once.
//  3. The parent of a node is -1, or a node that comes before it in `order`.
//  4. The rotation of a node without a matrix is of unit length: its square is 1 up to 1e-6.
// Mesh
//  5. There is a vertex, and `positions` has three numbers for each.
//  6. `normals` is empty or as long as `positions`.
//  7. `tangents` is empty, or has four numbers for each vertex of a mesh that has normals.
//  8. An attribute of a morph target is empty or has three numbers for each vertex. Its `normals`
//     and `tangents` are empty if the mesh does not have any.
//  9. Corners of triangles are vertices of the mesh.
// 10. `primitives` is empty, or covers the vertices in their order without gaps.
// Rig
// 11. `morph_weights` has one number for each morph target of the mesh.
// 12. `node` is a node of the skeleton.
// 13. There is a joint, and the node of each joint is a node of the skeleton.
// 14. A rig that is not skinned has one joint: its own node, with the identity.
// 15. `first_influence` has one number for each vertex and one more. It starts with 0, ascends
//     strictly, so that every vertex has an influence, and ends with the size of `influences`.
// 16. An influence has a joint of the rig and a weight above 0. A vertex has at most one influence
//     of each joint.
// 17. The influences of a vertex descend by weight; of equal weights the lower joint is first.
// 18. The weights of a vertex sum to 1, up to the rounding of one division for each influence.
// 19. `first_listed` is empty, or has a number for each vertex, less than its number of influences.
// 20. `weld_before_modifiers` is null, or has as many vertices as the mesh.
// 21. The joints of a twist are joints of the rig, its axis is of unit length (its square is 1 up
//     to 1e-12), and its shares are from -1 to 1.
//
// Null pointers are not dereferenced and elements out of range are not accessed, whatever the rig
// contains. The time is proportional to the size of the mesh. bake_to_array, bake_to_file
// and `measure` check their rig; `bake` does not. May be called by several threads at once.
void validate(const Rig& rig);

// ---- Rig modifiers: changes that an engine or a rigger makes to the skin weights or joints before
// a method deforms the mesh. A modifier maps a Rig to a Rig, so it combines with every method.

// Keeps the `count` largest influences of each vertex and divides them by their sum.
struct LimitInfluences {
  int count = 4;  // 1 or more
};

// Keeps at most `count` influences of each vertex, chosen and weighted by their effect on motion
// (fit_influences in fit.h).
struct FitInfluences {
  int count = 4;  // 1 … kMostFittedInfluences
  // Ids of clips, "rom", "rom:PART", or "all" alone: every clip of the rig's file, and "rom" if the
  // rig is a humanoid.
  std::vector<std::string> training{"all"};
};
inline constexpr int kMostFittedInfluences = 12;

// Rounds weights to integers of 8 or 16 bits whose sum is 255 or 65535.
struct QuantizeWeights {
  int bits = 8;
};

// The weights of one engine after import: a limit and, for some engines, a quantisation.
struct EngineProfile {
  std::string_view id;  // "unreal-4"
  int count = 4;
  int bits = 0;  // 0: weights are not quantised
};

// Distributes the twist of a joint's segment over helper joints along it. kChild (forearm, shin):
// the twist of the child relative to the joint, from none at the joint to all at the child. kSelf
// (upper arm, thigh): the twist of the joint relative to its parent, from none at the joint to all
// at the child.
struct ShareTwist {
  enum class From { kChild, kSelf };
  std::string joint;         // a node's name, "#<node>", or "auto": arms and legs, found by name
  int helpers = 3;           // between the two ends, 1 or more
  From from = From::kChild;  // ignored for "auto", which chooses by the limb
};

using Modifier =
    std::variant<LimitInfluences, FitInfluences, QuantizeWeights, EngineProfile, ShareTwist>;

// Parses the text of one modifier. `kind` is "influences", "weights", "profile" or "twist"; `value`
// is for example "4", "4:fit=all", "u8", "unreal-4" or "forearm.L:n=3,from=child". Throws Error
// (kUsage, MODIFIER_UNKNOWN or MODIFIER_INVALID) with the valid values in the message. Thread-safe.
Modifier parse_modifier(std::string_view kind, std::string_view value);

// Returns "influences=4", "influences=4:fit=all", "weights=u8", "profile=unreal-4" or
// "twist=forearm.L:n=3,from=child".
std::string canonical(const Modifier& modifier);

// Returns all engine profiles. The span is valid for the life of the program.
std::span<const EngineProfile> engine_profiles();

// Distances to the positions that a fit of influences should reach, over vertices and frames.
struct FitDistances {
  double rms_m = 0, max_m = 0;
};

// The distances of the fit, and the distances if every vertex kept its largest influences.
struct FitComparison {
  FitDistances fit, largest;
};

// How near a fit comes. The positions to reach are given by linear blending with all influences.
struct InfluenceFitErrors {
  std::int64_t frames = 0;                // instants that the fit learned from
  std::int64_t vertices_fitted = 0;       // the others keep their largest influences
  FitComparison trained;                  // on the frames that the fit learned from
  std::optional<FitComparison> left_out;  // on frames left out in turn; none: a short clip
};

// The influences of all vertices after a fit, in the layout of Rig.
struct FittedInfluences {
  std::vector<std::uint32_t> first_influence{0};
  std::vector<Influence> influences;
  InfluenceFitErrors errors;
};

// The effect of one modifier on one rig. The weight moved at a vertex is the sum of the weights
// that its joints lost to other joints.
struct ModifierRecord {
  std::string modifier;  // canonical; "auto" makes one record per limb
  std::int64_t vertices_touched = 0;
  double largest_weight_moved = 0;    // 0 … 1
  std::optional<VertexIndex> vertex;  // of the largest weight moved; none if no weight moved
  std::vector<std::string> joints_added;
  std::optional<InfluenceFitErrors> fit;  // of FitInfluences
};

struct ModifiedRig {
  Rig rig;
  std::vector<ModifierRecord> changes;  // one per modifier that applies to this rig, in order
  Issues issues;                        // limbs that a modifier skipped; pointers are into the glTF
};

// What modifiers need beside the rigs.
struct ModifierInputs {
  std::span<const HumanoidBone> humanoid = {};  // the humanoid map of the file, or empty
  // All rigs of the file; empty: the modified rigs are all. The ends of a joint's segment are
  // computed from all of them, so that vertices shared by two meshes stay together.
  std::span<const Rig* const> file = {};
  // Fits the influences of a skinned rig; needed for FitInfluences, which requires clips.
  std::function<FittedInfluences(const Rig& rig, const FitInfluences& fit)> fit = {};
};

// Returns the rigs after all modifiers, in the order of `rigs`. A rig without the joint of a twist
// is not changed.
// Preconditions: no pointer is null; all rigs are valid.
// Throws Error (kUsage): TWIST_JOINT_UNKNOWN if no rig has the joint, TWIST_JOINT_AMBIGUOUS if
// several joints have the name, TWIST_IMPOSSIBLE if the length of the joint's segment is zero or
// the twist does not have a second end, FIT_WITHOUT_CLIPS if a fit does not have clips.
// Thread-safe.
std::vector<ModifiedRig> modify(std::span<const Rig* const> rigs,
                                std::span<const Modifier> modifiers, const ModifierInputs& inputs);

}  // namespace skinbake
