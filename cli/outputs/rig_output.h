// -o of commands that write a rig: a GLB, whose name ends in .glb, or in .vrm for an avatar.

#pragma once

#include <string>

#include "skinbake/gltf.h"

namespace skinbake::cli {

// Throws UsageError unless the name is that of a GLB.
void require_rig_name(const std::string& output);

// Throws UsageError if the name is that of an avatar, and the rig is none: programs that read .vrm
// files require the VRM extension, which the output has from the rig.
void require_avatar(const std::string& output, const Asset& rig);

}  // namespace skinbake::cli
