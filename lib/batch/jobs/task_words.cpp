// The name, the command line and the clips of a task.

#include <filesystem>
#include <utility>

#include "batch/jobs/batch_plan.h"
#include "batch/jobs/job_paths.h"

namespace skinbake {

TaskName BatchPlan::name(const BatchTask& task) const {
  return {manifest_.jobs[task.job].name, task.rig == BatchTask::kNoRig ? "" : rigs_[task.rig].path,
          task.clip == BatchTask::kNoClip ? "" : texts_[task.clip]};
}

std::vector<std::string> BatchPlan::words(const BatchTask& task) const {
  const ManifestJob& job = manifest_.jobs[task.job];
  const ManifestCommand& command = command_of(job);
  const std::vector<Setting> all = settings(task.job);
  const TaskName names = name(task);
  const std::string* const clip = task.clip == BatchTask::kNoClip ? nullptr : &names.clip;
  std::vector<std::string> words{job.command};
  std::vector<std::string> arguments;
  for (const ManifestKey& key : command.keys) {
    const std::vector<std::string>* const values = find_values(all, key.name);
    if (!key.is_argument || values == nullptr) continue;
    std::string value =
        key.name == "rig" ? names.rig : with_names(values->front(), names.rig, clip);
    // Not an option, and not a file of arguments where the line is typed again.
    if (value.starts_with('-')) value.insert(0, "./");
    arguments.push_back(std::move(value));
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  const bool clip_is_option = command.find("clip") != nullptr;
  const bool is_rig_known = task.rig != BatchTask::kNoRig && rigs_[task.rig].facts.has_value();
  const auto add_clip = [&](const std::string& id) {
    words.push_back("--clip=" + (is_rig_known ? unambiguous_clip(*rigs_[task.rig].facts, id) : id));
  };
  if (clip != nullptr && clip_is_option) add_clip(*clip);
  for (const Setting& setting : all) {
    const ManifestKey& key = *command.find(setting.key);
    if (key.is_argument || (key.name == "clip" && clip != nullptr)) continue;
    if (key.name == "clip" && is_rig_known) {
      // A task of all clips: the command does not know patterns.
      std::vector<bool> is_matched(setting.values.size());
      for (const std::string& id :
           selected_clips(*rigs_[task.rig].facts, setting.values, is_matched)) {
        add_clip(id);
      }
      continue;
    }
    if (key.is_flag) words.push_back("--" + key.name);
    std::string joined;
    for (const std::string& value : setting.values) {
      const std::string* const named = key.expands ? nullptr : clip;
      const std::string text = key.name == "rig" ? names.rig : with_names(value, names.rig, named);
      if (key.joins) {
        joined += (joined.empty() ? "" : ",") + text;
      } else {
        words.push_back("--" + key.name + "=" + text);
      }
    }
    if (key.joins) words.push_back("--" + key.name + "=" + joined);
  }
  return words;
}

namespace {

// The value of --clip that is the id of a clip which is made, "poses:arms.json" of
// "poses:models/arms.json"; empty: the value is another one.
std::string id_of_made_clip(const std::string& value) {
  constexpr std::string_view kPoses = "poses:";
  if (value == "rom" || value.starts_with("rom:")) return value;
  if (!value.starts_with(kPoses)) return "";
  const std::filesystem::path file(value.substr(kPoses.size()));
  return std::string(kPoses) + file.filename().string();
}

}  // namespace

const RigFacts* BatchPlan::facts_of(const BatchTask& task) const {
  const bool is_known = task.rig != BatchTask::kNoRig && rigs_[task.rig].facts;
  return is_known ? &*rigs_[task.rig].facts : nullptr;
}

const RigFacts* BatchPlan::facts_of_clip_file(const std::string& file,
                                              const std::vector<Setting>& settings) const {
  const auto known = rig_numbers_.find(key_of(clip_file(file, settings)));
  const bool is_known = known != rig_numbers_.end() && rigs_[known->second].facts;
  return is_known ? &*rigs_[known->second].facts : nullptr;
}

std::vector<std::string> BatchPlan::ids_in_file(const std::string& value,
                                                const std::vector<Setting>& settings) const {
  const std::string file = file_of_clip(value);
  const std::string id = file.size() < value.size() ? value.substr(file.size() + 1) : "";
  const RigFacts* const facts = facts_of_clip_file(file, settings);
  if (facts == nullptr) return {id.empty() ? value : id};
  std::vector<bool> is_matched(1);
  return selected_clips(*facts, id.empty() ? std::vector<std::string>{} : std::vector{id},
                        is_matched);
}

std::vector<std::string> BatchPlan::clip_ids(const BatchTask& task,
                                             const std::vector<Setting>& settings) const {
  const RigFacts* const rig = facts_of(task);
  std::vector<std::string> chosen;
  if (task.clip != BatchTask::kNoClip) {
    chosen = {texts_[task.clip]};
  } else if (rig != nullptr) {
    const std::vector<std::string>* const wanted = find_values(settings, "clip");
    const std::vector<std::string> values = wanted ? *wanted : std::vector<std::string>{};
    std::vector<bool> is_matched(values.size());
    chosen = selected_clips(*rig, values, is_matched);
    if (chosen.empty() && rig->clips.empty()) chosen = {""};  // the rest pose
  }
  std::vector<std::string> ids;
  for (std::string& value : chosen) {
    const bool is_own = rig != nullptr && has_clip(*rig, value);
    if (is_own || (id_of_made_clip(value).empty() && file_of_clip(value).empty())) {
      ids.push_back(std::move(value));
    } else if (std::string made = id_of_made_clip(value); !made.empty()) {
      ids.push_back(std::move(made));
    } else {
      for (std::string& id : ids_in_file(value, settings)) ids.push_back(std::move(id));
    }
  }
  return ids;
}

}  // namespace skinbake
