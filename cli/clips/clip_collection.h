// The clips that --clip selects, from the rig's file and others.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clips/clip_source.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// The selected clips, which are then the clips of the asset.
struct UsedClips {
  std::vector<std::string> ids;                // what select_clips takes
  std::map<std::string, std::string> file_of;  // by id: files other than the rig's, as in reports
  std::set<std::string> made;                  // ids: a range of motion, a list of poses
};

// Collects clips in the order of the command line, each once, matched to the rig. Throws Error for
// a clip that does not exist, that has the id of another one, or that moves nothing.
class ClipCollection {
 public:
  // The arguments must outlive the object.
  ClipCollection(const ClipSource& source, const LoadOptions& load, Asset& asset);

  void add_own(const std::string& id);
  void add_of_file(const FileClip& wanted);
  void add_made(const std::string& text);

  // Gives the asset the clips, and the issues and inputs of their files.
  UsedClips finish();

 private:
  bool moves(const MatchedClip& matched) const;
  bool is_omitted(const Clip& clip) const;
  void add_issues(Issues issues);
  MuscleRanges ranges();                       // reads the file of --ranges once
  ClipFile& file_at(const std::string& path);  // reads each file once
  void add(const std::string& path, Clip clip);

  const ClipSource& source_;
  const LoadOptions& load_;
  Asset& asset_;
  NameMap names_;
  std::optional<MuscleRanges> ranges_;
  std::deque<ClipFile> files_;  // stay in place: `file_at` returns references
  std::vector<Clip> clips_;
  std::size_t unique_issues_ = 0;  // of the asset, when they were last merged
  UsedClips used_;
  std::set<std::pair<std::string, int>> taken_;  // path and index of each clip
  std::map<std::string, std::string> path_of_;   // by id
};

}  // namespace skinbake::cli
