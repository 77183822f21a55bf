// From what the user typed to clips and meshes of an asset. All throw Error (kUsage),
// naming what there is.

#pragma once

#include <string>
#include <vector>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// --clip: an exact id, "all", "#index"; empty: the only clip. No clips give one null: the rest
// pose. `path` is the file's.
std::vector<const Clip*> select_clips(const std::vector<Clip>& clips, const std::string& path,
                                      const std::string& wanted);

// --mesh, repeated: exact ids or "#node"; none: every mesh node. In the order of the file.
std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& wanted);

}  // namespace skinbake::cli
