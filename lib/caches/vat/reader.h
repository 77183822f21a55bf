// The frames of a vertex animation texture as a shader computes them, for verification. Only the
// written files are read.

#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Paths under which this process can read the files of a vertex animation texture.
struct VatImages {
  std::string texture;  // with split=8 the high bytes
  std::string low;      // the low bytes; empty: texels are not split
};
struct VatFiles {
  VatImages positions;
  std::string mesh, sidecar;
  VatImages normals;     // texture empty: no texture of normals
  bool are_png = false;  // else EXR
};

// Decodes the textures into temporary files, 12 bytes per texel. Throws Error (kInput if a file is
// invalid; kOutput if the disk is full).
std::unique_ptr<StoredFrames> read_vat(const VatFiles& files);

}  // namespace skinbake
