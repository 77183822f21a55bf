// What --format glb:… says.

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace skinbake {

struct GlbOptions {
  bool step = false;      // interpolation
  int bits = 0;           // of a coordinate, with quantize=1; 0: floats
  bool meshopt = false;   // compressed; only what is quantised
  bool normals = false;   // those that the header has
  bool tangents = false;  // likewise; then normals too

  bool is_quantised() const { return bits != 0; }
};

inline constexpr std::string_view kGlbOptions =
    "interpolation=linear|step, quantize=0|1, bits=8|9|…|16, meshopt=0|1, normals=0|1, "
    "tangents=0|1";

// Throws Error (kUsage) for an option or a value that there is not.
GlbOptions parse_glb_options(const std::map<std::string, std::string>& options);

}  // namespace skinbake
