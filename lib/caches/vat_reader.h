// A vertex animation texture as a shader plays it, for `verify`: of its files and nothing else.

#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Where they can be read.
struct VatFiles {
  std::string texture, mesh, sidecar;
  std::string normals;  // empty: there are none
  bool are_png = false;
};

// Both textures are decoded at once, by the libraries of their format, and wait in temporary files,
// 12 bytes per texel. Throws Error (kInput if they are no such files; kOutput if there is no room).
std::unique_ptr<StoredFrames> read_vat(const VatFiles& files);

}  // namespace skinbake
