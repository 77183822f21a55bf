// Clips of another file, matched with a rig by the names of nodes or as humanoids.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/gltf.h"

namespace skinbake {

namespace gltf {
struct MatchIndex;
class MorphMatcher;  // internal
}  // namespace gltf

// The nodes and clips of a file; its meshes are not read.
struct ClipFile {
  std::string path;      // as the caller passed it
  std::string shown_as;  // the path in issues and reports, never absolute
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Clip> clips;  // their channels move nodes of `skeleton`
  HumanoidMap humanoid;     // of a VRM file or a VRM animation, otherwise empty
  FaceNodes face;           // of a VRM animation, otherwise empty
  std::vector<InputFile> inputs;
  std::vector<std::string> files;         // paths of the inputs, relative to the working directory
  std::vector<std::string> unread_files;  // as in Asset
  Issues issues;
  MorphNames morph_names;
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
// Throws Error (kInput, MAP_INVALID, FILE_UNREADABLE). Thread-safe.
NameMap load_name_map(const std::string& path);

enum class RetargetMode {
  kAuto,      // by names if all names match and rest in the same rotations, else as humanoids
  kHumanoid,  // as humanoids
  kNames,     // by names
  kOff,       // by names, and rest poses may differ: rotations are meant as they are
};

// How the motion of one character becomes that of another.
struct RetargetOptions {
  RetargetMode mode = RetargetMode::kAuto;
  RootMotion root_motion = RootMotion::kKeep;
  bool mirror = false;                        // exchanges left and right
  TPoseChoice t_pose = {}, clip_t_pose = {};  // of the rig and of the clip's file

  // Whether an option applies to humanoids only.
  bool needs_humanoid() const {
    return mode == RetargetMode::kHumanoid || root_motion != RootMotion::kKeep || mirror;
  }
};

struct MatchedClip {
  Clip clip;                  // its channels move nodes of the rig's file
  bool moves_meshes = false;  // whether a channel moves a mesh node, a joint, or a node above them
  bool as_humanoids = false;  // whether the bones of one human body moved those of another
  Issues issues;              // nodes without a match, and matches that are uncertain
};

// Returns a clip of `file` for the nodes of `rig`. Each node of the clip moves, in this order of
// preference: the nodes of the rig that the map pairs with it, the node of the same name, the node
// whose name differs in case only (ASCII), which is an issue. Channels without a match are left out
// and reported as issues; the duration does not change.
//
// Morph weights are matched by the names of their targets, if both files name them all: targets of
// the rig that the clip does not name keep their rest weights, which is an issue. Otherwise the
// weights keep their order, and both meshes must have as many.
//
// Between humanoids, the bones of the rig turn as those of the clip do, from T-pose to T-pose, and
// names do not count: nodes that are not bones move only the nodes that the map pairs with them.
// The map cannot pair nodes of the rig that bones are below, which is an issue. Two files with maps
// of VRM are always matched as humanoids in the mode kAuto. If the file or the rig has an empty
// map, find_humanoid is called. Throws Error (kInput): HUMANOID_UNKNOWN if an option needs a
// humanoid and a file is none, HUMANOID_INCOMPLETE or HUMANOID_NOT_FINITE if a map does not
// determine a T-pose; Error (kUsage, T_POSE_INVALID) for a
// wrong clip of a T-pose. Thread-safe.
MatchedClip match_clip(const ClipFile& file, const Clip& clip, const Asset& rig,
                       const NameMap& names, const RetargetOptions& options = {});

// The same for several clips of a file, which share the T-poses of both skeletons, the index of
// their nodes, the face of the rig and keys of morph weights in another order.
class ClipMatcher {
 public:
  // The arguments must outlive the object. They must not change.
  ClipMatcher(const ClipFile& file, const Asset& rig, const NameMap& names,
              const RetargetOptions& options);
  ~ClipMatcher();
  ClipMatcher(const ClipMatcher&) = delete;
  ClipMatcher& operator=(const ClipMatcher&) = delete;

  // As match_clip. Not thread-safe.
  MatchedClip match(const Clip& clip);

 private:
  struct Humanoids;

  const ClipFile& file_;
  const Asset& rig_;
  const NameMap& names_;
  const RetargetOptions& options_;
  std::unique_ptr<Humanoids> humanoids_;  // once they are needed
  std::unique_ptr<gltf::MatchIndex> index_;
  std::unique_ptr<gltf::MorphMatcher> morphs_;
};

}  // namespace skinbake
