// What the loader builds, one function for each part of the file.

#pragma once

#include <memory>
#include <vector>

#include "gltf/document.h"
#include "rig/influences.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"

namespace skinbake::gltf {

// Every node of the file. Throws on cycles, second parents and matrices that are not affine.
std::shared_ptr<const Skeleton> load_skeleton(Document& document);

// The number of the scene with that name, else with that number; empty: the file's own choice.
// -1: the file has no scenes, so every node counts. Throws Error (kUsage) if there is no such
// scene.
int chosen_scene(const Document& document, const std::string& wanted);

// The mesh nodes of the document's scene, by node index.
std::vector<NodeIndex> scene_mesh_nodes(const Document& document);

// Names the mesh nodes that are not among `mesh_nodes`, and the meshes that no node shows.
void note_left_out(Document& document, const Skeleton& skeleton,
                   const std::vector<NodeIndex>& mesh_nodes);

// Names the nodes that scenes list though they are another node's children.
void note_listed_children(Document& document, const Skeleton& skeleton);

std::vector<SceneSummary> summarise_scenes(const Document& document, const Skeleton& skeleton);

// Geometry of a mesh, without skin weights.
std::shared_ptr<const Mesh> load_mesh(Document& document, int index);

// "mesh 'Body' primitive 2, JOINTS_0", and where it is.
Element attribute_element(const Document& document, int mesh, std::size_t primitive,
                          const std::string& attribute);

// Throws unless the accessor has as many elements as there are vertices.
void check_vertex_count(const Document& document, int accessor, std::size_t vertices,
                        const Element& element);

// Those of a mesh whose positions and normals are read; stay empty if no primitive has some.
void load_tangents(Document& document, int index, Mesh& mesh);

// The influences of a mesh, the same for every skin; joints are positions in skin.joints.
struct SkinWeights {
  // Where the greatest joint with weight stands, to be held against each skin.
  struct Bound {
    Element element;
    JointIndex greatest = 0;
  };
  Influences influences;
  std::vector<Bound> bounds;
  bool has_joints = false;    // some primitive has a set of joints
  bool follows_node = false;  // some primitive has none: its joint is kOwnNode
};

// Stands for the mesh's own node, which no skin lists.
inline constexpr JointIndex kOwnNode = 0xFFFFFFFF;

SkinWeights load_skin_weights(Document& document, int mesh, const Mesh& geometry);

// Makes rig.joints and rig.influences from a skin, or a rigid binding to the node without one.
void bind_skin(Document& document, int skin, SkinWeights weights, Rig& rig);
void bind_to_node(Document& document, Rig& rig);

// Every animation of the file. In a file of clips alone, a node without a mesh may have morph
// weights: as many as there are values for each key.
std::vector<Clip> load_clips(Document& document, const Skeleton& skeleton);

// The system refuses memory that the file's limit allows.
[[noreturn]] void fail_out_of_memory(const std::string& path);

// The names that are unique, for the others "#<number>".
std::vector<std::string> unique_ids(const std::vector<std::string>& names,
                                    const std::vector<int>& numbers);

}  // namespace skinbake::gltf
