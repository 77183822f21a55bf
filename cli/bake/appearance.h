// The base colours and textures that the page of --view shows.

#pragma once

#include <span>

#include "report/viewer/view_appearance.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// The appearance of rigs of the asset. If the materials cannot be read, the appearance is empty but
// for its note: the run does not need them.
ViewAppearance appearance_of(const Asset& asset, std::span<const Rig* const> rigs,
                             LoadOptions load);

}  // namespace skinbake::cli
