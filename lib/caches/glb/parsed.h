// The JSON of a baked GLB: which clips, parts and meshes it has.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random_access_file.h"
#include "caches/glb/checked_json.h"
#include "caches/glb/timeline.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/frames.h"

namespace skinbake {

struct ParsedGlb {
  GlbDocument document;
  FrameRange frames;  // of all clips
  GlbTimeline timeline;
  std::vector<CacheClip> clips;  // empty: a single one without a name
};

// Throws Error (kInput) if the file is not as the writer writes it. Checks all but the meshes: the
// clips, the parts, the scene, and that the animations show each frame at its time.
ParsedGlb parse_glb(const RandomAccessFile& file, const std::string& path);

[[noreturn]] void refuse_glb(const std::string& path, const std::string& element,
                             const std::string& cause);

// The ids of all meshes, in their order; empty if the file does not list them.
std::vector<std::string> read_mesh_ids(const GlbDocument& document);

// One of several meshes in the file.
struct SelectedMesh {
  std::size_t index = 0;
  std::string id;
};

// Finds the mesh `wanted`: a mesh's id, or "#" and the index of its node; empty: all meshes. None
// if `wanted` is empty or names the only mesh. If the file does not have the mesh, throws Error
// (kUsage) that lists the meshes.
std::optional<SelectedMesh> select_mesh(const GlbDocument& document, const std::string& wanted,
                                        const std::string& path);

// Checks that each clip has one animation, which shows every frame of each mesh at its time, and
// nothing else. `clips`: the frames of each clip. Throws Error (kInput) otherwise.
void check_animations(const GlbDocument& document, const RandomAccessFile& file,
                      const GlbTimeline& timeline, std::span<const FrameRange> clips);

}  // namespace skinbake
