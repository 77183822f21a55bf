// The files that a glTF file names.

#pragma once

#include <string>
#include <vector>

namespace skinbake {

// The paths of the buffers and images that a glTF file names, wherever they lie, from its JSON
// alone; the rest of the file is not read or checked. None if the file cannot be read, or if its
// JSON has more than 64 MiB.
std::vector<std::string> files_named_by(const std::string& gltf);

}  // namespace skinbake
