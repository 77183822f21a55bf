// Errors of a mesh's frames: the library that computes them knows no files.

#pragma once

#include <string>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// Does the work. An error about the rig then names the file and the node of its mesh.
template <class Work>
void naming_the_mesh(const std::string& file, const Rig& rig, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput || !error.location().file.empty()) throw;
    throw Error(error.kind(), error.code(), error.what(),
                {file, "/nodes/" + std::to_string(rig.node)});
  }
}

}  // namespace skinbake::cli
