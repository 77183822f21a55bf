// The loaders of a file's elements, one function for each kind.

#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "gltf/document/document.h"
#include "rig/influences.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"

namespace skinbake::gltf {

// Exporters round quaternions to 3 decimals; larger deviations from unit length are reported.
inline constexpr double kUnitTolerance = 1e-3;

// Loads all nodes of the file. A broken node has a fault, as one with a matrix that is not affine,
// which exporters write for cameras. Throws Error (kInput) for cycles and second parents.
std::shared_ptr<const Skeleton> load_skeleton(Document& document);

// Throws the fault of one of the nodes, or of a node above it.
void require_nodes(const Document& document, std::span<const NodeIndex> nodes);

// Returns the index of the scene whose name, or else whose index, is `wanted`. If `wanted` is
// empty, returns the file's default scene, or -1 if the file does not have scenes. Throws Error
// (kUsage, SCENE_UNKNOWN) if no scene fits.
int chosen_scene(const Document& document, const std::string& wanted);

// Returns the mesh nodes of document.scene, by node index; without scenes, all mesh nodes.
std::vector<NodeIndex> scene_mesh_nodes(const Document& document);

// Notes the mesh nodes that are not in `mesh_nodes`, and the meshes without a node.
void note_left_out(Document& document, const Skeleton& skeleton,
                   const std::vector<NodeIndex>& mesh_nodes);

// Notes the mesh nodes that KHR_node_visibility hides, at the node or above it. They are read like
// visible ones.
void note_hidden(Document& document, const Skeleton& skeleton,
                 const std::vector<NodeIndex>& mesh_nodes);

// Notes scenes that are broken, and nodes that scenes list although they have a parent.
void note_scenes(Document& document, const Skeleton& skeleton);

std::vector<SceneSummary> summarise_scenes(const Document& document, const Skeleton& skeleton);

// Notes that a rig has a fault.
void note_broken(Document& document, const Rig& rig);

// Loads the geometry of a mesh, without skin weights.
std::shared_ptr<const Mesh> load_mesh(Document& document, int index);

// Returns the element of an attribute, "mesh 'Body' primitive 2, JOINTS_0", or of the primitive if
// `attribute` is empty.
Element attribute_element(const Document& document, int mesh, std::size_t primitive,
                          const std::string& attribute);

// Throws Error (kInput, ACCESSOR_COUNT) unless the accessor has `vertices` elements.
void check_vertex_count(const Document& document, int accessor, std::size_t vertices,
                        const Element& element);

// The influences of a mesh. They fit every skin: joints are indices into skin.joints.
struct SkinWeights {
  // The greatest joint with weight of a primitive, which every skin must have.
  struct GreatestJoint {
    Element element;
    JointIndex joint = 0;
  };
  Influences influences;
  std::vector<GreatestJoint> greatest_joints;
  bool has_joints = false;    // at least one primitive has a set of joints
  bool follows_node = false;  // at least one primitive lacks joints; it follows kOwnNode
};

// The joint that stands for the mesh's node, which no skin lists.
inline constexpr JointIndex kOwnNode = 0xFFFFFFFF;

SkinWeights load_skin_weights(Document& document, int mesh, const Mesh& geometry);

// Fill rig.joints and rig.influences: from a skin, or with a rigid binding to the rig's node.
void bind_skin(Document& document, int skin, SkinWeights weights, Rig& rig);
void bind_to_node(Rig& rig);

// Loads all animations of the file. With Role::kClip, a node without a mesh may have morph weights:
// as many as a key has values.
std::vector<Clip> load_clips(Document& document, const Skeleton& skeleton);

// Returns an id for each name: the name if it is unique, otherwise "#<number>".
std::vector<std::string> unique_ids(const std::vector<std::string>& names,
                                    const std::vector<int>& numbers);

// ---- What a baked file keeps

// Reads the appearance of the meshes of the rigs. If it violates glTF 2.0, the rig gets a fault; an
// image that cannot be read becomes an issue. Precondition: document.json.
std::shared_ptr<const BakedDocument> load_appearance(Document& document, std::vector<Rig>& rigs);

// How an image that cannot be read is handled.
enum class Unreadable { kLeftOut, kKeepsUri };

// Reads image `index`, an element of the file's "images", and records its file in document.inputs.
// An image that cannot be read becomes an issue, and does not have bytes.
ImageFile load_image(Document& document, const nlohmann::json& source, std::size_t index,
                     Unreadable unreadable);

// ---- The extensions of VRM files: the humanoid map, spring bones, and faces (expressions, which
// VRM 0.x calls groups of blend shapes, and look-at)

// Fills document.humanoid from VRM 0.x ("VRM"), VRM 1.0 ("VRMC_vrm") and VRM animations
// ("VRMC_vrm_animation"). Entries that violate the specification become issues and are left out.
void load_humanoid(Document& document, const nlohmann::json& gltf, std::size_t node_count);

// Notes spring bones of VRM 0.x, which are not simulated. Spring bones of VRM 1.0 are a separate
// extension, which check_extensions notes.
void note_spring_bones(Document& document, const nlohmann::json& gltf);

// Fills document.face from VRM 1.0 ("VRMC_vrm") or 0.x ("VRM"), or with Role::kClip
// document.face_nodes from a VRM animation. `checked` is the result of checked_json. Parts that
// violate the specification become issues and are left out.
void load_face(Document& document, const nlohmann::json& gltf, const nlohmann::json& checked);

// Fills document.morph_names from the file's JSON. `checked` is the result of checked_json. Several
// targets may have one name. The names of a mesh that does not name each target are left out,
// without an issue: glTF does not define them.
void load_morph_names(Document& document, const nlohmann::json& gltf,
                      const nlohmann::json& checked);

}  // namespace skinbake::gltf
