#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gltf/write/baked_document.h"
#include "skinbake/caches.h"

namespace skinbake {

// Changes the document of the meshes before the file is opened.
using EditGlb = std::function<void(BakedDocument&)>;

// Opens a GLB that belongs to another cache. It does not get a sidecar: the sidecar of the cache
// describes both files. Throws Error (kOutput or kUsage).
std::unique_ptr<CacheWriter> open_auxiliary_glb(const std::string& path, const CacheHeader& header,
                                                const EditGlb& edit);

}  // namespace skinbake
