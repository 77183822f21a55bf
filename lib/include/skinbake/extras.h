// What a file has beside what moves: looks, and which vertices make which triangle. A cache that is
// to be opened like the file itself (GLB) keeps it.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// A piece of the file's JSON that names elements of other arrays, and sets of texture coordinates,
// by number. The writer numbers them anew: texts[0] numbers[0] texts[1] … texts.back().
struct JsonTemplate {
  enum class Array { kTexture, kSampler, kImage, kTexcoord };
  struct Reference {
    Array array = Array::kTexture;
    std::size_t index = 0;  // in range; of kTexcoord, any set: TEXCOORD_<index>
  };
  std::vector<std::string> texts;  // one more than references
  std::vector<Reference> references;
  std::vector<std::string> extensions;  // names of those that it uses, sorted
};

// An image's file as it is, not decoded.
struct ImageFile {
  std::string name;  // empty: none
  std::string mime_type;
  std::shared_ptr<const std::vector<std::uint8_t>> bytes;  // null: it could not be read
};

// Texture coordinates or colours. Shape [vertex][width], normalised integers resolved.
struct VertexAttribute {
  std::string name;  // "TEXCOORD_0"
  int width = 2;
  std::vector<float> values;
};

struct PrimitiveExtras {
  int mode = 4;                             // of glTF: 4 is triangles
  int material = -1;                        // -1: none
  std::vector<std::uint32_t> indices;       // into the primitive's vertices
  bool is_indexed = false;                  // false: vertices in their order
  std::vector<VertexAttribute> attributes;  // by name
};

// One for each of Mesh::primitives.
struct MeshExtras {
  std::vector<PrimitiveExtras> primitives;
};

struct AssetExtras {
  std::string copyright;  // empty: none
  std::vector<JsonTemplate> materials;
  std::vector<JsonTemplate> textures;
  std::vector<std::string> samplers;  // JSON
  std::vector<ImageFile> images;
  std::vector<std::string> extensions_required;                   // of the file, sorted
  std::map<NodeIndex, std::shared_ptr<const MeshExtras>> meshes;  // of mesh nodes
};

}  // namespace skinbake
