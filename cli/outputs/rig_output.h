// -o of commands that write a rig: a GLB, whose name ends in .glb, or in .vrm for an avatar.

#pragma once

#include <string>

#include "skinbake/gltf.h"

namespace skinbake::cli {

// Throws UsageError unless the name ends in .glb or .vrm.
void require_rig_name(const std::string& output);

// Throws UsageError if the name ends in .vrm, and the rig is not an avatar: programs that read .vrm
// files require the VRM extension, which the output has from the rig.
void require_avatar(const std::string& output, const Asset& rig);

}  // namespace skinbake::cli
