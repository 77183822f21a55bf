// Clips and meshes of a file, selected by the values of --clip and --mesh.

#pragma once

#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// The clips that --clip selects: an exact id, "all" or "#index"; empty: the only clip. Without
// clips: one null, the rest pose. `path`: the clips' file, for messages. Throws Error (kUsage) that
// lists the clips.
std::vector<const Clip*> select_clips(const std::vector<Clip>& clips, const std::string& path,
                                      const std::string& wanted);

// The rigs that --mesh selects: exact ids or "#node"; empty: every mesh node. In the order of the
// file. Throws Error (kUsage) that lists the mesh nodes.
std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& wanted);

// The values of --clip and --map.
struct ClipSource {
  std::string clip;  // "ID" or "FILE[#ID]"
  std::string map;   // a file of name pairs; empty: names are the same
};

// If --clip names a file, replaces the asset's clips by the selected clips of that file, matched to
// the rig by node name, and returns "all". Otherwise returns the value of --clip. Throws Error.
std::string use_clip_file(const ClipSource& source, const LoadOptions& load, Asset& asset);

}  // namespace skinbake::cli
