// Locations and remedies of errors in the frames of a clip. The library does not know files and
// options.

#pragma once

#include <string>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// Returns work(). An error about a helper joint or a position that is not finite then names the
// file and the mesh's node, and that about a position what else helps.
template <class Work>
auto with_clip_remedy(const std::string& file, const Rig& rig, const std::string& remedy,
                      const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const bool is_position = error.code() == "NON_FINITE_POSITION";
    const bool is_of_mesh = is_position || error.code() == "HELPERS_IMPOSSIBLE";
    if (!is_of_mesh || !error.location().file.empty()) throw;
    throw Error(error.code(), error.message() + (is_position ? ", " + remedy : ""),
                {file, "/nodes/" + std::to_string(rig.node)}, error.remedy());
  }
}

}  // namespace skinbake::cli
