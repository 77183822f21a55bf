// The materials, textures, samplers and images that some meshes need, numbered anew.

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "skinbake/extras.h"

namespace skinbake {

struct GlbLooks {
  std::vector<std::string> materials, textures, samplers;  // JSON objects
  std::vector<const ImageFile*> images;
  std::map<int, int> material_numbers;  // of the file to here
  std::vector<std::string> extensions_used, extensions_required;
};

// In the order of the file.
GlbLooks collect_looks(const AssetExtras& extras, std::span<const MeshExtras* const> meshes);

}  // namespace skinbake
