// Clips of another file, matched with a rig by the names of nodes.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/gltf.h"

namespace skinbake {

// The nodes and clips of a file; its meshes are not read.
struct ClipFile {
  std::string path;      // as the caller passed it
  std::string shown_as;  // the path in issues and reports, never absolute
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Clip> clips;        // their channels move nodes of `skeleton`
  HumanoidMap humanoid;           // of a VRM animation, otherwise empty
  std::uint64_t memory_left = 0;  // bytes of LoadOptions::max_memory that match_clip may use
  std::vector<InputFile> inputs;
  std::vector<std::string> files;         // paths of the inputs, relative to the working directory
  std::vector<std::string> unread_files;  // as in Asset
  Issues issues;
};

// Reads the skeleton and the clips of a file. Throws the errors of load_asset. Thread-safe.
ClipFile load_clip_file(const std::string& path, const LoadOptions& options = {});

// Pairs of nodes whose names differ. "#7" is the node of index 7 unless a node has this name.
struct NameMap {
  std::string path;                                 // as the caller passed it; empty: no map
  std::string shown_as;                             // the path in issues and reports
  std::map<std::string, std::string> clip_name_of;  // the rig's name to the clip's name
  std::vector<InputFile> inputs;                    // the map's file, with the role "parameters"
};

// Reads {"name in the rig": "name in the clip's file", …}.
// Throws Error (kInput, MAP_INVALID or FILE_UNREADABLE). Thread-safe.
NameMap load_name_map(const std::string& path);

struct MatchedClip {
  Clip clip;                  // its channels move nodes of the rig's file
  bool moves_meshes = false;  // whether a channel moves a mesh node, a joint, or a node above them
  Issues issues;              // nodes without a match, and matches that are uncertain
};

// Returns a clip of `file` for the nodes of `rig`. Each node of the clip moves, in this order of
// preference: the nodes of the rig that the map pairs with it, the node of the same name, the node
// whose name differs in case only (ASCII), which is an issue. Channels without a match are left out
// and reported as issues; the duration does not change. Between a VRM animation and a rig with a
// humanoid map, humanoid bones are matched instead of names, and their keys are converted to the
// rig's rest frames. Nodes that are not bones then move only the nodes that the map pairs with
// them. Throws Error (kInput, MEMORY_LIMIT) if converted keys exceed file.memory_left. Thread-safe.
MatchedClip match_clip(const ClipFile& file, const Clip& clip, const Asset& rig,
                       const NameMap& names);

}  // namespace skinbake
