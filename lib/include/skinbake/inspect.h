// What is in a file, and everything that is wrong with it.

#pragma once

#include <string>

#include "skinbake/gltf.h"

namespace skinbake {

// For people: aligned columns, one line a mesh, clip and issue.
std::string inspect_text(const Asset& asset);

// For programs: schema "skinbake.inspection", version 1.0; keys in a fixed order.
std::string inspect_json(const Asset& asset);

}  // namespace skinbake
