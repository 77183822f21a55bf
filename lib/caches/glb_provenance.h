// What a baked GLB says of itself, in asset.extras.skinbake: its frames and its meshes.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "caches/glb_document.h"
#include "skinbake/clip.h"

namespace skinbake {

// Refuses what the writer does not write.
FrameRange glb_frames(const GlbDocument& document);

// One of several meshes: its place in the file, and its id.
struct GlbMeshChoice {
  std::size_t place = 0;
  std::string id;
};

// Of all meshes of the file, in its order; empty if it does not say.
std::vector<std::string> glb_mesh_ids(const GlbDocument& document);

// The mesh of that id, or of the node "#3". None: all are meant, or there is only one. Throws Error
// (kUsage), naming `path` and the meshes that there are.
std::optional<GlbMeshChoice> choose_glb_mesh(const GlbDocument& document, const std::string& wanted,
                                             const std::string& path);

}  // namespace skinbake
