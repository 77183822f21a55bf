// The materials, textures, samplers and images that some meshes of a file use, renumbered.

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "skinbake/materials.h"

namespace skinbake {

struct GlbMaterials {
  std::vector<std::string> materials, textures, samplers;  // JSON objects
  std::vector<ImageFile> images;
  std::map<int, int> material_numbers;  // from indices in the file to indices in `materials`
  std::vector<std::string> extensions_used, extensions_required;
};

// Collects the materials of the meshes with their textures, samplers and images. All arrays keep
// the order of the file.
GlbMaterials collect_materials(const AssetMaterials& source,
                               std::span<const MeshMaterials* const> meshes);

}  // namespace skinbake
