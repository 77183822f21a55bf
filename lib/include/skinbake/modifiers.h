// Rig modifiers: changes that an engine or a rigger makes to the skin weights or joints before a
// method deforms the mesh. A modifier maps a Rig to a Rig, so it combines with every method.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake {

// Keeps the `count` largest influences of each vertex and divides them by their sum.
struct LimitInfluences {
  int count = 4;  // 1 or more
};

// Keeps at most `count` influences of each vertex, chosen and weighted by their effect on motion
// (fit_influences.h).
struct FitInfluences {
  int count = 4;  // 1 … kMostFittedInfluences
  // Ids of clips, "rom", "rom:PART", or "all" alone: every clip of the rig's file, and "rom" if the
  // rig is a humanoid.
  std::vector<std::string> training{"all"};
};
inline constexpr int kMostFittedInfluences = 12;

// Rounds weights to integers of 8 or 16 bits whose sum is 255 or 65535.
struct QuantizeWeights {
  int bits = 8;
};

// The weights of one engine after import: a limit and, for some engines, a quantisation.
struct EngineProfile {
  std::string_view id;  // "unreal-4"
  int count = 4;
  int bits = 0;  // 0: weights are not quantised
};

// Distributes the twist of a joint's segment over helper joints along it. kChild (forearm, shin):
// the twist of the child relative to the joint, from none at the joint to all at the child. kSelf
// (upper arm, thigh): the twist of the joint relative to its parent, from none at the joint to all
// at the child.
struct ShareTwist {
  enum class From { kChild, kSelf };
  std::string joint;         // a node's name, "#<node>", or "auto": arms and legs, found by name
  int helpers = 3;           // between the two ends, 1 or more
  From from = From::kChild;  // ignored for "auto", which chooses by the limb
};

using Modifier =
    std::variant<LimitInfluences, FitInfluences, QuantizeWeights, EngineProfile, ShareTwist>;

// Parses the text of one modifier. `kind` is "influences", "weights", "profile" or "twist"; `value`
// is for example "4", "4:fit=all", "u8", "unreal-4" or "forearm.L:n=3,from=child". Throws Error
// (kUsage, MODIFIER_UNKNOWN or MODIFIER_INVALID) with the valid values in the message. Thread-safe.
Modifier parse_modifier(std::string_view kind, std::string_view value);

// Returns "influences=4", "influences=4:fit=all", "weights=u8", "profile=unreal-4" or
// "twist=forearm.L:n=3,from=child".
std::string canonical(const Modifier& modifier);

// Returns all engine profiles. The span is valid for the life of the program.
std::span<const EngineProfile> engine_profiles();

// Distances to the positions that a fit of influences should reach, over vertices and frames.
struct FitDistances {
  double rms_m = 0, max_m = 0;
};

// The same distances for the fit, and if every vertex kept its largest influences.
struct FitComparison {
  FitDistances fit, largest;
};

// How near a fit comes. The positions to reach are those that linear blending gives with all
// influences.
struct InfluenceFitErrors {
  std::int64_t frames = 0;                // instants that the fit learned from
  std::int64_t vertices_fitted = 0;       // the others keep their largest influences
  FitComparison trained;                  // on the frames that the fit learned from
  std::optional<FitComparison> left_out;  // on those that were left out in turn; none: a short clip
};

// The influences of all vertices after a fit, in the layout of Rig.
struct FittedInfluences {
  std::vector<std::uint32_t> first_influence{0};
  std::vector<Influence> influences;
  InfluenceFitErrors errors;
};

// The effect of one modifier on one rig. The weight moved at a vertex is the sum of the weights
// that its joints lost to other joints.
struct ModifierRecord {
  std::string modifier;  // canonical; "auto" makes one record per limb
  std::int64_t vertices_touched = 0;
  double largest_weight_moved = 0;    // 0 … 1
  std::optional<VertexIndex> vertex;  // of the largest weight moved; none if no weight moved
  std::vector<std::string> joints_added;
  std::optional<InfluenceFitErrors> fit;  // of FitInfluences
};

struct ModifiedRig {
  Rig rig;
  std::vector<ModifierRecord> changes;  // one per modifier that applies to this rig, in order
  Issues issues;                        // limbs that a modifier skipped; pointers are into the glTF
};

// What modifiers need beside the rigs.
struct ModifierInputs {
  std::span<const HumanoidBone> humanoid = {};  // the humanoid map of the file, or empty
  // All rigs of the file; empty: the modified rigs are all. The ends of a joint's segment are
  // computed from all of them, so that vertices shared by two meshes stay together.
  std::span<const Rig* const> file = {};
  // Fits the influences of a skinned rig; needed for FitInfluences, which requires clips.
  std::function<FittedInfluences(const Rig& rig, const FitInfluences& fit)> fit = {};
};

// Returns the rigs after all modifiers, in the order of `rigs`. A rig without the joint of a twist
// is not changed.
// Preconditions: no pointer is null; all rigs are valid.
// Throws Error (kUsage): TWIST_JOINT_UNKNOWN if no rig has the joint, TWIST_JOINT_AMBIGUOUS if
// several joints have the name, TWIST_IMPOSSIBLE if the length of the joint's segment is zero or
// the twist does not have a second end, FIT_WITHOUT_CLIPS if a fit does not have clips.
// Thread-safe.
std::vector<ModifiedRig> modify(std::span<const Rig* const> rigs,
                                std::span<const Modifier> modifiers, const ModifierInputs& inputs);

}  // namespace skinbake
