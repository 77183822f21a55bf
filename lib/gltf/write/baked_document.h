// The document of a baked file without its frames: the appearance of the meshes.
//
//   nodes, meshes    as many as the file has; elements that the rigs do not use are empty
//   all other lists  only elements that these meshes use, with new indices
//   bufferViews      each is a whole buffer; a buffer has the values of one accessor, or an image
//
// A primitive has its mode, indices, material, texture coordinates and colours. Texture coordinates
// and colours are floats, indices uint16 or uint32. Extensions that may refer to other elements are
// left out, and so are textures without a readable image, which readers require.

#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "gltf/document/linked_file.h"
#include "skinbake/rig.h"

namespace skinbake {

// An attribute that a morph target changes, and that the document has as it is without the target.
struct MorphedAttribute {
  int mesh = -1;
  std::size_t primitive = 0, target = 0;
  std::string name;  // "COLOR_0"
};

struct BakedDocument {
  nlohmann::json json = nlohmann::json::object();
  std::vector<gltf::ByteSpan> buffers;                      // [buffer]
  std::vector<std::shared_ptr<const gltf::Bytes>> storage;  // owns the bytes of `buffers`
  std::vector<MorphedAttribute> morphed;                    // by mesh, primitive and target

  // Append an element, with its bytes in a new buffer. Return its index.
  std::size_t add_view(gltf::Bytes bytes, int target = 0);
  std::size_t add_floats(std::span<const float> values, std::size_t width);
  std::size_t add_indices(std::span<const std::uint32_t> indices, std::size_t vertex_count);

  // The index of a node's mesh; -1: the document does not have the node.
  int mesh_of(NodeIndex node) const;
  // The primitives of a node's mesh, parallel to Mesh::primitives; an empty array if the document
  // does not have the node.
  const nlohmann::json& primitives_of(NodeIndex node) const;
  // The values of an accessor of floats.
  std::span<const float> floats_of(std::size_t accessor) const;
};

namespace gltf {

// A mesh node of a baked file.
struct BakedMesh {
  const Rig* rig = nullptr;
  bool is_in_scene = true;    // positions are in scene space: the node's matrix has moved them
  bool owns_lengths = false;  // scale_lengths() will be called for the mesh
};

// The double that has the same shortest text as the float.
double decimal(float number);

// A float whose decimal() has the longest text that nlohmann's printer writes for any float: a
// sign, 17 digits, a point and an exponent. The printer does not find the shortest text of some.
inline constexpr float kLongestDecimal = -1.18720454e20F;

// Whether the matrix of a node mirrors at rest, so that its triangles turn the other way.
bool is_mirrored(const Rig& rig);

// The document of the meshes of a file, [mesh]: `meshes` has the meshes of `all` without primitives
// that do not have vertices, and `nodes` are gone. Triangles of a mirrored node are listed in the
// other order, and lengths in materials have the scale that the positions got. `all` may be null:
// each mesh then has its triangles and no material.
BakedDocument baked_meshes(const BakedDocument* all, std::span<const BakedMesh> meshes);

// Multiplies the lengths in the mesh's space of the materials of a mesh.
void scale_lengths(nlohmann::json& document, std::size_t mesh, double factor);

// The names of all extensions of materials, textures and images, sorted.
std::vector<std::string> extensions_of_appearance(const nlohmann::json& document);

}  // namespace gltf

}  // namespace skinbake
