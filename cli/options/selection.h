// Clips and meshes of a file, selected by the values of --clip and --mesh.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/clip_file.h"
#include "skinbake/gltf.h"
#include "skinbake/report.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

// The clips that --clip selects: exact ids, "all" or "#index"; none: the only clip. In the order of
// the command line, each once. If the file does not
// have clips, "all" and none give one null, the rest pose. `path`: the clips' file, for
// messages. Throws Error (kUsage) that lists the clips.
std::vector<const Clip*> select_clips(const std::vector<Clip>& clips, const std::string& path,
                                      const std::vector<std::string>& wanted);

// The rigs that --mesh selects: exact ids or "#node"; empty: every mesh node. In the order of the
// file. Throws Error (kUsage) that lists the mesh nodes.
std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& wanted);

// How many mesh nodes of the asset one bake takes: each searches the nodes and channels of the
// whole scene.
std::size_t most_mesh_nodes(const Asset& asset);

// A value of --clip that names a file, FILE[#ID].
struct FileClip {
  std::string path;  // empty: the value does not name a file
  std::string id;    // empty: the only clip
};
FileClip split_clip(const std::string& value);

// The values of --clip, and how clips of other files move the rig.
struct ClipSource {
  // "ID", "FILE[#ID]", "rom", "rom:PART" or "poses:FILE"
  std::vector<std::string> clips;
  std::string map;                      // a file of name pairs; empty: names are the same
  std::string humanoid, clip_humanoid;  // files with bones and nodes; empty: none
  std::string ranges;                   // a file of muscle ranges; empty: none
  double fps = 30;                      // of poses that have no duration
  RetargetOptions retarget = {};
};

// The clips that use_clip_files selected.
struct UsedClips {
  std::vector<std::string> ids;                // what select_clips takes
  std::map<std::string, std::string> file_of;  // by id: files other than the rig's, as in reports
  std::optional<RetargetSettings> retarget;    // none: the rig's clips as they are
};

// Whether every selected clip is the rig's own and no option changes it.
bool keeps_own_clips(const ClipSource& source, const Asset& asset);

// Gives the asset the map of --humanoid. If --clip names more than clips of the rig, or if an
// option changes the motion of a human body, replaces the asset's clips by all selected clips,
// matched to the rig, and returns their ids. Otherwise returns the values of --clip. Throws Error.
UsedClips use_clip_files(const ClipSource& source, const LoadOptions& load, Asset& asset);

}  // namespace skinbake::cli
