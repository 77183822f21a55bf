// The materials of a file whose rigs have been read without them.

#pragma once

#include <memory>
#include <string>

#include "skinbake/gltf.h"

namespace skinbake {

struct RigMaterials {
  std::shared_ptr<const AssetMaterials> materials;  // null if they cannot be read
  std::string problem;                              // why; a clause without the path of the file
  Issues issues;                                    // images that cannot be read: IMAGE_LEFT_OUT
};

// Reads the materials of asset.rigs from the asset's file, with the options of load_asset. The
// asset and its issues do not change.
RigMaterials load_rig_materials(const Asset& asset, LoadOptions options);

}  // namespace skinbake
