#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Opens a GLB that this library wrote. `mesh`: the id of one of its meshes, or "#" and a node's
// index; empty, or the only mesh: all meshes, one after another. Throws Error (kInput for any other
// file; kUsage for an unknown mesh).
std::unique_ptr<CacheReader> open_glb_cache(const std::string& path, const std::string& mesh);

// The JSON of a GLB that was just written, checked, for several meshes of the file.
struct ParsedGlb;
std::shared_ptr<const ParsedGlb> parse_glb_cache(const std::string& path);

// The same as above, without another look at the JSON. `parsed`: of the same, unchanged file.
std::unique_ptr<CacheReader> open_glb_cache(const std::string& path, const std::string& mesh,
                                            const ParsedGlb& parsed);

}  // namespace skinbake
