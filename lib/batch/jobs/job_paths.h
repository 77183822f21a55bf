// The paths in the settings of a job: which hold all clips, and what their placeholders become.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skinbake/tool/batch_plan.h"

namespace skinbake {

// The text with `to` in place of each `from`.
std::string replaced(std::string text, std::string_view from, const std::string& to);

// The first output of a job without {clip}, which holds all clips, and the first output with {clip}
// that the command writes once for each run, such as a report. Null: there is none.
struct ClipPlaces {
  const Setting* missing = nullptr;
  const Setting* only_one = nullptr;
};
ClipPlaces places_of_clips(const std::vector<Setting>& settings);

// The meshes of a rig that the job's `mesh` selects; all of them without `mesh`.
std::vector<const MeshFacts*> selected_meshes(const RigFacts& facts,
                                              const std::vector<Setting>& settings);

// The clips that the values of `clip` select: an id, "all", a pattern of ids, or another value of
// --clip as it is; without values, the only clip. Each once, in the order of the values. Sets
// `is_matched[i]` if the value i selects a clip of this rig.
std::vector<std::string> selected_clips(const RigFacts& facts,
                                        const std::vector<std::string>& wanted,
                                        std::vector<bool>& is_matched);

// Whether the command replaces {mesh}, {clip} and {method} in the values of this key itself.
bool expands_itself(const std::string& command, const std::string& key);

// Replaces {rig} by the name of the rig's file without its extension, and {clip} by the clip unless
// it is null.
std::string with_names(std::string text, const std::string& rig_path, const std::string* clip);

}  // namespace skinbake
