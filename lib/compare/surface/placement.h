// Which joint places two surfaces in their bind pose.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "compare/surface/surfaces.h"
#include "skinbake/rig.h"

namespace skinbake {

// Another joint than the heaviest of A places the meshes, because the bind matrices of the heaviest
// or its places at rest differ between the files.
struct OtherPlacement {
  std::string joint, heaviest;  // names in A
  double apart_m = 0;           // the mean distance of both files at bind by the heaviest
};

struct PlacedSurfaces {
  BindSurfaces surfaces;
  std::optional<OtherPlacement> placement;  // none: the heaviest joint places them
};

// bind_surfaces, which also says how the surfaces are placed.
PlacedSurfaces placed_surfaces(std::span<const Rig* const> a, std::span<const Rig* const> b);

}  // namespace skinbake
