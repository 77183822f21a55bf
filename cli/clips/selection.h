// Clips and meshes of a file, selected by the values of --clip and --mesh.

#pragma once

#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// The clips that --clip selects: exact ids, "all", "#index" or patterns ("Idle*") of ids; minus the
// clips of the values that begin with '!'. None, or an empty id: the only clip; only values with
// '!': all others. In the order of the command line, each once. If the file does not have clips,
// "all" and none give one null, the rest pose. `path`: the clips' file, for messages. Throws Error
// (kUsage) that lists the clips, and the fault of a selected clip.
std::vector<const Clip*> select_clips(const std::vector<Clip>& clips, const std::string& path,
                                      const std::vector<std::string>& values);

// The same, without throwing the fault of a clip, or of a rig.
std::vector<const Clip*> find_clips(const std::vector<Clip>& clips, const std::string& path,
                                    const std::vector<std::string>& values);
std::vector<const Rig*> find_meshes(const Asset& asset, const std::vector<std::string>& values);

// Throws Error (kUsage, CLIP_AMBIGUOUS) if a value of --clip is the name of a clip, and means
// others too, which would be left out unnoticed: 'all', a pattern.
void require_one_meaning(const std::vector<Clip>& clips, const std::string& path,
                         const std::string& value);

// The rigs that --mesh selects, by the same rules: exact ids, "all", "#node" or patterns; empty:
// every mesh node. In the order of the file. Throws Error (kUsage) that lists the mesh nodes, and
// the fault of a selected rig.
std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& values);

// The values of --clip or --mesh that begin with '!' and match nothing of the asset, so that they
// omit nothing. In the order of the command line.
std::vector<std::string> unmatched_clip_exclusions(const Asset& asset,
                                                   const std::vector<std::string>& values);
std::vector<std::string> unmatched_mesh_exclusions(const Asset& asset,
                                                   const std::vector<std::string>& values);

// The other values of --clip and --mesh that select nothing of the asset. A clip of another file,
// or one that is made, selects something.
std::vector<std::string> unmatched_clips(const Asset& asset,
                                         const std::vector<std::string>& values);
std::vector<std::string> unmatched_meshes(const Asset& asset,
                                          const std::vector<std::string>& values);

// The same rules for the names of files that are not rigs, such as caches: whether the values of
// --clip or --mesh select the name.
bool selects_name(const std::vector<std::string>& values, const std::string& id);

// The values of --clip or --mesh that match none of the names: the values that select, and the
// values that begin with '!'.
struct UnmatchedNames {
  std::vector<std::string> chosen, omitted;
};
UnmatchedNames unmatched_names(const std::vector<std::string>& values,
                               const std::vector<std::string>& ids);

// Throws Error (kUsage): `place` has no clip or mesh node of this name; it has `ids`.
[[noreturn]] void fail_unknown_clip(const std::string& place, const std::string& wanted,
                                    const std::vector<std::string>& ids);
[[noreturn]] void fail_unknown_mesh(const std::string& place, const std::string& wanted,
                                    const std::vector<std::string>& ids);

// The warnings EXCLUSION_UNMATCHED for clips and meshes; empty `file`: several files were searched.
Issues warn_of_exclusions(const std::string& file, const std::vector<std::string>& clips,
                          const std::vector<std::string>& meshes);
Issues warn_of_exclusions(const Asset& asset, const std::vector<std::string>& clip_values,
                          const std::vector<std::string>& mesh_values);

// Whether the values of --clip or --mesh may select more than one element.
bool selects_several(const std::vector<std::string>& values);

// How many mesh nodes of the asset one bake takes: each searches the nodes and channels of the
// whole scene.
std::size_t most_mesh_nodes(const Asset& asset);

}  // namespace skinbake::cli
