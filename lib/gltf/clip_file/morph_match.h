// Matches the morph weights of a clip's nodes and of a rig's nodes by the names of the targets.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "skinbake/gltf.h"

namespace skinbake::gltf {

struct MatchedMorphs {
  std::optional<Channel> channel;  // of the rig's node; none: the channel moves nothing there
  std::string problem;             // why there is no channel, or what it leaves out; may be empty
};

// The matches share keys.
class MorphMatcher {
 public:
  // The arguments must outlive the object.
  MorphMatcher(const ClipFile& file, const Asset& rig);

  // Preconditions: the channel moves morph weights of a node of the file, and `target` is a node of
  // the rig.
  MatchedMorphs match(const Channel& channel, NodeIndex target);

 private:
  using TargetNames = std::vector<std::string>;
  using Values = std::shared_ptr<const std::vector<double>>;
  struct Pairing {
    const TargetNames* of_clip = nullptr;
    const TargetNames* of_rig = nullptr;
    std::vector<int> clip_target_of;  // [target of the rig]; -1: the clip does not name it
    std::vector<int> rig_target_of;   // [target of the clip]; -1: the rig does not name it
    bool is_same = false;             // the names have one order
  };

  MatchedMorphs by_order(const Channel& channel, NodeIndex target) const;
  MatchedMorphs one_by_name(const Channel& channel, NodeIndex target);
  MatchedMorphs all_by_name(const Channel& channel, NodeIndex target);
  void pair(const TargetNames& of_clip, const TargetNames& of_rig);
  // The values of a channel in the order of the rig's targets.
  Values reordered(const Channel& channel, const std::vector<double>& at_rest) const;

  const ClipFile& file_;
  const Asset& rig_;
  std::map<NodeIndex, const std::vector<double>*> rest_weights_;  // of the rig's mesh nodes
  Pairing pairing_;                                               // of the last channel
  // By the channel's values, its interpolation, its node and the rig's node.
  std::map<std::tuple<Values, Interpolation, NodeIndex, NodeIndex>, Values> made_;
};

}  // namespace skinbake::gltf
