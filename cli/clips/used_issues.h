// The issues of a file that concern a run: those of its meshes and clips.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "skinbake/gltf.h"

namespace skinbake::cli {

// The asset's issues without those of elements that neither the rigs nor the clips use, with
// repeated ones merged: also those of a clip's channels that move other elements. PART_NOT_READ
// stays. If the rigs are all of the asset, and the user did not name them, the issues of all its
// nodes and meshes stay. `clips`: of the asset; null: the rest pose. `file_of`: as in UsedClips.
Issues issues_of_used(const Asset& asset, const std::vector<const Rig*>& rigs,
                      const std::vector<const Clip*>& clips,
                      const std::map<std::string, std::string>& file_of = {},
                      bool has_named_rigs = false);

}  // namespace skinbake::cli
