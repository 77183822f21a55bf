// Clips from another file, matched to a rig by the names of nodes.

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
  std::string path;      // as typed
  std::string shown_as;  // in issues and reports: never an absolute path
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Clip> clips;             // their channels move nodes of `skeleton`
  std::vector<HumanoidBone> humanoid;  // of a VRM animation; empty: the file is none
  std::uint64_t memory_left = 0;       // of what LoadOptions allow: matching may need some
  std::vector<InputFile> inputs;
  std::vector<std::string> files;  // the same files, as they can be opened from here
  Issues issues;
};

// Throws Error as load_asset does.
ClipFile load_clip_file(const std::string& path, const LoadOptions& options = {});

// Pairs of nodes whose names differ.
struct NameMap {
  std::string path;                                 // as typed; empty: there is no map
  std::string shown_as;                             // in issues and reports
  std::map<std::string, std::string> clip_name_of;  // the rig's name to the clip's
  std::vector<InputFile> inputs;                    // the map's file, with the role "parameters"
};

// Reads {"name in the rig": "name in the clip's file", …}.
// Throws Error (kInput, MAP_INVALID or FILE_UNREADABLE).
NameMap load_name_map(const std::string& path);

struct MatchedClip {
  Clip clip;      // its channels move nodes of the rig's file
  Issues issues;  // what could not be matched, or only almost
};

// A clip of the file for a rig. A node of the clip moves the nodes of the rig that the map pairs
// with it; else that of the same name; else that whose name differs in case alone (ASCII), which is
// an issue. Channels without such a node are left out and issues; the clip's duration is the
// file's. Between a VRM animation and a rig with a map of humanoid bones, bones are matched in the
// place of names, and their keys turned into the rig's frames.
MatchedClip match_clip(const ClipFile& file, const Clip& clip, const Asset& rig,
                       const NameMap& names);

}  // namespace skinbake
