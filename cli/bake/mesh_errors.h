// Locations of errors in a mesh's frames. The library that computes the frames does not know files.

#pragma once

#include <string>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// Calls `work`. An input error without a location then names the file and the mesh's node.
template <class Work>
void with_mesh_location(const std::string& file, const Rig& rig, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput || !error.location().file.empty()) throw;
    throw Error(error.code(), error.message(), {file, "/nodes/" + std::to_string(rig.node)},
                error.remedy());
  }
}

}  // namespace skinbake::cli
