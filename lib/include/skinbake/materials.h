// Materials of a file: the appearance of its meshes, and the indices of their primitives. A GLB
// cache stores them, so that it opens like the original file.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// A part of the file's JSON that refers to elements of other arrays, and to sets of texture
// coordinates, by index. A writer inserts its own indices: texts[0] index[0] texts[1] …
// texts.back().
struct JsonTemplate {
  enum class Array { kTexture, kSampler, kImage, kTexcoord };
  struct Reference {
    Array array = Array::kTexture;
    std::size_t index = 0;  // in range; for kTexcoord the number of a set: TEXCOORD_<index>
  };
  std::vector<std::string> texts;  // one more than references
  std::vector<Reference> references;
  std::vector<std::string> extensions;  // names of the extensions that the texts use, sorted
};

// The encoded bytes of an image.
struct ImageFile {
  std::string name;  // may be empty
  std::string mime_type;
  std::shared_ptr<const std::vector<std::uint8_t>> bytes;  // null if the image could not be read
};

// Texture coordinates or colours.
struct VertexAttribute {
  std::string name;  // "TEXCOORD_0"
  int width = 2;
  std::vector<float> values;  // [vertex][width]; normalised integers are converted
};

struct PrimitiveMaterials {
  int mode = 4;                             // glTF's primitive.mode: 4 is triangles
  int material = -1;                        // index in AssetMaterials::materials, or -1
  std::vector<std::uint32_t> indices;       // of the primitive's vertices
  bool is_indexed = false;                  // false: `indices` is empty, vertices are in order
  std::vector<VertexAttribute> attributes;  // sorted by name
};

struct MeshMaterials {
  std::vector<PrimitiveMaterials> primitives;  // parallel to Mesh::primitives
};

// Materials, textures and images that no rig uses are empty; indices are those of the file.
struct AssetMaterials {
  std::string copyright;  // may be empty
  std::vector<JsonTemplate> materials;
  std::vector<JsonTemplate> textures;
  std::vector<std::string> samplers;  // JSON texts
  std::vector<ImageFile> images;
  std::vector<std::string> extensions_required;                      // of the file, sorted
  std::map<NodeIndex, std::shared_ptr<const MeshMaterials>> meshes;  // by the node of the rig
};

}  // namespace skinbake
