// The base colour of a material of glTF: its factor, its texture and how the texture is placed.

#pragma once

#include <array>
#include <cstddef>

#include "report/viewer/view_appearance.h"

namespace skinbake {

struct BaseColour {
  ViewMaterial material;  // `image` is an index in AssetMaterials::images
  int set = 0;            // the texture coordinates: TEXCOORD_<set>
  // KHR_texture_transform: u' = t0 u + t1 v + t2, v' = t3 u + t4 v + t5.
  std::array<double, 6> transform{1, 0, 0, 0, 1, 0};
  bool has_other_image = false;  // the texture's image is of an extension, thus not PNG or JPEG
};

// The base colour of a material; -1: glTF's default material. A member of a wrong type has its
// default value.
BaseColour base_colour_of(const AssetMaterials& materials, int material);

}  // namespace skinbake
