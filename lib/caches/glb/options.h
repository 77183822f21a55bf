// The options of a baked GLB.

#pragma once

#include <array>
#include <span>
#include <string>

#include "caches/format_list.h"
#include "skinbake/caches.h"
#include "skinbake/frames.h"

namespace skinbake {

// three.js (and <model-viewer>, which contains it) and Babylon.js store the targets of a mesh as
// the layers of a WebGL texture array. Graphics cards have at most 2048 layers
// (MAX_ARRAY_TEXTURE_LAYERS); a texture with more is not created, and the mesh stands still.
inline constexpr int kMaxViewerTargets = 2048;

struct GlbOptions {
  bool step = false;      // interpolation=step; false: linear
  int bits = 0;           // bits per coordinate, with quantize=1; 0: coordinates are floats
  bool meshopt = false;   // quantized vertices are compressed
  bool normals = false;   // normals are stored, where the header has them
  bool tangents = false;  // tangents are stored, where the header has them; implies normals
  int max_targets = 0;    // of a mesh, with split=1; 0: the file is not split

  bool is_quantized() const { return bits != 0; }
};

inline constexpr std::array kGlbOptions{
    MethodParameter{.name = "interpolation",
                    .help = "Interpolation between frames: linear, or the earlier frame",
                    .choices = "linear|step"},
    format_switch("quantize", "Store vertices as integers on a grid"),
    MethodParameter{.name = "bits",
                    .help = "Bits of a quantized coordinate",
                    .initial = 16,
                    .lowest = 8,
                    .highest = 16,
                    .whole = true},
    format_switch("meshopt",
                  "Compress quantized vertices with meshoptimizer; not read by Blender 3.4"),
    format_switch("normals", "Store normals beside the positions"),
    format_switch("tangents", "Store tangents beside the normals"),
    format_switch("split",
                  "Write several meshes by time, because viewers limit the targets of one"),
    MethodParameter{.name = "targets",
                    .help = "Most morph targets of a mesh with split=1, a multiple of 16",
                    .initial = kMaxViewerTargets,
                    .lowest = kFramesPerBlock,
                    .highest = kMaxViewerTargets,
                    .whole = true,
                    .multiple_of = kFramesPerBlock}};

// Throws Error (kUsage, FORMAT_OPTION_UNKNOWN) for an unknown option or value, and for an option
// without the option that it requires.
GlbOptions parse_glb_options(const CacheOptions& options);

// Returns the issue GLB_MANY_TARGETS for each mesh that has more targets. `headers`: of the meshes
// of the file at `path`.
Issues viewer_issues(const std::string& path, std::span<const CacheHeader> headers);

}  // namespace skinbake
