// The options of a baked GLB.

#pragma once

#include <array>

#include "caches/format_options.h"

namespace skinbake {

struct GlbOptions {
  bool step = false;      // interpolation=step; false: linear
  int bits = 0;           // bits per coordinate, with quantize=1; 0: coordinates are floats
  bool meshopt = false;   // quantized vertices are compressed
  bool normals = false;   // normals are stored, where the header has them
  bool tangents = false;  // tangents are stored, where the header has them; implies normals

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
    format_switch("tangents", "Store tangents beside the normals")};

// Throws Error (kUsage, FORMAT_OPTION_UNKNOWN) for an unknown option or value, and for an option
// without the option that it requires.
GlbOptions parse_glb_options(const CacheOptions& options);

}  // namespace skinbake
