// The command line and the outputs of a task.

#include <algorithm>

#include "batch/jobs/job_paths.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"
#include "skinbake/tool/batch/batch_plan.h"
#include "skinbake/tool/words/id_name.h"

namespace skinbake {

namespace {

// Keys whose values are files that the command writes.
constexpr const char* kOutputKeys[] = {"output",   "error-matrix", "report",  "html",
                                       "markdown", "junit",        "depfile", "timing"};

// The canonical name of the method of a bake; empty if there are several, or if it is unknown.
std::string method_of(const std::string& command, const std::vector<Setting>& settings) {
  if (command != "bake") return "";
  const std::vector<std::string>* const method = find_values(settings, "method");
  try {
    return parse_method(method == nullptr ? "lbs" : method->front()).canonical();
  } catch (const Error&) {
    return "";  // the task will refuse it
  }
}

// Replaces a placeholder by each of the names. Without the placeholder the path stays one.
std::vector<std::string> expanded(const std::vector<std::string>& paths, std::string_view what,
                                  const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    if (path.find(what) == std::string::npos) {
      all.push_back(path);
      continue;
    }
    for (const std::string& name : names) all.push_back(replaced(path, what, file_name_of(name)));
  }
  return all;
}

}  // namespace

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
    if (value.starts_with('-')) value.insert(0, "./");  // not an option
    arguments.push_back(std::move(value));
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  const bool clip_is_option = command.find("clip") != nullptr;
  if (clip != nullptr && clip_is_option) words.push_back("--clip=" + *clip);
  for (const Setting& setting : all) {
    const ManifestKey& key = *command.find(setting.key);
    if (key.is_argument || (key.name == "clip" && clip != nullptr)) continue;
    if (key.name == "clip" && task.rig != BatchTask::kNoRig && rigs_[task.rig].facts) {
      // A task of all clips: the command does not know patterns.
      std::vector<bool> is_matched(setting.values.size());
      for (const std::string& id :
           selected_clips(*rigs_[task.rig].facts, setting.values, is_matched)) {
        words.push_back("--clip=" + id);
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

std::vector<std::string> BatchPlan::outputs(const BatchTask& task) const {
  const std::string& command = manifest_.jobs[task.job].command;
  const std::vector<Setting> all = settings(task.job);
  const TaskName names = name(task);
  const std::string* const clip = task.clip == BatchTask::kNoClip ? nullptr : &names.clip;
  std::vector<std::string> clips, meshes;
  if (clip != nullptr) {
    clips = {*clip};
  } else if (task.rig != BatchTask::kNoRig && rigs_[task.rig].facts) {
    for (const ClipFacts& one : rigs_[task.rig].facts->clips) clips.push_back(one.id);
  }
  if (task.rig != BatchTask::kNoRig && rigs_[task.rig].facts) {
    for (const MeshFacts* mesh : selected_meshes(*rigs_[task.rig].facts, all)) {
      meshes.push_back(mesh->id);
    }
  }
  const std::string method = method_of(command, all);
  std::vector<std::string> outputs;
  for (const char* key : kOutputKeys) {
    const std::vector<std::string>* const values = find_values(all, key);
    if (values == nullptr) continue;
    for (const std::string& value : *values) {
      if (value == "-") continue;
      const bool is_literal = !expands_itself(command, key);
      std::vector<std::string> paths{with_names(value, names.rig, is_literal ? clip : nullptr)};
      if (!is_literal) {
        paths = expanded(paths, "{clip}", clips);
        paths = expanded(paths, "{mesh}", meshes);
        if (!method.empty()) paths = expanded(paths, "{method}", {method});
      }
      outputs.insert(outputs.end(), paths.begin(), paths.end());
    }
  }
  return outputs;
}

}  // namespace skinbake
