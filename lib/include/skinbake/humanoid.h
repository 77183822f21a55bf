// Humanoids: which node of a file is which bone of the human skeleton of VRM 1.0.

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake {

// The bones of one body and their nodes.
struct HumanoidMap {
  // Where the map is from: "vrm0", "vrm1" or "vrma" for the extension of a file, "file" for a map
  // that the user wrote, "names:mixamo" for a table of names, "structure" for the shape of the
  // hierarchy; empty: there is no map.
  std::string source;
  std::vector<HumanoidBone> bones;  // sorted by bone
};

// Which pose of a file counts as its T-pose.
enum class TPoseSource {
  kByMap,  // kRest for the map of a VRM file, which promises it; kAuto for others
  kAuto,   // the rest pose with every bone turned to the direction that it has in a T-pose
  kRest,   // the rest pose
  kClip,   // an instant of a clip of the file
};

struct TPoseChoice {
  TPoseSource source = TPoseSource::kByMap;
  std::string clip = {};  // kClip: its id
  double time_s = 0;

  bool operator==(const TPoseChoice&) const = default;
};

// What becomes of the place of the hips when a clip moves another character.
enum class RootMotion {
  kKeep,
  kInPlace,  // the hips stay above one point of the ground
  kNone,     // the hips stay where they rest
};

// The range of a muscle's angle, in degrees from the T-pose: -180 <= min_deg <= 0 <= max_deg <=
// 180.
struct MuscleRange {
  double min_deg = 0;  // flexion, forward, down, inward or to the left
  double max_deg = 0;  // extension, backward, up, outward or to the right
};

// Ranges by the names of muscles: "leftForearmTwist". Other muscles keep their own ranges.
using MuscleRanges = std::map<std::string, MuscleRange>;

// Maps the bones by the names of the nodes or, if no table of names finds all required bones, by
// the structure of the hierarchy. The map has all required bones, or it is empty. Thread-safe.
HumanoidMap find_humanoid(const Skeleton& skeleton);

// The given map, or else the one that find_humanoid finds. Throws Error (kInput, HUMANOID_UNKNOWN)
// if there is none. `file` is the file in the message. Thread-safe.
HumanoidMap required_humanoid(const HumanoidMap& given, const Skeleton& skeleton,
                              const std::string& file);

// The choice with the meaning of kByMap for a map. Thread-safe.
TPoseChoice resolved(const TPoseChoice& choice, const HumanoidMap& map);

// What is wrong with a map and with the rest pose of its bones. `file` is the file in the issues.
// Precondition: every node of the map is a node of the skeleton. Thread-safe.
Issues humanoid_findings(const Skeleton& skeleton, const HumanoidMap& map, const std::string& file);

// Of these findings the warning HUMANOID_SCALE about nodes with a negative scale that bones are
// below: the rotations of poses do not contain it, so that these bones turn to other directions.
// Same precondition. Thread-safe.
Issues negative_scales(const Skeleton& skeleton, const HumanoidMap& map, const std::string& file);

}  // namespace skinbake
