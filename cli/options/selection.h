// Clips and meshes of a file, selected by the values of --clip and --mesh.

#pragma once

#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// The clips that --clip selects: exact ids, "all", "#index" or patterns ("Idle*") of ids; without
// those of the values that begin with '!'. None, or an empty id: the only clip; only values with
// '!': all others. In the order of the command line, each once. If the file does not have clips,
// "all" and none give one null, the rest pose. `path`: the clips' file, for messages. Throws Error
// (kUsage) that lists the clips.
std::vector<const Clip*> select_clips(const std::vector<Clip>& clips, const std::string& path,
                                      const std::vector<std::string>& values);

// The rigs that --mesh selects, by the same rules: exact ids, "#node" or patterns; empty: every
// mesh node. In the order of the file. Throws Error (kUsage) that lists the mesh nodes.
std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& values);

// Whether the values of --clip or --mesh may select more than one element.
bool selects_several(const std::vector<std::string>& values);

// How many mesh nodes of the asset one bake takes: each searches the nodes and channels of the
// whole scene.
std::size_t most_mesh_nodes(const Asset& asset);

}  // namespace skinbake::cli
