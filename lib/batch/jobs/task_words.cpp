// The name and the command line of a task.

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
      const std::string* const named = expands_itself(job.command, key.name) ? nullptr : clip;
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

}  // namespace skinbake
