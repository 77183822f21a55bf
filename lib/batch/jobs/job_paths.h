// The paths and the clips in the settings of a job, and the values of placeholders.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "batch/jobs/batch_plan.h"

namespace skinbake {

// The text with `to` in place of each `from`.
std::string replaced(std::string text, std::string_view from, const std::string& to);

// The first output of a job without {clip}, which holds all clips, and the first output with {clip}
// that the command writes once for each run, such as a report. Null: there is none.
struct ClipPlaces {
  const Setting* missing = nullptr;
  const Setting* only_one = nullptr;
};
ClipPlaces places_of_clips(const ManifestCommand& command, const std::vector<Setting>& settings);

// The meshes of a rig that the job's `mesh` selects; all of them without `mesh`.
std::vector<const MeshFacts*> selected_meshes(const RigFacts& facts,
                                              const std::vector<Setting>& settings);

bool has_clip(const RigFacts& facts, const std::string& id);

// Whether a value of `clip` that begins with '!' omits a clip of the rig.
bool omits_a_clip(const RigFacts& facts, const std::string& value);

// The clips that the values of `clip` select: the ids of "#3", of "all" and of a pattern, or
// another value of --clip as it is; without values, the only clip. Each once, in the order of the
// values. Sets `is_matched[i]` if the value i selects a clip of this rig or of another file, or a
// clip that is made. An id that the rig does not have is selected too: its task will fail.
std::vector<std::string> selected_clips(const RigFacts& facts,
                                        const std::vector<std::string>& wanted,
                                        std::vector<bool>& is_matched);

// The value of --clip that means one clip of the rig, given its id: the id, or "#3" if the id means
// further clips as well, as "all" and patterns do. Other values stay as they are.
std::string unambiguous_clip(const RigFacts& facts, const std::string& id);

// The file of a value of `clip`: "run.glb" of "run.glb" and of "run.glb#Run". Empty: it has none.
std::string file_of_clip(const std::string& value);

// The first placeholder that is not replaced in the values of the key, such as "{msh}"; empty:
// there is none.
std::string unknown_placeholder(const ManifestKey& key, const Setting& setting);

// "{rig}, {clip}, {mesh} and {method}", or the placeholders that the key's values may have.
std::string known_placeholders(const ManifestKey& key);

// A rig as the key of the plan's list of rigs.
std::string key_of(const PlannedRig& rig);

// The file with a clip of another rig, which is loaded as a rig for its clips.
PlannedRig clip_file(const std::string& path, const std::vector<Setting>& settings);

// "job 'walk' with rig 'hero.glb' and clip 'Walk'", for messages.
std::string text_of_task(const TaskName& name);

// Replaces {rig} by the name of the rig's file without its extension, and {clip} by the clip unless
// it is null.
std::string with_names(std::string text, const std::string& rig_path, const std::string* clip);

// Without a method, {method} stays.
struct PathNames {
  std::string rig;   // its path
  std::string clip;  // as the task names it; empty: the task has all of `clips`
  std::vector<std::string> clips, meshes;  // ids
  std::string method;                      // canonical

  // `command_expands`: the command replaces {mesh}, {clip} and {method} itself, by ids.
  std::vector<std::string> paths_of(const std::string& value, bool command_expands) const;
};

// `rig`: null if it is not known. `clips`: the ids that the command gives the clips of the task.
PathNames path_names(const std::string& command, const std::vector<Setting>& settings,
                     const TaskName& task, const RigFacts* rig, std::vector<std::string> clips);

}  // namespace skinbake
