// Rig modifiers: what an engine or a rigger changes before any method skins. Rig -> Rig, in the
// order given, with every method.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake {

// Keeps the largest influences of each vertex, and makes their sum 1 again.
struct LimitInfluences {
  int count = 4;  // 1 or more
};

// Stores weights as whole numbers of 8 or 16 bits whose sum is 255 or 65535.
struct QuantizeWeights {
  int bits = 8;
};

// What an engine does at import: a limit, and in some a quantisation.
struct EngineProfile {
  std::string_view id;  // "unreal-4"
  int count = 4;
  int bits = 0;  // 0: weights stay as they are
};

// Splits the twist of a joint's bone over helper joints along it: with kChild (forearm, shin) the
// twist of the child against the joint, none at the joint and all at the child; with kSelf (upper
// arm, thigh) that of the joint against its parent, taken back at the joint and left at the child.
struct ShareTwist {
  enum class From { kChild, kSelf };
  std::string joint;  // a node's name, "#<node>", or "auto": limbs that are known by their names
  int helpers = 3;    // between the two ends, 1 or more
  From from = From::kChild;  // "auto" chooses by the limb
};

using Modifier = std::variant<LimitInfluences, QuantizeWeights, EngineProfile, ShareTwist>;

// `option` is "influences", "weights", "profile" or "twist"; `value` what the user gave it: "4",
// "u8", "unreal-4", "forearm.L:n=3,from=child". Throws Error (kUsage), naming what there is.
Modifier parse_modifier(std::string_view option, std::string_view value);

// "influences=4", "weights=u8", "profile=unreal-4", "twist=forearm.L:n=3,from=child".
std::string canonical(const Modifier& modifier);

// The profiles there are.
std::span<const EngineProfile> engine_profiles();

// What one modifier did to one rig. A vertex's weight "moved" is the part of it that other joints
// than before move now.
struct ModifierRecord {
  std::string modifier;  // canonical; "auto" is one record for each limb
  std::int64_t vertices_touched = 0;
  double largest_weight_moved = 0;    // 0 … 1
  std::optional<VertexIndex> vertex;  // where; none if no vertex was touched
  std::vector<std::string> joints_added;
};

struct ModifiedRig {
  Rig rig;
  std::vector<ModifierRecord> changes;  // of the modifiers that concern this rig, in their order
  Issues issues;                        // what a modifier left alone; pointers are into the glTF
};

// The rigs after all modifiers, in the same order. `humanoid` is the file's own map, if it has one;
// `file` all rigs of the file, whichever are modified (none: those that are): where a bone goes and
// who is above it is decided over all of them, so that meshes of one body stay together.
// A rig without the joint of a twist stays as it is. Throws Error (kUsage) if no rig has the joint
// (the message lists those there are), if its bone has no length, or if the twist has no other end.
std::vector<ModifiedRig> modify(std::span<const Rig* const> rigs,
                                std::span<const Modifier> modifiers,
                                std::span<const HumanoidBone> humanoid,
                                std::span<const Rig* const> file = {});

}  // namespace skinbake
