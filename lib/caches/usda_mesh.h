// What of a mesh in a USD text file does not move: its beginning, its faces, its texture
// coordinates.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "skinbake/caches.h"

namespace skinbake {

// Appends text, front to back, a piece at a time.
using AppendText = std::function<void(std::string_view)>;

void write_usda_mesh_head(const CacheHeader& header, const std::string& name,
                          const AppendText& append);

}  // namespace skinbake
